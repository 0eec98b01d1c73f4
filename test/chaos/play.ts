/** Plays a fault on an export, then runs the same command again without the fault. */
import { existsSync, lstatSync, readFileSync } from "node:fs";
import { TOKEN } from "../e2e/envelopes.ts";
import { type Chance, createChance } from "../support/chance.ts";
import { PATIENCE_MS } from "../support/patience.ts";
import { createHome, type Run, type Started } from "../support/run-ents.ts";
import { chooseExport, type Export, type Exports } from "./exports.ts";
import type { End, Fault } from "./fault.ts";
import { listLeftovers, OLD, OUT, type Own, PARTIAL, type Scene, setUp, takeForeign, takeSnapshot } from "./scene.ts";
import { startChaosService } from "./service.ts";

export interface Play {
  readonly seed: number;
  readonly chance: Chance;
  readonly exports: Exports;
}

const MAX_MS = PATIENCE_MS;

/** Lists what went wrong, during the fault or in the second run. */
export async function play(fault: Fault, { seed, chance, exports }: Play): Promise<string[]> {
  const home = createHome();
  // Separate random numbers: the order of requests depends on timing, not on the seed.
  const { random } = createChance(-seed);
  const service = await startChaosService(() => random() * 40);
  const scene: Scene = { home, chance, service };
  const chosen = chooseExport(fault, exports, chance);
  setUp(scene);
  const precious = takeForeign(home);
  const problems = await playFault(scene, fault, chosen);
  await fault.mend?.(scene);
  service.trouble = undefined;
  problems.push(
    ...(await goOn(scene, fault, chosen)),
    ...findChanges(precious, takeForeign(home)).map((change) => `in the end, ${change}`),
  );
  fault.end?.();
  service.close();
  return problems.map((problem) => `seed ${seed}: ents ${chosen.args.join(" ")}: ${problem}`);
}

async function playFault(scene: Scene, fault: Fault, { args, right }: Export): Promise<string[]> {
  const { home, service } = scene;
  await fault.plant?.(scene);
  service.trouble = fault.trouble;
  const own = describeOwn(fault);
  const before = takeSnapshot(home, own);
  const run = await runOnce([...args, "-o", fault.output ?? OUT], scene, fault);
  const problems = [...findRunProblems(run, fault), ...findChanges(before, takeSnapshot(home, own))];
  const output = readOutput(scene);
  const isOldOrRight = output === undefined ? fault.mayLose : output === OLD || output === right;
  if (!isOldOrRight) problems.push(`the output is neither the old nor the new: ${describeOutput(output)}`);
  try {
    await fault.check?.(scene, { run, whole: right });
  } catch (error) {
    problems.push(`${String(error)}; exit ${endOf(run)}: ${run.stderr.slice(0, 300)}`);
  }
  return problems;
}

/** Runs the same command without a fault; in this process if that can do it no harm. */
async function goOn(scene: Scene, fault: Fault, { args, right }: Export): Promise<string[]> {
  const { again: ends = [0], asks, user, env } = fault;
  const { home, service } = scene;
  const command = [...args, "-o", OUT];
  const rest = { ...(user ? { user } : {}), ...(env && asks === "another sandbox" ? { env } : {}) };
  const run =
    asks === "the service" && fault.again === undefined
      ? { ...(await home.run(command, { env: { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url } })), ms: 0 }
      : await runOnce(command, scene, rest);
  const problems = findRunProblems(run, { ends });
  if (run.code === 0) {
    const output = readOutput(scene);
    if (output !== right) problems.push(`the output is not right: ${describeOutput(output)}`);
    // A folder that also holds files of others stays.
    const isShared = fault.foreign?.some((path) => path.startsWith(PARTIAL));
    const leftovers = isShared ? [] : listLeftovers(home, describeOwn(fault));
    if (leftovers.length > 0) problems.push(`left behind: ${leftovers.join()}`);
  }
  return problems.map((problem) => `the second run: ${problem}`);
}

function describeOwn({ outputs = [], touched = [], foreign = [] }: Fault): Own {
  return { outputs: [OUT, ...outputs], touched, foreign };
}

interface TimedRun extends Run {
  readonly ms: number;
}

async function runOnce(args: readonly string[], scene: Scene, fault: Omit<Fault, "name" | "ends">): Promise<TimedRun> {
  const { home, service } = scene;
  const env = { ENTS_TOKEN: TOKEN, ...(args.includes("--sandbox") ? {} : { ENTS_BASE_URL: service.url }), ...fault.env?.(scene) };
  const started = performance.now();
  if (fault.shell !== undefined) {
    const words = args.map((word) => `'${word}'`).join(" ");
    const run = await home.shell(`${fault.shell} exec timeout -s KILL ${MAX_MS / 1000 + 1} ents ${words}`, { env });
    return { ...run, ms: performance.now() - started };
  }
  const process = home.start(args, { env, ...(fault.user ? { user: fault.user } : {}) });
  // The action may come too late for the run.
  const act = fault.act?.(scene, process).catch(() => {});
  const run = await endInTime(process);
  const ms = performance.now() - started;
  await act;
  return { ...run, ms };
}

async function endInTime({ child, finished }: Started): Promise<Run> {
  const timer = setTimeout(() => child.kill("SIGKILL"), MAX_MS + 1000);
  const run = await finished;
  clearTimeout(timer);
  return run;
}

function endOf({ code, signal }: Run): End {
  return code ?? signal ?? -1;
}

function findRunProblems(run: TimedRun, { ends, shell, output }: Pick<Fault, "ends" | "shell" | "output">): string[] {
  const { stdout, stderr, ms } = run;
  const said = stderr.slice(0, 500);
  const problems: string[] = [];
  const say = (is: boolean, problem: string) => void (is && problems.push(problem));
  say(ms > MAX_MS, `it did not end within ${MAX_MS} ms`);
  say(!ends.includes(endOf(run)), `exit ${endOf(run)} in place of ${ends.join(" or ")}: ${said}`);
  say(stderr.includes(TOKEN), `the token on standard error: ${said}`);
  say(/^\s+at /m.test(stderr), `a stack: ${said}`);
  // A shell may add messages of its own.
  say(shell === undefined && !/^((ents: | {6})[^\n\p{Cc}]*\n)*$/u.test(stderr), `lines that are not ents': ${said}`);
  say(stdout !== "" && output === undefined, `something on standard output: ${stdout.slice(0, 200)}`);
  return problems;
}

function readOutput({ home }: Scene): string | undefined {
  return existsSync(home.path(OUT)) && !lstatSync(home.path(OUT)).isDirectory() ? readFileSync(home.path(OUT), "utf8") : undefined;
}

function describeOutput(output: string | undefined): string {
  return output === undefined ? "nothing" : `${output.length} characters, ${JSON.stringify(output.slice(0, 80))}`;
}

function findChanges(before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>): string[] {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return paths
    .filter((path) => before[path] !== after[path])
    .map((path) => `${path} was ${before[path] ?? "not there"}, is ${after[path] ?? "gone"}`);
}
