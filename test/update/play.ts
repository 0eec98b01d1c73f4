/** Nights of a history: a file or dataset is updated despite faults, and then has the rows of a complete new export. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { expect } from "vitest";
import { readData } from "../dataset/datasets.ts";
import { refusal, TOKEN } from "../e2e/envelopes.ts";
import { type FileCall, watchFileCalls } from "../files/file-calls.ts";
import { createHome, type Home, type Run } from "../support/run-ents.ts";
import type { ScriptedService } from "../support/scripted-service.ts";
import { createVirtualClock } from "../support/virtual-clock.ts";
import { createHistory, type History, type Kind, restate, turnAround } from "./histories.ts";
import { dropMarks } from "./origins.ts";
import { startWorld } from "./world.ts";

export interface Place {
  readonly home: Home;
  readonly service: ScriptedService;
  readonly kind: Kind;
  /** The flags of a night. */
  readonly update: readonly string[];
  readonly signal?: AbortSignal;
}

export interface Night {
  readonly history: History;
  readonly place: Place;
  /** The name of the complete new export. */
  readonly whole: string;
  readonly told: string;
}

let onCall: ((call: FileCall) => void) | undefined;
await watchFileCalls((call) => onCall?.(call));

/** Five nights, or fewer if too little is known about the service; `check` sees each night that has updated the output. */
export async function playHistory(seed: number, kind: Kind, check: (night: Night) => void): Promise<void> {
  const history = createHistory(seed, kind);
  const { world, chance, scale, output } = history;
  const service = await startWorld(world);
  const place: Place = { home: createHome(), service, kind, update: ["-o", output, "--update", "--revise", scale.revise] };
  const turnsAt = 1 + chance.below(4);
  for (let number = 0; number < 5; number++) {
    if (number === turnsAt) turnAround(history);
    const night = { history, place, whole: `whole-${output}`, told: `night ${number} of ${seed}: ${history.command.join(" ")}` };
    if (!(await exportWhole(night))) break;
    for (let failures = chance.below(3); failures > 0; failures--) await expectFailure(night);
    if (chance.oneIn(4)) loseSomething(history, place);
    if (!(await updateOutput(night))) break;
    check(night);
    const lastNow = world.now;
    world.now += Math.floor(scale.bucket * (chance.oneIn(5) ? 60 : 6) * chance.random());
    restate(history, lastNow);
  }
  await service.close();
}

/** Whether its rows are certain. */
async function exportWhole({ history, place, whole, told }: Night): Promise<boolean> {
  rmSync(place.home.path(whole), { recursive: true, force: true });
  const done = await run(history, place, ["-o", whole, ...(place.kind === "file" ? ["--datapackage"] : [])]);
  expect({ told, ...done }).toMatchObject({ told, code: 0, stdout: "" });
  if (done.stderr.includes("nothing was requested")) return false;
  return !inDoubt(done);
}

/** Whether the update is done, and its rows are certain. */
async function updateOutput({ history, place, whole, told }: Night): Promise<boolean> {
  const { output } = history;
  let done = await run(history, place, place.update);
  // Everything in a window was withdrawn.
  if (done.code === 5 && done.stderr.includes("--overwrite")) done = await run(history, place, [...place.update, "--overwrite"]);
  expect({ told, ...done }).toMatchObject({ told, code: 0, stdout: "" });
  const kept = readdirSync(place.home.path(place.kind === "file" ? `${output}.ents` : `${output}/.ents`));
  expect({ told, kept: kept.some((name) => name.endsWith(".json.gz")) }).toEqual({ told, kept: true });
  const [own, other] = [readOutput(place, output), readOutput(place, whole)];
  if (!isSame(own, other)) throw new Error(`${told}: other rows, ${done.stderr}`);
  expect(readdirSync(place.home.folder).filter((name) => name.includes("ents-tmp"))).toEqual([]);
  return true;
}

async function run({ world, command }: History, { home, service, signal }: Place, args: readonly string[]): Promise<Run> {
  const clock = { ...createVirtualClock(), now: () => Math.floor(world.now) };
  const env = { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url };
  return home.run([...command, "--rate", "1000", ...args], { env, clock, ...(signal ? { signal } : {}) });
}

/** For a dataset, without what a power cut has left behind. */
function readOutput({ home, kind }: Place, name: string): string | undefined {
  const path = home.path(name);
  if (!existsSync(path)) return undefined;
  if (kind === "file") return readFileSync(path, "latin1");
  const files = Object.entries(readData(path)).filter(([file]) => !/(?:^|\/)\./.test(file));
  return files.length === 0 ? undefined : JSON.stringify(files);
}

function isSame(one: string | undefined, other: string | undefined): boolean {
  return dropMarks(one ?? "") === dropMarks(other ?? "");
}

/** What may end a run before it is done. */
const FAILURES = ["quota", "signal", "fault", "power cut"] as const;

/** File calls of an update; some fail late or not at all. */
const CALLS = 60;

/** Expects the old output or the new one; for a dataset, of each file. */
async function expectFailure({ history, place, whole, told }: Night): Promise<void> {
  const { chance, output } = history;
  const how = chance.pick(FAILURES);
  const before = readOutput(place, output);
  await failOnce(history, place, how);
  if (place.kind === "dataset" && (how === "fault" || how === "power cut")) return;
  const after = readOutput(place, output);
  if (!isSame(after, before) && !isSame(after, readOutput(place, whole))) throw new Error(`${told}: ${how} left neither output`);
}

async function failOnce(history: History, place: Place, how: (typeof FAILURES)[number]): Promise<Run> {
  const { world, chance } = history;
  const stop = new AbortController();
  const good = chance.below(2);
  let requests = 0;
  world.play = () => {
    if ((how !== "quota" && how !== "signal") || requests++ < good) return undefined;
    if (how === "quota") return refusal(401, "Authentication failed");
    stop.abort(new Error("stopped"));
    return { instead: "stall" };
  };
  let calls = chance.below(CALLS);
  onCall = ({ path }) => {
    if ((how !== "fault" && how !== "power cut") || !path.startsWith(place.home.folder) || calls-- > 0) return;
    // After a power cut, nothing is cleaned up.
    if (how === "power cut" || calls === -1) throw Object.assign(new Error("i/o error"), { code: "EIO" });
  };
  const done = await run(history, { ...place, signal: stop.signal }, place.update);
  world.play = () => undefined;
  onCall = undefined;
  expect([0, 1, 3, 5, 6]).toContain(done.code);
  return done;
}

/** A file, its description, or a shortcut is edited or removed: all are made again. */
function loseSomething({ chance, output }: History, { home, kind }: Place): void {
  const data =
    kind === "file" ? [""] : Object.keys(existsSync(home.path(output)) ? readData(home.path(output)) : {}).map((name) => `/${name}`);
  const path = home.path(
    output + chance.pick([...data, ...(kind === "file" ? [".datapackage.json"] : ["/.ents/digests", "/.ents/files"])]),
  );
  if (!existsSync(path)) return;
  if (chance.oneIn(2)) rmSync(path);
  else writeFileSync(path, "mine");
}

/** No answer shows whether the service fills gaps; earlier ones may have. */
function inDoubt({ stderr }: Run): boolean {
  return stderr.includes("rows without a value may be missing");
}
