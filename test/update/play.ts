/** Nights in which a file or a dataset is updated and held against a whole new export. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { readData } from "../dataset/datasets.ts";
import { refusal, TOKEN } from "../e2e/envelopes.ts";
import { createHome, type Home, type Run } from "../support/run-ents.ts";
import { createVirtualClock } from "../support/virtual-clock.ts";
import { createHistory, type History, type Kind, restate } from "./histories.ts";
import { startWorld } from "./world.ts";

interface Place {
  readonly home: Home;
  readonly url: string;
  readonly kind: Kind;
  /** The flags of a night. */
  readonly update: readonly string[];
  readonly signal?: AbortSignal;
}

/** How an output of some night differs from a whole new export; undefined where none does. */
export async function playHistory(seed: number, kind: Kind): Promise<string | undefined> {
  const history = createHistory(seed, kind);
  const { world, chance, scale, output } = history;
  const service = await startWorld(world);
  const place: Place = { home: createHome(), url: service.url, kind, update: ["-o", output, "--update", "--revise", scale.revise] };
  let told: string | undefined;
  for (let night = 0; night < 5; night++) {
    const problem = await playNight(history, place, night);
    if (problem === "end") break;
    told = problem && `seed ${seed}, night ${night}: ${problem} (${history.command.join(" ")})`;
    if (problem !== undefined) break;
    const lastNow = world.now;
    world.now += Math.floor(scale.bucket * (chance.oneIn(5) ? 60 : 6) * chance.random());
    restate(history, lastNow);
  }
  await service.close();
  return told;
}

/** What is wrong after a night; `end` where it cannot be told, as too little is known of the service. */
async function playNight(history: History, place: Place, night: number): Promise<string | undefined> {
  const { chance, output } = history;
  const read = () => readOutput(place, output);
  const found = read();
  if (night > 0 && chance.oneIn(4)) {
    const { code } = await failOnce(history, place);
    if (code !== 0 && read() !== found) return "a failure changed the output";
  }
  const isLost = night > 0 && place.kind === "file" && chance.oneIn(4) && loseDescription(history, place.home);
  const before = read();
  const done = await run(history, place, place.update);
  if (isLost && isRefusal(done)) return read() === before ? "end" : "a refusal changed the output";
  const whole = `whole-${output}`;
  rmSync(place.home.path(whole), { recursive: true, force: true });
  const anew = await run(history, place, ["-o", whole, ...(place.kind === "file" ? ["--datapackage"] : [])]);
  for (const { code, stdout, stderr } of [done, anew]) if (code !== 0 || stdout !== "") return stderr;
  if (inDoubt(anew) || (isLost && inDoubt(done))) return "end";
  if (read() !== readOutput(place, whole)) return `other rows: ${done.stderr}`;
  const [own, other] = [output, whole].map((name) => describe(place, name));
  return own === other ? undefined : `described as ${own}, not ${other}`;
}

/** Runs the command with the flags of a night, or others. */
async function run({ world, command }: History, { home, url, signal }: Place, args: readonly string[]): Promise<Run> {
  const clock = { ...createVirtualClock(), now: () => world.now };
  const env = { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: url };
  return home.run([...command, "--rate", "1000", ...args], { env, clock, ...(signal ? { signal } : {}) });
}

function readOutput({ home, kind }: Place, name: string): string | undefined {
  const path = home.path(name);
  if (!existsSync(path)) return undefined;
  return kind === "file" ? readFileSync(path, "latin1") : JSON.stringify(readData(path));
}

/** The description of a file is removed, or is that of an earlier night. Whether it is removed. */
function loseDescription({ chance, command, output }: History, home: Home): boolean {
  if (command.includes("--no-header")) return false;
  const [path, older] = [home.path(`${output}.datapackage.json`), home.path("older.json")];
  const text = readFileSync(path);
  const isLost = chance.oneIn(2);
  if (isLost) rmSync(path);
  else if (existsSync(older)) writeFileSync(path, readFileSync(older));
  writeFileSync(older, text);
  return isLost;
}

/** Without a description, an update refuses what may be another query's file. */
function isRefusal({ code, stderr }: Run): boolean {
  return code === 2 && /which its (?:last )?rows|of another service or query|does not know the UTC offset/.test(stderr);
}

/** No answer shows whether the service fills gaps: earlier ones may have. */
function inDoubt({ stderr }: Run): boolean {
  return stderr.includes("rows without a value may be missing");
}

/** A run that the service's quota or a signal ends, unless it is done before. */
async function failOnce(history: History, place: Place): Promise<Run> {
  const { world, chance } = history;
  const stop = new AbortController();
  const isQuota = chance.oneIn(2);
  const good = chance.below(2);
  let requests = 0;
  world.play = () => {
    if (requests++ < good) return undefined;
    if (isQuota) return refusal(401, "Authentication failed");
    stop.abort(new Error("stopped"));
    return { instead: "stall" };
  };
  const done = await run(history, { ...place, signal: stop.signal }, place.update);
  world.play = () => undefined;
  return done;
}

/** But for units, which wide rows do not tell where a description was lost. */
function describe({ home, kind }: Place, name: string): string {
  const path = home.path(kind === "file" ? `${name}.datapackage.json` : `${name}/datapackage.json`);
  const { resources, ents } = JSON.parse(readFileSync(path, "utf8")) as {
    resources: readonly Record<string, unknown>[];
    ents: { readonly window: { readonly start: string }; readonly utc_offset?: string };
  };
  const facts = { files: resources.map((file) => ({ ...file, path: "" })), start: ents.window.start, offset: ents.utc_offset };
  return JSON.stringify(facts, (key, value: unknown) => (key === "unit" ? undefined : value));
}
