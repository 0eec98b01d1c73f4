/** Random histories of a service whose data grow and are restated, and a command that exports them. */
import { INTERVALS } from "../../src/base/intervals.ts";
import { findNetwork } from "../../src/base/vocabulary.ts";
import { DAY, formatLocalTime, HOUR, MINUTE } from "../../src/time/local-time.ts";
import type { TimeFormat } from "../../src/time/stamp-printer.ts";
import { bucketAround, STEP } from "../merge/buckets.ts";
import { type ModelSeries, offsetMs, type ServiceModel } from "../merge/fake-service.ts";
import { type Chance, createChance } from "../support/chance.ts";
import { markAnswer } from "./origins.ts";
import { add, MODEL, SERIES, subtract, type World } from "./world.ts";

/** For each interval: `--revise`, the mean length of a bucket, the maximum window of a request, and the period of a partition. */
const SCALES = {
  "5m": { revise: "6h", reviseMs: 6 * HOUR, bucket: 5 * MINUTE, cut: "10h", period: "day" },
  "1h": { revise: "2d", reviseMs: 2 * DAY, bucket: HOUR, cut: "3d", period: "day" },
  "1d": { revise: "7d", reviseMs: 7 * DAY, bucket: DAY, cut: "12d", period: "month" },
  "7d": { revise: "3w", reviseMs: 21 * DAY, bucket: 7 * DAY, cut: "60d", period: "month" },
  "1M": { revise: "2M", reviseMs: 59 * DAY, bucket: 30 * DAY, cut: "none", period: "year" },
  season: { revise: "3M", reviseMs: 89 * DAY, bucket: 91 * DAY, cut: "none", period: "year" },
  fy: { revise: "1M", reviseMs: 28 * DAY, bucket: 365 * DAY, cut: "none", period: "year" },
} as const;

const INTERVAL_NAMES = ["5m", "1h", "1h", "1d", "1d", "7d", "1M", "season", "fy"] as const;
const REGIONS = ["NSW1", "QLD1", "=SUM(A1)", 'é,"x"'];
/** In csv, cells of several lines. */
const ODD_REGIONS = ["NSW1", "a\nb", 'x\r\n"y"', "\r", 'c\td,"'];
const FUELTECHS = ["wind", "coal_black", "solar_utility"];

/** How the service differs from some night on. */
export type Turn = "fills" | "phase";

export interface History {
  readonly world: World;
  readonly turn: Turn | undefined;
  readonly chance: Chance;
  readonly scale: (typeof SCALES)[keyof typeof SCALES];
  /** Network time. */
  readonly start: number;
  /** The query, and the output's flags except its name. */
  readonly command: readonly string[];
  /** The name of the file or folder. */
  readonly output: string;
  readonly zone: string;
  readonly time: TimeFormat;
  /** The offset of network time in minutes, if ents knows it. */
  readonly offset: number | undefined;
}

/** A file, or a dataset in a folder. */
export type Kind = "file" | "dataset";

const UNKNOWN_NETWORKS = [
  ["XX", "+09:30"],
  ["YY", "-03:30"],
  ["ZZ", "+13:00"],
  ["QQ", "-11:00"],
] as const;

export function createHistory(seed: number, kind: Kind): History {
  const chance = createChance(seed);
  const interval = chance.pick(INTERVAL_NAMES);
  const scale = SCALES[interval];
  const isUnknown = chance.oneIn(3);
  const [network, offset] = isUnknown
    ? chance.pick(UNKNOWN_NETWORKS)
    : chance.pick([
        ["NEM", "+10:00"],
        ["NEM", "+10:00"],
        ["WEM", "+08:00"],
      ] as const);
  const isFixed = "ms" in INTERVALS[interval].bucket;
  // The few months or years of an update may not show whether gaps are filled.
  const turn = isFixed && chance.oneIn(3) ? chance.pick<Turn>(["fills", "phase"]) : undefined;
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
    hidesOffset: isUnknown && chance.oneIn(2),
    fillsGaps: chance.oneIn(2),
    repeatsApart: chance.oneIn(3),
    // Then no answer may show whether the service fills gaps.
    joinsUnits: turn !== "fills" && chance.oneIn(10),
    noData: chance.pick([200, 404]),
  };
  const day = Date.UTC(2024, 0, 1) + chance.below(600) * DAY;
  const start = bucketAround({ interval, phase: 0 }, day)[0] + (chance.oneIn(4) ? chance.below(50) * 5 * MINUTE : 0);
  const length = scale.reviseMs * (1 + chance.random() * 3) + scale.bucket * 4;
  const world: World = {
    model: { ...model, series: listSeries(chance, { start, length, scale }, turn) },
    now: start + length - offsetMs({ offset }),
    play: () => undefined,
    mark: markAnswer,
  };
  const format = chance.pick(kind === "file" ? ["csv", "csv", "tsv", "ndjson"] : ["csv", "ndjson"]);
  const { flags, ...spelling } = chooseOutput(chance, format);
  const metrics = chance.pick([["power"], ["price", "power"]]);
  const when = ["-i", interval, "-s", formatLocalTime(start), ...(!isUnknown && chance.oneIn(3) ? ["--complete"] : [])];
  const form = kind === "file" ? [] : ["-f", format, "--partition", scale.period];
  const what = ["network", network, "-m", ...metrics, ...when, "--group-by", "region", "fueltech"];
  const command = [...what, "--max-window", scale.cut, ...flags, ...form];
  const output = kind === "file" ? `a.${format}` : "folder";
  return { world, turn, chance, scale, start, command, output, offset: findNetwork(network)?.offsetMinutes, ...spelling };
}

interface ChosenOutput extends Pick<History, "zone" | "time"> {
  readonly flags: readonly string[];
}

function chooseOutput(chance: Chance, format: string): ChosenOutput {
  const zone = chance.pick(["network", "network", "utc", "Australia/Sydney", "Europe/London"]);
  const time = chance.pick(["iso", "iso", "unix", "unix-ms", "local"] as const);
  return {
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
}

/** Series that start and end; the first shows whether the service fills gaps, in every answer or only in the oldest. */
function listSeries(chance: Chance, { start, length, scale }: Period, turn: Turn | undefined): ModelSeries[] {
  const [first, last] = [start / STEP - 3000, (start + 40 * length) / STEP];
  const place = () => Math.floor((start + chance.random() * length * 2) / STEP);
  const regions = chance.oneIn(3) ? ODD_REGIONS : REGIONS;
  const series = regions
    .flatMap((region) => [undefined, ...FUELTECHS].map((fueltech) => ({ region, ...(fueltech ? { fueltech } : {}) })))
    .flatMap((labels) => ["power", "price"].map((metric) => ({ metric, labels })))
    .filter(() => chance.oneIn(4))
    .map((one): ModelSeries => {
      const from = chance.oneIn(2) ? first : place();
      const to = chance.oneIn(2) ? last : from + Math.floor((chance.random() * length) / STEP);
      // Some return on a later night, after longer than `--revise`.
      const isLong = chance.oneIn(3);
      const gap = Math.floor((chance.random() * scale.reviseMs * (isLong ? 3 : 1 / 3)) / STEP);
      const away = isLong ? Math.floor((start + length + chance.random() * 20 * scale.bucket) / STEP) - gap : place();
      const present = chance.oneIn(2) ? subtract([[from, to]], [away, away + gap]) : [[from, to] as const];
      const nulls = turn !== "fills" && chance.oneIn(3) ? [[away + gap, away + 2 * gap] as const] : [];
      return { ...SERIES, ...one, present, nulls, base: chance.below(90) - 40, repeats: chance.oneIn(5) ? 2 : 1 };
    });
  const until = turn !== "fills" && chance.oneIn(2) ? Math.floor((start + length / 2) / STEP) : last;
  const evident: ModelSeries = { ...SERIES, labels: { region: "ALL" }, present: [[first, until]], every: 2 };
  return [evident, ...series];
}

/** Restates what `--revise` allows: values published up to that long before the last run, and later ones. */
export function restate({ world, turn, chance, scale }: History, lastNow: number): void {
  const { model } = world;
  const until = Math.floor((lastNow + offsetMs(model)) / STEP);
  const from = until - Math.floor(scale.reviseMs / STEP);
  const series = model.series.map((one, index) => {
    if (index === 0 || !chance.oneIn(2)) return one;
    const at = from + Math.floor(chance.random() * (until - from));
    const part = [at, Math.min(until, at + Math.ceil((chance.random() * 3 * scale.bucket) / STEP))] as const;
    const change = turn === "fills" ? 2 + chance.below(2) : chance.below(model.fillsGaps ? 2 : 4);
    if (change === 0) return { ...one, nulls: add(one.nulls, part) };
    if (change === 1) return { ...one, nulls: subtract(one.nulls, part) };
    return { ...one, present: change === 2 ? subtract(one.present, part) : add(one.present, part) };
  });
  world.model = { ...model, series };
}

/** Half of the buckets later, or the other way with gaps. */
export function turnAround({ world, turn }: History): void {
  const { model } = world;
  const [start, next] = bucketAround(model, world.now);
  if (turn === "fills") world.model = { ...model, fillsGaps: !model.fillsGaps };
  if (turn === "phase") world.model = { ...model, phase: (model.phase + Math.floor((next - start) / 2 / STEP) * STEP) % (next - start) };
}
