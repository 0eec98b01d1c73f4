/** Random cases for merging: a service, a query that it answers, and the limits that it sets. */
import fc from "fast-check";
import type { MaxWindow } from "../../src/plan/limits.ts";
import type { Query } from "../../src/query/query.ts";
import { type Duration } from "../../src/time/duration.ts";
import { formatLocalTime } from "../../src/time/local-time.ts";
import type { ListedInterval } from "../../src/base/intervals.ts";
import { LONGEST_BUCKET } from "../plan/queries.ts";
import { intervals } from "../unit/generators.ts";
import { intervalAround, STEP } from "./model-intervals.ts";
import type { ModelSeries, ServiceModel, Steps } from "./fake-service.ts";
import { OUTPUTS } from "./harness.ts";

const DAY = 86_400_000;

export const outputs = fc.constantFrom(...OUTPUTS);
export const seeds = fc.integer();

export interface Case {
  readonly model: ServiceModel;
  readonly query: Query;
  /** The service's maximum windows, one after the other. */
  readonly limits: readonly Duration[];
  /** `--max-window` */
  readonly maxWindow: MaxWindow | undefined;
  readonly concurrency: number;
}

/** This many of the longest intervals, in a unit that services use. */
export function limitOf(interval: ListedInterval, buckets: number): Duration {
  const days = LONGEST_BUCKET[interval];
  return days < 1
    ? { amount: Math.round(days * 1440) * buckets, unit: "minutes" }
    : { amount: days * buckets, unit: "days" };
}

/** What the series of a case may be. */
export interface Kinds {
  readonly metrics: readonly string[];
  readonly labels: fc.Arbitrary<Readonly<Record<string, string | boolean>>>;
  readonly repeats: readonly number[];
  readonly most: number;
  /** Whether most series have a value in every interval. */
  readonly isDense?: boolean;
}

const LABELS = fc.oneof(
  fc.record({ region: fc.constantFrom("NSW1", "QLD1", "TAS1") }),
  fc.record({
    region: fc.constantFrom("NSW1", "QLD1"),
    fueltech: fc.constantFrom("wind", "coal_black", "solar_utility"),
  }),
  fc.record({ region: fc.constantFrom("NSW1", "QLD1"), renewable: fc.boolean() }),
  fc.record({ unit_code: fc.constantFrom("A1", "B2", "=C3") }),
  fc.constant({}),
);

const METRICS = ["power", "price"];

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Periods in and around a window, in minutes; some start and end with intervals. */
function stretchesOf(interval: ListedInterval, { start, end }: Span, whole = 1): fc.Arbitrary<Steps[]> {
  const place = fc
    .record({ share: fc.noBias(fc.integer({ min: -100, max: 1100 })), snap: fc.boolean() })
    .map(({ share, snap }) => {
      const local = start + (share / 1000) * (end - start);
      return Math.floor((snap ? intervalAround(interval, local)[0] : local) / STEP);
    });
  const all = fc.constant<Steps[]>([[Math.floor(start / STEP) - 2000, Math.ceil(end / STEP) + 2000]]);
  const some = fc.noBias(fc.uniqueArray(place, { maxLength: 6 })).map((places) => {
    const sorted = places.toSorted((a, b) => a - b);
    return sorted.flatMap((from, index): Steps[] =>
      index % 2 === 0 && sorted[index + 1] !== undefined ? [[from, sorted[index + 1] as number]] : [],
    );
  });
  return fc.oneof({ weight: whole, arbitrary: all }, { weight: 3, arbitrary: some });
}

function seriesOf(
  interval: ListedInterval,
  span: Span,
  { metrics, labels, repeats, most, isDense = false }: Kinds,
): fc.Arbitrary<ModelSeries[]> {
  const stretches = stretchesOf(interval, span, isDense ? 20 : 1);
  const one = fc.record({
    metric: fc.constantFrom(...metrics),
    labels,
    present: stretches,
    nulls: fc.oneof(
      { weight: isDense ? 20 : 1, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: stretchesOf(interval, span) },
    ),
    base: fc.integer({ min: -50, max: 50 }),
    slope: fc.integer({ min: 1, max: 9 }),
    repeats: fc.constantFrom(...repeats),
    every: fc.constantFrom(1, 1, 1, 2, 3, 6),
  });
  return fc.uniqueArray(one, {
    maxLength: most,
    size: "medium",
    selector: (series) => JSON.stringify([series.metric, series.labels]),
  });
}

interface Frame {
  readonly interval: ListedInterval;
  readonly span: Span;
  readonly limits: readonly Duration[];
  readonly maxWindow: MaxWindow | undefined;
}

/** A window of some intervals, and limits that may be shorter. */
function frameOf(interval: ListedInterval): fc.Arbitrary<Frame> {
  const bucket = LONGEST_BUCKET[interval] * DAY;
  const limit = fc.integer({ min: 1, max: 6 }).map((buckets) => limitOf(interval, buckets));
  const start = fc
    .record({
      day: fc.integer({ min: 5000, max: 14_000 }),
      off: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 86_399 })),
      snap: fc.boolean(),
    })
    .map(({ day, off, snap }) => (snap ? intervalAround(interval, day * DAY)[0] : day * DAY + off * 1000));
  const length = fc.oneof(
    fc.integer({ min: 0, max: 30 }),
    fc.noBias(fc.integer({ min: 0, max: 3000 })).map((share) => share / 100),
  );
  return fc
    .record({
      start,
      length,
      limits: fc.array(limit, { minLength: 1, maxLength: 4 }),
      maxWindow: fc.oneof(limit, fc.constantFrom<MaxWindow | undefined>(undefined, "none")),
    })
    .map(({ start: from, length: buckets, ...rest }) => ({
      interval,
      span: { start: from, end: from + Math.round((buckets * bucket) / 1000) * 1000 },
      ...rest,
    }));
}

export const cases = casesOf({ metrics: METRICS, labels: LABELS, repeats: [1, 1, 1, 2, 3], most: 7 });

export function casesOf(kinds: Kinds, ofIntervals: typeof intervals = intervals): fc.Arbitrary<Case> {
  return ofIntervals.chain(frameOf).chain((frame) => caseOf(frame, kinds));
}

function caseOf({ interval, span, limits, maxWindow }: Frame, kinds: Kinds): fc.Arbitrary<Case> {
  return fc
    .constantFrom("NEM", "WEM", "NEM", "XX")
    .chain((network) =>
      fc.record({
        network: fc.constant(network),
        offset: fc.constant(network === "WEM" ? "+08:00" : network === "XX" ? "+09:30" : "+10:00"),
        interval: fc.constant(interval),
        series: seriesOf(interval, span, kinds),
        inclusiveEnd: fc.boolean(),
        timestamps: fc.constantFrom("offset" as const, "Z" as const),
        edges: fc.constantFrom<ServiceModel["edges"]>(["date_start", "date_end"], ["start", "end"], undefined),
        edgesOf: fc.constantFrom("item" as const, "window" as const),
        fillsGaps: fc.boolean(),
        namesEmpty: fc.boolean(),
        repeatsApart: fc.boolean(),
        noData: fc.constantFrom(200 as const, 404 as const, 416 as const),
      }),
    )
    .chain((model) =>
      fc.record({
        model: fc.constant(model),
        query: fc
          .shuffledSubarray([...kinds.metrics], { minLength: 1 })
          .map((metrics) => queryFor(model, span, metrics)),
        limits: fc.constant(limits),
        maxWindow: fc.constant(maxWindow),
        concurrency: fc.integer({ min: 1, max: 6 }),
      }),
    );
}

export function queryFor(
  { network, interval }: Pick<ServiceModel, "network" | "interval">,
  { start, end }: Span,
  metrics: readonly string[],
): Query {
  const parameters = [
    { name: "metrics", values: metrics },
    { name: "interval", values: [interval] },
    { name: "date_start", values: [formatLocalTime(start)] },
    { name: "date_end", values: [formatLocalTime(end)] },
  ];
  return { command: "network", network, metrics, interval, window: { start, end }, parameters };
}
