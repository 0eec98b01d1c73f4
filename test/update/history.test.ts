/** A file that is updated night after night has, each time, the bytes of a whole new export. */
import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { INTERVALS } from "../../src/base/vocabulary.ts";
import { DAY, formatLocalTime, HOUR, MINUTE } from "../../src/time/local-time.ts";
import { refusal, TOKEN } from "../e2e/envelopes.ts";
import { bucketAround, STEP } from "../merge/buckets.ts";
import { type ModelSeries, offsetMs, type ServiceModel } from "../merge/fake-service.ts";
import { type Chance, createChance } from "../support/chance.ts";
import { runs } from "../support/extent.ts";
import { createHome, type Home } from "../support/run-ents.ts";
import { createVirtualClock } from "../support/virtual-clock.ts";
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
  };
  const { flags, format } = chooseOutput(chance, network === "XX");
  const metrics = chance.pick([["power"], ["price", "power"]]);
  const when = ["-i", interval, "-s", formatLocalTime(start), ...(network !== "XX" && chance.oneIn(3) ? ["--complete"] : [])];
  const command = ["network", network, "-m", ...metrics, ...when, "--group-by", "region", "fueltech", "--max-window", scale.cut, ...flags];
  return { world, chance, scale, start, command, file: `a.${format}` };
}

function chooseOutput(chance: Chance, isUnknown: boolean): { readonly flags: readonly string[]; readonly format: string } {
  const format = chance.pick(["csv", "csv", "tsv", "ndjson"]);
  const zone = chance.pick(["network", "network", "utc", "Australia/Sydney", "Europe/London"]);
  const time = chance.pick(["iso", "iso", "unix", "unix-ms", "local"]);
  const isReadable = !isUnknown || zone !== "network" || time !== "local";
  return {
    format,
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
      isReadable ? time : "iso",
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

async function expectSameEveryNight(seed: number): Promise<void> {
  const history = createHistory(seed);
  const { world, chance, scale, file } = history;
  const service = await startWorld(world);
  const place = { home: createHome(), url: service.url };
  const read = (name: string) => (existsSync(place.home.path(name)) ? readFileSync(place.home.path(name), "latin1") : undefined);
  const update = ["-o", file, "--update", "--revise", scale.revise];
  let lastNow = world.now;
  for (let night = 0; night < 5; night++) {
    const before = read(file);
    if (night > 0 && chance.oneIn(4)) {
      const { code } = await failOnce(history, { ...place, update });
      if (code !== 0 && read(file) !== before) throw new Error(`the failure of night ${night} of ${seed} changed the file`);
    }
    const done = await run(history, place, update);
    expect(done).toMatchObject({ code: 0, stdout: "" });
    const whole = await run(history, place, ["-o", `whole-${file}`, "--datapackage"]);
    expect(whole).toMatchObject({ code: 0, stdout: "" });
    if (read(file) !== read(`whole-${file}`)) throw new Error(`night ${night} of ${seed}: ${history.command.join(" ")}`);
    expect(describe(read(`${file}.datapackage.json`))).toEqual(describe(read(`whole-${file}.datapackage.json`)));
    lastNow = world.now;
    world.now += Math.floor(scale.bucket * (chance.oneIn(5) ? 60 : 6) * chance.random());
    restate(history, lastNow);
  }
  await service.close();
}

/** A run that the service's quota or a signal ends, unless it is done before. */
async function failOnce(history: History, { update, ...place }: Place & { readonly update: readonly string[] }) {
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
  const done = await run(history, { ...place, signal: stop.signal }, update);
  world.play = () => undefined;
  return done;
}

function describe(descriptor: string | undefined): unknown {
  const { resources, ents } = JSON.parse(descriptor ?? "{}") as {
    resources: [Record<string, unknown>];
    ents: { window: { start: string } };
  };
  const { path: _, ...file } = resources[0];
  return { ...file, start: ents.window.start };
}

test("whatever the service adds, restates and withdraws, and whatever fails", async () => {
  await fc.assert(fc.asyncProperty(fc.nat(), expectSameEveryNight), { numRuns: runs(2, 200) });
}, 600_000);
