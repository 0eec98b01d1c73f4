/**
 * Exports of several requests to a file, each with a fault at random: of the service, the proxy, the file system or the
 * process. It ends in time, with the code of who must act; the output is the old one or the whole new one; what is not ents'
 * own is as it was; and when all is well again, the same command finishes and leaves nothing behind.
 *
 *     ENTS_TEST_SEED=<seed> npx vitest run test/chaos
 *
 * begins with the fault of that seed.
 */
import { existsSync, lstatSync, readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { TOKEN } from "../e2e/envelopes.ts";
import { CUT, fetchWhole, QUERY, WHOLE } from "../faults/world-service.ts";
import { SEED } from "../resume/random.ts";
import { createChance } from "../support/chance.ts";
import { runs } from "../support/extent.ts";
import { createHome, type Run, runEnts, type Started } from "../support/run-ents.ts";
import type { End, Fault, MakeFault } from "./fault.ts";
import { FILE_FAULTS } from "./file-faults.ts";
import { PROCESS_FAULTS } from "./process-faults.ts";
import { PROXY_FAULTS } from "./proxy-faults.ts";
import { listLeftovers, OLD, OUT, type Own, type Scene, setUp, takeForeign, takeSnapshot } from "./scene.ts";
import { SERVICE_FAULTS } from "./service-faults.ts";
import { startChaosService } from "./service.ts";

const RUNS = Number(process.env["P"] ?? runs(20, 500));
const MAX_MS = 20_000;
/** Processes at once. */
const SLOTS = 3;
const KINDS: readonly (readonly MakeFault[])[] = [SERVICE_FAULTS, PROXY_FAULTS, FILE_FAULTS, PROCESS_FAULTS];
const FORMATS = ["csv", "ndjson", "json"] as const;
const PATIENCE = ["--timeout", "1s", "--retries", "1"];
const SANDBOX = [
  "market",
  "NEM",
  "-m",
  "price",
  "-i",
  "1h",
  "-s",
  "2025-01-01",
  "-e",
  "2025-01-03",
  "--primary-grouping",
  "network_region",
  "--sandbox",
];

/** The right bytes, by format, of the service's export and of the sandbox's. */
const whole = { service: new Map<string, string>(), sandbox: new Map<string, string>() };

beforeAll(async () => {
  for (const format of FORMATS) {
    whole.service.set(format, await fetchWhole(QUERY, ["-f", format]));
    whole.sandbox.set(format, (await runEnts([...SANDBOX, ...WHOLE, "-f", format])).stdout);
  }
});

for (let seed = SEED; seed < SEED + RUNS; seed++) {
  const chance = createChance(seed);
  const fault = chance.pick(chance.pick(KINDS))(chance);
  test.concurrent(`seed ${seed}: ${fault.name}`, async () => {
    expect(await takeSlot(() => play({ seed, chance, fault }))).toEqual([]);
  });
}

let free = SLOTS;
const waiting: (() => void)[] = [];

async function takeSlot<T>(work: () => Promise<T>): Promise<T> {
  if (free === 0) await new Promise<void>((resolve) => void waiting.push(resolve));
  else free--;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else free++;
  }
}

interface Case {
  readonly seed: number;
  readonly chance: Scene["chance"];
  readonly fault: Fault;
}

/** What is wrong with how a run took a fault, or how it went on. */
async function play({ seed, chance, fault }: Case): Promise<string[]> {
  const home = createHome();
  // Chance of its own: when requests come, no seed says.
  const { random } = createChance(-seed);
  const service = await startChaosService(() => random() * 40);
  const scene: Scene = { home, chance, service };
  const fromSandbox = !fault.needsService && chance.oneIn(4);
  // json says when the sandbox answered.
  const format = chance.pick(fromSandbox ? ["csv", "ndjson"] : FORMATS);
  const right = whole[fromSandbox ? "sandbox" : "service"].get(format) ?? "";
  const query = fromSandbox ? [...SANDBOX, "--max-window", "12h"] : [...QUERY, ...CUT];
  const args = [...query, ...PATIENCE, "-q", "-f", format];
  const own: Own = { outputs: [OUT, ...(fault.outputs ?? [])], touched: fault.touched ?? [], foreign: fault.foreign ?? [] };
  const problems: string[] = [];
  const say = (is: boolean, problem: string) =>
    void (is && problems.push(`seed ${seed}, ${format}${fromSandbox ? ", sandbox" : ""}: ${problem}`));

  setUp(scene);
  const precious = takeForeign(home);
  await fault.plant?.(scene);
  service.trouble = fault.trouble;
  const before = takeSnapshot(home, own);
  const { run, ms } = await runOnce([...args, "-o", fault.output ?? OUT], scene, fault);
  say(ms > MAX_MS, `it did not end within ${MAX_MS} ms`);
  for (const problem of findRunProblems(run, fault)) say(true, problem);
  say(!isOldOrRight(scene, right, fault), `the output is neither the old nor the new: ${describeOutput(scene)}`);
  for (const change of findChanges(before, takeSnapshot(home, own))) say(true, change);
  try {
    await fault.check?.(scene, { run, whole: right });
  } catch (error) {
    say(true, `${String(error)}; exit ${run.code}: ${run.stderr.slice(0, 300)}`);
  }

  await fault.mend?.(scene);
  service.trouble = undefined;
  const again = await runOnce([...args, "-o", OUT], scene, fault.user ? { user: fault.user } : {});
  say(again.ms > MAX_MS, `the second run did not end within ${MAX_MS} ms`);
  const { again: ends = [0] } = fault;
  say(!ends.includes(endOf(again.run)), `the second run: exit ${endOf(again.run)}: ${again.run.stderr.slice(0, 500)}`);
  say(again.run.code === 0 && readOutput(scene) !== right, `the second run: the output is not right: ${describeOutput(scene)}`);
  const leftovers = own.foreign.length > 0 ? [] : listLeftovers(home, own);
  say(again.run.code === 0 && leftovers.length > 0, `the second run leaves ${leftovers.join()}`);
  for (const change of findChanges(precious, takeForeign(home))) say(true, `after the second run: ${change}`);
  service.close();
  return problems;
}

async function runOnce(args: readonly string[], scene: Scene, fault: Omit<Fault, "name" | "ends">): Promise<{ run: Run; ms: number }> {
  const { home, service } = scene;
  const env = { ENTS_TOKEN: TOKEN, ...(args.includes("--sandbox") ? {} : { ENTS_BASE_URL: service.url }), ...fault.env?.(scene) };
  const started = performance.now();
  if (fault.shell !== undefined) {
    const words = args.map((word) => `'${word}'`).join(" ");
    const run = await home.shell(`${fault.shell} exec timeout -s KILL ${MAX_MS / 1000 + 1} ents ${words}`, { env });
    return { run, ms: performance.now() - started };
  }
  const process = home.start(args, { env, ...(fault.user ? { user: fault.user } : {}) });
  // What happens beside the run may come too late for it.
  const act = fault.act?.(scene, process).catch(() => {});
  const run = await endInTime(process);
  const ms = performance.now() - started;
  await act;
  return { run, ms };
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

function findRunProblems(run: Run, { ends, shell, output }: Fault): string[] {
  const { stdout, stderr } = run;
  const problems: string[] = [];
  if (!ends.includes(endOf(run))) problems.push(`exit ${endOf(run)} in place of ${ends.join(" or ")}: ${stderr.slice(0, 500)}`);
  if (stderr.includes(TOKEN)) problems.push(`the token on standard error: ${stderr.slice(0, 500)}`);
  if (/^\s+at /m.test(stderr)) problems.push(`a stack: ${stderr.slice(0, 500)}`);
  if (shell === undefined && !/^((ents: | {6})[^\n\p{Cc}]*\n)*$/u.test(stderr))
    problems.push(`lines that are not ents': ${stderr.slice(0, 500)}`);
  if (stdout !== "" && output === undefined) problems.push(`something on standard output: ${stdout.slice(0, 200)}`);
  return problems;
}

function readOutput({ home }: Scene): string | undefined {
  return existsSync(home.path(OUT)) && !lstatSync(home.path(OUT)).isDirectory() ? readFileSync(home.path(OUT), "utf8") : undefined;
}

function isOldOrRight(scene: Scene, right: string, { mayLose }: Fault): boolean {
  const output = readOutput(scene);
  return output === undefined ? mayLose === true : output === OLD || output === right;
}

function describeOutput(scene: Scene): string {
  const output = readOutput(scene);
  return output === undefined ? "nothing" : `${output.length} characters, ${JSON.stringify(output.slice(0, 80))}`;
}

function findChanges(before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>): string[] {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return paths
    .filter((path) => before[path] !== after[path])
    .map((path) => `${path} was ${before[path] ?? "not there"}, is ${after[path] ?? "gone"}`);
}
