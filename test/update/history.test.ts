/** A file that is updated night after night has, each time, the bytes of a whole new export. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { findNetwork, INTERVALS } from "../../src/base/vocabulary.ts";
import { DAY, formatLocalTime, HOUR, MINUTE } from "../../src/time/local-time.ts";
import { createStampReader, isNearChange, type TimeFormat } from "../../src/time/zones.ts";
import { refusal, TOKEN } from "../e2e/envelopes.ts";
import { type FileCall, watchFileCalls } from "../files/file-calls.ts";
import { bucketAround, STEP } from "../merge/buckets.ts";
import { type ModelSeries, offsetMs, type ServiceModel } from "../merge/fake-service.ts";
import { type Chance, createChance } from "../support/chance.ts";
import { runs } from "../support/extent.ts";
import { createHome, type Home } from "../support/run-ents.ts";
import { createVirtualClock } from "../support/virtual-clock.ts";
import { type DescribedRequest, dropMarks, expectOrigins, markAnswer, type Row } from "./origins.ts";
import { add, MODEL, SERIES, startWorld, subtract, type World } from "./world.ts";

/** Of each interval: `--revise`, the mean length of a bucket, and the longest window of a request. */
const SCALES = {
  "5m": { revise: "6h", reviseMs: 6 * HOUR, bucket: 5 * MINUTE, cut: "10h" },
  "1h": { revise: "2d", reviseMs: 2 * DAY, bucket: HOUR, cut: "3d" },
  "1d": { revise: "7d", reviseMs: 7 * DAY, bucket: DAY, cut: "12d" },
  "7d": { revise: "3w", reviseMs: 21 * DAY, bucket: 7 * DAY, cut: "60d" },
  "1M": { revise: "2M", reviseMs: 59 * DAY, bucket: 30 * DAY, cut: "none" },
  season: { revise: "3M", reviseMs: 89 * DAY, bucket: 91 * DAY, cut: "none" },
  fy: { revise: "1M", reviseMs: 28 * DAY, bucket: 365 * DAY, cut: "none" },
} as const;

const INTERVAL_NAMES = ["5m", "1h", "1h", "1d", "1d", "7d", "1M", "season", "fy"] as const;
const REGIONS = ["NSW1", "QLD1", "=SUM(A1)", 'é,"x"'];
const FUELTECHS = ["wind", "coal_black", "solar_utility"];

interface History {
  readonly world: World;
  readonly chance: Chance;
  readonly scale: (typeof SCALES)[keyof typeof SCALES];
  /** Network time. */
  readonly start: number;
  readonly command: readonly string[];
  readonly file: string;
  readonly zone: string;
  readonly time: TimeFormat;
  /** Of network time, in minutes, where ents knows it. */
  readonly offset: number | undefined;
}

function createHistory(seed: number): History {
  const chance = createChance(seed);
  const interval = chance.pick(INTERVAL_NAMES);
  const scale = SCALES[interval];
  const [network, offset] = chance.pick([
    ["NEM", "+10:00"],
    ["NEM", "+10:00"],
    ["WEM", "+08:00"],
    ["XX", "+09:30"],
  ] as const);
  const phase = "ms" in INTERVALS[interval].bucket && chance.oneIn(3) ? chance.below(scale.bucket / MINUTE) * MINUTE : 0;
  const model: Omit<ServiceModel, "series"> = {
    ...MODEL,
    network,
    offset,
    interval,
    phase,
    inclusiveEnd: chance.oneIn(2),
    seasonLabel: chance.pick(["start", "middle"]),
    stamps: chance.pick(["offset", "offset", "Z"]),
    fillsGaps: chance.oneIn(2),
    repeatsApart: chance.oneIn(3),
    noData: chance.pick([200, 404]),
  };
  const day = Date.UTC(2024, 0, 1) + chance.below(600) * DAY;
  const start = bucketAround({ interval, phase: 0 }, day)[0] + (chance.oneIn(4) ? chance.below(50) * 5 * MINUTE : 0);
  const length = scale.reviseMs * (1 + chance.random() * 3) + scale.bucket * 4;
  const world: World = {
    model: { ...model, series: listSeries(chance, { start, length, scale, fills: model.fillsGaps === true }) },
    now: start + length - offsetMs({ offset }),
    play: () => undefined,
    mark: markAnswer,
  };
  const { flags, format, ...spelling } = chooseOutput(chance, network === "XX");
  const metrics = chance.pick([["power"], ["price", "power"]]);
  const when = ["-i", interval, "-s", formatLocalTime(start), ...(network !== "XX" && chance.oneIn(3) ? ["--complete"] : [])];
  const command = ["network", network, "-m", ...metrics, ...when, "--group-by", "region", "fueltech", "--max-window", scale.cut, ...flags];
  return { world, chance, scale, start, command, file: `a.${format}`, offset: findNetwork(network)?.offsetMinutes, ...spelling };
}

interface ChosenOutput extends Pick<History, "zone" | "time"> {
  readonly flags: readonly string[];
  readonly format: string;
}

function chooseOutput(chance: Chance, isUnknown: boolean): ChosenOutput {
  const format = chance.pick(["csv", "csv", "tsv", "ndjson"]);
  const zone = chance.pick(["network", "network", "utc", "Australia/Sydney", "Europe/London"]);
  const chosen = chance.pick(["iso", "iso", "unix", "unix-ms", "local"] as const);
  const time = !isUnknown || zone !== "network" || chosen !== "local" ? chosen : "iso";
  return {
    format,
    zone,
    time,
    flags: [
      ...chance.pick([
        ["--shape", "long"],
        ["--shape", "wide"],
        ["--pivot", "region"],
        ["--pivot", "fueltech"],
      ]),
      "--time-zone",
      zone,
      "--time-format",
      time,
      ...(chance.oneIn(3) ? ["--interval-end"] : []),
      ...(format !== "ndjson" && chance.oneIn(3) ? ["--null", "NA"] : []),
      ...(format !== "ndjson" && chance.oneIn(4) ? ["--no-header"] : []),
    ],
  };
}

interface Period {
  readonly start: number;
  readonly length: number;
  readonly scale: History["scale"];
  readonly fills: boolean;
}

/** Series that begin and end; the first shows in every answer whether the service fills gaps. */
function listSeries(chance: Chance, { start, length, scale, fills }: Period): ModelSeries[] {
  const [first, last] = [start / STEP - 3000, (start + 40 * length) / STEP];
  const place = () => Math.floor((start + chance.random() * length * 2) / STEP);
  const series = REGIONS.flatMap((region) => [undefined, ...FUELTECHS].map((fueltech) => ({ region, ...(fueltech ? { fueltech } : {}) })))
    .flatMap((labels) => ["power", "price"].map((metric) => ({ metric, labels })))
    .filter(() => chance.oneIn(4))
    .map((one): ModelSeries => {
      const from = chance.oneIn(2) ? first : place();
      const to = chance.oneIn(2) ? last : from + Math.floor((chance.random() * length) / STEP);
      const away = place();
      const gap = Math.floor((chance.random() * scale.reviseMs) / 3 / STEP);
      const present = chance.oneIn(2) ? subtract([[from, to]], [away, away + gap]) : [[from, to] as const];
      const nulls = chance.oneIn(3) ? [[away + gap, away + 2 * gap] as const] : [];
      return { ...SERIES, ...one, present, nulls, base: chance.below(90) - 40, repeats: !fills && chance.oneIn(5) ? 2 : 1 };
    });
  const evident: ModelSeries = { ...SERIES, labels: { region: "ALL" }, present: [[first, last]], every: 2 };
  return [evident, ...series];
}

/** Changes what is published from so long before the last row of the file on. */
function restate({ world, chance, scale }: History, lastNow: number): void {
  const { model } = world;
  const until = Math.floor((lastNow + offsetMs(model)) / STEP);
  const from = Math.floor((bucketAround(model, until * STEP)[0] - scale.reviseMs) / STEP);
  const series = model.series.map((one, index) => {
    if (index === 0 || !chance.oneIn(2)) return one;
    const at = from + Math.floor(chance.random() * (until - from));
    const part = [at, Math.min(until, at + Math.ceil((chance.random() * 3 * scale.bucket) / STEP))] as const;
    const change = chance.below(model.fillsGaps ? 2 : 4);
    if (change === 0) return { ...one, nulls: add(one.nulls, part) };
    if (change === 1) return { ...one, nulls: subtract(one.nulls, part) };
    return { ...one, present: change === 2 ? subtract(one.present, part) : add(one.present, part) };
  });
  world.model = { ...model, series };
}

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
  const { window, requests, unverified_before: doubt } = ents;
  // Series stand in the order in which they came.
  const keyOf = ({ metric, labels }: DescribedSeries) => JSON.stringify([metric, labels]);
  const series = ents.series.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return { facts: { ...file, start: window.start, doubt }, series, requests };
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
  await fc.assert(fc.asyncProperty(fc.nat(), expectSameEveryNight), { numRuns: runs(3, 200) });
}, 600_000);
