/** Random histories of a service whose data grow and are restated, and a command that exports them. */

import { findNetwork } from "../../src/base/vocabulary.ts";
import { DAY, formatLocalTime, HOUR, MINUTE } from "../../src/time/local-time.ts";
import { intervalAround, STEP } from "../merge/model-intervals.ts";
import { type ModelSeries, offsetMs, type ServiceModel } from "../merge/fake-service.ts";
import { type Chance, createChance } from "../support/chance.ts";
import { add, MODEL, SERIES, subtract, type World } from "./world.ts";

/**
 * For each interval: `--revise`, the mean length of an interval, the maximum window of a request, and the period of a
 * partition.
 */
const SCALES = {
  "5m": { revise: "6h", reviseMs: 6 * HOUR, bucket: 5 * MINUTE, cut: "10h", period: "day" },
  "1h": { revise: "2d", reviseMs: 2 * DAY, bucket: HOUR, cut: "3d", period: "day" },
  "1d": { revise: "7d", reviseMs: 7 * DAY, bucket: DAY, cut: "12d", period: "month" },
  "7d": { revise: "3w", reviseMs: 21 * DAY, bucket: 7 * DAY, cut: "60d", period: "month" },
  "1M": { revise: "2M", reviseMs: 59 * DAY, bucket: 30 * DAY, cut: undefined, period: "year" },
  season: { revise: "3M", reviseMs: 89 * DAY, bucket: 91 * DAY, cut: undefined, period: "year" },
  fy: { revise: "1M", reviseMs: 28 * DAY, bucket: 365 * DAY, cut: undefined, period: "year" },
} as const;

const INTERVAL_NAMES = ["5m", "1h", "1h", "1d", "1d", "7d", "1M", "season", "fy"] as const;
const REGIONS = ["NSW1", "QLD1", "=SUM(A1)", 'é,"x"'];
/** In csv, segments of several lines. */
const ODD_REGIONS = ["NSW1", "a\nb", 'x\r\n"y"', "\r", 'c\td,"'];
const FUELTECHS = ["wind", "coal_black", "solar_utility"];
/** Units of a history that names them: the last ones come later. */
const UNITS = ["A/1#1", "B1", "C1", "D1"];

export interface History {
  readonly world: World;
  readonly chance: Chance;
  readonly scale: (typeof SCALES)[keyof typeof SCALES];
  /** Network time: an interval's start. */
  readonly start: number;
  /** The query without its window, metrics and units. */
  readonly query: readonly string[];
  /** The metrics that it asks for; the last may come later. */
  readonly metrics: readonly string[];
  /** True if it asks for one metric at first. */
  readonly growsMetrics: boolean;
  /** The units that it names; none for the network. */
  readonly units: readonly string[];
  /** In network time, when all data end; Infinity if they go on. */
  readonly ended: number;
  /** The name and the flags of the output that is read each night: a file or a dataset, with a row for each value. */
  readonly output: string;
  readonly plain: readonly string[];
  /** Flags of another output of the same responses. */
  readonly form: readonly string[];
  /** The offset of network time in minutes, if ents knows it. */
  readonly offset: number | undefined;
}

const UNKNOWN_NETWORKS = [
  ["XX", "+09:30"],
  ["YY", "-03:30"],
  ["ZZ", "+13:00"],
  ["QQ", "-11:00"],
] as const;

export function createHistory(seed: number): History {
  const chance = createChance(seed);
  const interval = chance.pick(INTERVAL_NAMES);
  const scale = SCALES[interval];
  const isUnknown = chance.oneIn(3);
  const [network, offset] = isUnknown ? chance.pick(UNKNOWN_NETWORKS) : chance.pick(NETWORKS);
  // Where no response names the offset either, ents cannot tell where a segment ends.
  const cut = scale.cut ?? (chance.oneIn(2) ? "none" : undefined);
  const hidesOffset = isUnknown && cut === "none" && chance.oneIn(2);
  const isOfUnits = chance.oneIn(4);
  const model: Omit<ServiceModel, "series"> = {
    ...MODEL,
    network,
    offset,
    interval,
    inclusiveEnd: chance.oneIn(2),
    timestamps: chance.pick(["offset", "offset", "Z"]),
    hidesOffset,
    fillsGaps: chance.oneIn(2),
    noData: chance.pick([200, 404]),
  };
  const day = Date.UTC(2024, 0, 1) + chance.below(600) * DAY;
  // Seasons are whole in whole years alone.
  const [start] = intervalAround(interval === "season" ? "1y" : interval, day);
  const length = scale.reviseMs * (1 + chance.random() * 3) + scale.bucket * 4;
  const ended = chance.oneIn(4) ? start + length : Number.POSITIVE_INFINITY;
  const series = isOfUnits ? listUnits(chance, { start, length, scale }) : listSeries(chance, { start, length, scale });
  const world: World = {
    model: {
      ...model,
      series: series.map((one) => ({
        ...one,
        present: subtract(one.present, [ended / STEP, Number.POSITIVE_INFINITY]),
      })),
    },
    now: start + length - offsetMs({ offset }),
    play: () => undefined,
  };
  const metrics = chance.pick([["power"], ["price", "power"]]);
  const what = [isOfUnits ? "facilities" : "network", network, "-i", interval];
  const grouping = isOfUnits ? [] : ["--group-by", "region", "fueltech"];
  const query = [...what, ...grouping, ...(cut === undefined ? [] : ["--max-window", cut]), "--revise", scale.revise];
  const forms = chooseForms(chance, scale.period, isOfUnits ? ["unit_code"] : ["region", "fueltech"]);
  const units = isOfUnits ? UNITS : [];
  const growsMetrics = metrics.length > 1 && seed % 3 === 0;
  return {
    world,
    chance,
    scale,
    start,
    ended,
    query,
    metrics,
    growsMetrics,
    units,
    ...forms,
    offset: findNetwork(network)?.offsetMinutes,
  };
}

const NETWORKS = [
  ["NEM", "+10:00"],
  ["NEM", "+10:00"],
  ["WEM", "+08:00"],
] as const;

function chooseForms(
  chance: Chance,
  period: string,
  labels: readonly string[],
): Pick<History, "output" | "plain" | "form"> {
  const partition = chance.oneIn(3) ? ["--partition", period] : [];
  const isDataset = partition.length > 0;
  const format = chance.pick(
    isDataset ? ["csv", "ndjson", "parquet"] : ["csv", "csv", "tsv", "ndjson", "json", "parquet"],
  );
  const rows = [
    ...chance.pick([
      ["--shape", "long"],
      ["--shape", "wide"],
      ["--pivot", labels[0] ?? ""],
      ["--pivot", labels.at(-1) ?? ""],
    ]),
    "--time-zone",
    chance.pick(["network", "network", "utc", "Australia/Sydney", "Europe/London"]),
    ...(format === "parquet" ? [] : ["--time-format", chance.pick(["iso", "iso", "unix", "unix-ms", "local"])]),
    ...(chance.oneIn(3) ? ["--interval-end"] : []),
  ];
  const form = ["-f", format, ...(format === "json" ? [] : rows), ...partition];
  return { output: isDataset ? "out" : "out.ndjson", plain: ["-f", "ndjson", ...partition], form };
}

interface Period {
  readonly start: number;
  readonly length: number;
  readonly scale: History["scale"];
}

/** Series that start and end; the first shows whether the service fills gaps. */
function listSeries(chance: Chance, { start, length, scale }: Period): ModelSeries[] {
  const [first, last] = [start / STEP - 3000, (start + 40 * length) / STEP];
  const place = () => Math.floor((start + chance.random() * length * 2) / STEP);
  const series = (chance.oneIn(3) ? ODD_REGIONS : REGIONS)
    .flatMap((region) => [undefined, ...FUELTECHS].map((fueltech) => ({ region, ...(fueltech ? { fueltech } : {}) })))
    .flatMap((labels) => ["power", "price"].map((metric) => ({ metric, labels })))
    .filter(() => chance.oneIn(4))
    .map((one): ModelSeries => {
      const from = chance.oneIn(2) ? first : place();
      const to = chance.oneIn(2) ? last : from + Math.floor((chance.random() * length) / STEP);
      const [away, gap] = [place(), Math.floor((chance.random() * scale.reviseMs) / STEP)];
      const present = chance.oneIn(2) ? subtract([[from, to]], [away, away + gap]) : [[from, to] as const];
      const nulls = chance.oneIn(3) ? [[away + gap, away + 2 * gap] as const] : [];
      return { ...SERIES, ...one, present, nulls, base: chance.below(90) - 40 };
    });
  return [{ ...SERIES, labels: { region: "ALL" }, present: [[first, last]], every: 2 }, ...series];
}

/**
 * The last unit that is named at first, and the one after, begin with the others: there are old data of a unit that
 * comes later.
 */
function listUnits(chance: Chance, period: Period): ModelSeries[] {
  const series = listSeries(chance, period);
  return UNITS.flatMap((unit_code, index) => {
    const one = series[index % series.length] as ModelSeries;
    return ["power", "price"].map((metric) => ({ ...one, metric, labels: { unit_code } }));
  });
}

/** Values come, go and are restated, at any time. What has ended may lose its last values. */
export function restate({
  world,
  chance,
  scale,
  start,
  ended,
}: Pick<History, "world" | "chance" | "scale" | "start" | "ended">): void {
  const { model } = world;
  const until = Math.floor(Math.min(world.now + offsetMs(model), ended) / STEP);
  if (Number.isFinite(ended) && chance.oneIn(4)) {
    const last = [until - Math.ceil((chance.random() * 2 * scale.reviseMs) / STEP), until] as const;
    world.model = { ...model, series: model.series.map((one) => ({ ...one, present: subtract(one.present, last) })) };
    return;
  }
  const series = model.series.map((one, index) => {
    if (index === 0 || !chance.oneIn(3)) return one;
    const at = Math.floor(start / STEP + chance.random() * (until - start / STEP));
    const part = [at, Math.min(until, at + Math.ceil((chance.random() * 3 * scale.bucket) / STEP))] as const;
    const change = chance.below(4);
    if (change === 0) return { ...one, nulls: add(one.nulls, part) };
    if (change === 1) return { ...one, nulls: subtract(one.nulls, part) };
    return { ...one, present: change === 2 ? subtract(one.present, part) : add(one.present, part) };
  });
  world.model = { ...model, series };
  if (chance.oneIn(3)) restateDay(world, start + chance.random() * (until * STEP - start), 1 + chance.below(9));
}

/** All values stamped on a day get one more digit. */
function restateDay(world: World, local: number, digit: number): void {
  const { mark } = world;
  const day = formatLocalTime(local).slice(0, "2025-01-31".length);
  const pattern = new RegExp(`(?<="${day}[^"]*",-?\\d+\\.\\d+)(?=\\])`, "g");
  world.mark = (text, request) => (mark?.(text, request) ?? text).replaceAll(pattern, String(digit));
}
