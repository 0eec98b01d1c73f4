/** A file that is updated night after night has, each time, the bytes of a whole new export. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createStampReader, isNearChange } from "../../src/time/zones.ts";
import { refusal, TOKEN } from "../e2e/envelopes.ts";
import { type FileCall, watchFileCalls } from "../files/file-calls.ts";
import { runs } from "../support/extent.ts";
import { createHome, type Home } from "../support/run-ents.ts";
import { createVirtualClock } from "../support/virtual-clock.ts";
import { createHistory, type History, restate } from "./histories.ts";
import { type DescribedRequest, dropMarks, expectOrigins, type Row } from "./origins.ts";
import { startWorld } from "./world.ts";

interface Place {
  readonly home: Home;
  readonly url: string;
  readonly signal?: AbortSignal;
}

async function run({ world, command }: History, { home, url, signal }: Place, args: readonly string[]) {
  const clock = { ...createVirtualClock(), now: () => world.now };
  const env = { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: url };
  return home.run([...command, "--rate", "1000", ...args], { env, clock, ...(signal ? { signal } : {}) });
}

let onCall: ((call: FileCall) => void) | undefined;
await watchFileCalls((call) => onCall?.(call));

async function expectSameEveryNight(seed: number): Promise<void> {
  const history = createHistory(seed);
  const { world, chance, scale, file } = history;
  const service = await startWorld(world);
  const place = { home: createHome(), url: service.url };
  const [whole, update] = [`whole-${file}`, ["-o", file, "--update", "--revise", scale.revise]];
  const isSame = (name: string, text: string | undefined) => dropMarks(read(place, name) ?? "") === dropMarks(text ?? "");
  for (let night = 0; night < 5; night++) {
    const told = `night ${night} of ${seed}: ${history.command.join(" ")}`;
    expect({ told, ...(await run(history, place, ["-o", whole, "--datapackage"])) }).toMatchObject({ told, code: 0, stdout: "" });
    for (let crashes = chance.below(3); crashes > 0; crashes--) {
      const before = read(place, file);
      const how = await failOnce(history, { ...place, update });
      if (!isSame(file, before) && !isSame(file, read(place, whole))) throw new Error(`${told}: ${how} left neither file`);
    }
    expect({ told, ...(await run(history, place, update)) }).toMatchObject({ told, code: 0, stdout: "" });
    if (!isSame(file, read(place, whole))) throw new Error(told);
    expect(readdirSync(place.home.folder).filter((name) => /ents-(?:tmp|partial)/.test(name))).toEqual([]);
    const requests = expectSameDescription(place, [file, whole], told);
    expectOrigins(requests, listRows(place, history), { chance, service });
    const lastNow = world.now;
    world.now += Math.floor(scale.bucket * (chance.oneIn(5) ? 60 : 6) * chance.random());
    restate(history, lastNow);
  }
  await service.close();
}

function read({ home }: Pick<Place, "home">, name: string): string | undefined {
  return existsSync(home.path(name)) ? readFileSync(home.path(name), "latin1") : undefined;
}

/** What ends a run before it is done, or not. */
const FAILURES = ["quota", "signal", "fault", "power cut"] as const;

/** Calls on files that an update makes: some fail late, or not at all. */
const CALLS = 60;

async function failOnce(history: History, { update, ...place }: Place & { readonly update: readonly string[] }): Promise<string> {
  const { world, chance } = history;
  const stop = new AbortController();
  const how = chance.pick(FAILURES);
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
  const { code } = await run(history, { ...place, signal: stop.signal }, update);
  world.play = () => undefined;
  onCall = undefined;
  expect([0, 1, 3, 6]).toContain(code);
  return how;
}

interface DescribedSeries {
  readonly metric: string;
  readonly labels: object;
  readonly last: string;
}

interface Description {
  readonly resources: readonly [Readonly<Record<string, unknown>>];
  readonly ents: {
    readonly window: { readonly start: string };
    readonly series: readonly DescribedSeries[];
    readonly requests: readonly DescribedRequest[];
    readonly unverified_before?: string;
    readonly utc_offset?: string;
  };
}

/** The description of an update is that of a whole export, but for the requests, which it returns. */
function expectSameDescription(place: Place, [file, whole]: readonly [string, string], told: string): readonly DescribedRequest[] {
  const [own, other] = [readDescription(place, file), readDescription(place, whole)];
  const revised = own.requests.reduce((latest, { rows_from: from = "" }) => (from > latest ? from : latest), "");
  // Of a series that was withdrawn from there on, the last point is taken to be the bucket before: its rows are not read.
  const series = own.series.map((one, index) => {
    const { last } = other.series[index] ?? one;
    return last < one.last && one.last < revised ? { ...one, last } : one;
  });
  expect({ told, ...own.facts, series }).toEqual({ told, ...other.facts, series: other.series });
  return own.requests;
}

function readDescription(place: Place, name: string) {
  const { resources, ents } = JSON.parse(readFileSync(place.home.path(`${name}.datapackage.json`), "utf8")) as Description;
  const { path, hash, ...file } = resources[0];
  const sha256 = createHash("sha256")
    .update(read(place, name) ?? "", "latin1")
    .digest("hex");
  expect({ path, hash }).toEqual({ path: name, hash: `sha256:${sha256}` });
  const { window, requests, unverified_before: doubt, utc_offset: offset } = ents;
  // Series stand in the order in which they came.
  const keyOf = ({ metric, labels }: DescribedSeries) => JSON.stringify([metric, labels]);
  const series = ents.series.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return { facts: { ...file, start: window.start, doubt, offset }, series, requests };
}

/** Those whose instant is certain: not where a wall clock may show a time twice. */
function listRows(place: Place, { file, zone, time, offset }: History): Row[] {
  const readStamp = createStampReader(zone, time, offset);
  const lines = (read(place, file) ?? "").split("\n");
  return lines.flatMap((text) => {
    const stamp = file.endsWith("ndjson") ? /^\{"timestamp":"?([^",]+)/.exec(text)?.[1] : text.split(/[,\t]/)[0];
    const instant = readStamp(stamp ?? "");
    return instant === undefined || (time === "local" && isNearChange(zone, instant)) ? [] : [{ text, instant }];
  });
}

test("whatever the service adds, restates and withdraws, and whatever fails", async () => {
  await fc.assert(fc.asyncProperty(fc.nat(), expectSameEveryNight), { numRuns: runs(2, 200) });
}, 600_000);
