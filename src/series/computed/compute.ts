/** Makes what is printed of what came: sums of units, and metrics that ents computes. */
import { usageError } from "../../base/errors.ts";
import { groupBy } from "../../base/group-by.ts";
import { formatCount, formatList } from "../../base/phrases.ts";
import type { ComputedMetric } from "../../base/computed-metrics.ts";
import { awaitsRooftop, needsUnits } from "../../query/computation.ts";
import { findValues } from "../../query/parameters.ts";
import type { ComputedQuery } from "../../query/query.ts";
import { listCreated } from "../decoded-response.ts";
import { type Chunk, yieldJoined } from "../merge.ts";
import { NO_POINTS } from "../points.ts";
import { lowerBound, slicePoints } from "../point-operations.ts";
import { findLabel, keyOfItem, mapPoints, type Series, type TimeSeries } from "../time-series.ts";
import { computePrice } from "./metrics/average-price.ts";
import { computeCapacityFactor } from "./metrics/capacity-factor.ts";
import { computeWeightedPrice } from "./metrics/demand-weighted-price.ts";
import { computeIntensity } from "./metrics/emissions-intensity.ts";
import { computeNetImports } from "./metrics/net-imports.ts";
import { computeShare } from "./metrics/share.ts";
import { addUp } from "./metrics/sums.ts";
import type { MetricContext } from "./computed-series.ts";
import { findPrintedStart, overlapChunks, type Printed, RooftopWatch } from "./rooftop.ts";
import { Rows } from "./rows.ts";

/** Describes what a query prints of series: their labels and units, which are known before any value. */
export function createDescription(query: ComputedQuery): (timeSeries: readonly TimeSeries[]) => TimeSeries[] {
  const computer = new Computer(query);
  return (timeSeries) =>
    computer.compute(
      mapPoints(timeSeries, () => NO_POINTS),
      ALWAYS,
    );
}

/** Computes chunk by chunk. */
export async function* computeChunks(
  chunks: AsyncIterable<Chunk>,
  query: ComputedQuery,
  { collects, warn, note }: ComputeOptions,
): AsyncGenerator<Chunk> {
  const computer = new Computer(query);
  const hasLate = awaitsRooftop(query.computation, query.interval);
  for await (const printed of hasLate && !collects
    ? overlapChunks(chunks)
    : printAll(collects ? yieldJoined(chunks) : chunks)) {
    const { chunk } = printed;
    if (chunk.unknown) throw chunk.unknown.problem;
    computer.observe(chunk);
    yield { ...chunk, timeSeries: computer.compute(chunk.timeSeries, printed), parts: chunk.timeSeries };
  }
  const { notes, warnings } = computer.list();
  for (const text of notes) note(text);
  for (const text of warnings) warn(text);
}

export interface ComputeOptions {
  /** True if nulls of a chunk may come later, so that all are joined first. */
  readonly collects: boolean;
  readonly warn: (text: string) => void;
  readonly note: (text: string) => void;
}

async function* printAll(chunks: AsyncIterable<Chunk>): AsyncGenerator<Printed> {
  for await (const chunk of chunks) yield { chunk, ...ALWAYS };
}

const ALWAYS = { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY };

/** One TimeSeries for each metric of a network: services, and nulls of gaps, may divide them. */
function uniteItems(timeSeries: readonly TimeSeries[]): TimeSeries[] {
  return Array.from(groupBy(timeSeries, keyOfItem).values(), (items) => ({
    ...(items[0] as TimeSeries),
    series: items.flatMap(({ series }) => series),
  }));
}

const METRICS: Readonly<Record<ComputedMetric, (context: MetricContext) => TimeSeries[]>> = {
  emissions_intensity: computeIntensity,
  average_price: computePrice,
  demand_weighted_price: computeWeightedPrice,
  capacity_factor: computeCapacityFactor,
  share: computeShare,
  net_imports: computeNetImports,
};

class Computer {
  readonly #query: ComputedQuery;
  readonly #rows: Rows;
  readonly #rooftop: RooftopWatch;
  readonly #unknown = new Set<string>();
  readonly #nets = new Set<string>();
  #excess: string | undefined;
  #holes = 0;
  #firstHole: string | undefined;
  #created: number | undefined;

  /** @throws {EntsError} usage: it needs the list of units. */
  constructor(query: ComputedQuery) {
    const { fleet, groups } = query.computation;
    if (!fleet && needsUnits(query.computation))
      throw usageError(
        `${groups ? "adding up units" : "capacity_factor"} needs the list of units`,
        "call addUnits(query, { client }) first",
      );
    this.#query = query;
    this.#rows = new Rows(query);
    this.#rooftop = new RooftopWatch(query);
  }

  observe({ heads }: Pick<Chunk, "heads">): void {
    for (const created of listCreated(heads)) this.#created = Math.max(created, this.#created ?? created);
  }

  compute(received: readonly TimeSeries[], printed: Omit<Printed, "chunk">): TimeSeries[] {
    const { metrics, computation } = this.#query;
    const timeSeries = uniteItems(received);
    const context: MetricContext = {
      query: this.#query,
      rows: this.#rows,
      rooftop: this.#rooftop,
      timeSeries,
      created: this.#created,
      onNet: ({ unit, item, series }) =>
        this.#nets.add(unit?.code ?? String(findLabel(series, "region") ?? item.network)),
      onUnknown: (code) => this.#unknown.add(code),
      onExcess: ({ code, capacity }, factor) => {
        this.#excess ??= `capacity_factor of ${code} is ${Math.round(factor)} %: its capacity in the list, ${capacity} MW, is not what it generates with`;
      },
      onHole: (text) => {
        this.#holes++;
        this.#firstHole ??= text;
      },
    };
    this.#rooftop.startChunk(printed);
    const isAdded = computation.groups !== undefined || computation.summed !== undefined;
    const parts = new Set(findValues(this.#query, "metrics"));
    const asked = timeSeries.filter(({ metric }) => metrics.includes(metric) || !parts.has(metric));
    const sent = isAdded ? asked.flatMap((item) => addUp(item, context)) : asked;
    return this.#select([...sent, ...computation.metrics.flatMap((metric) => METRICS[metric](context))], printed);
  }

  /** Leaves out what was asked for only to compute with. */
  #select(timeSeries: readonly TimeSeries[], { from, until }: Omit<Printed, "chunk">): TimeSeries[] {
    const { label, values } = this.#query.computation.selected ?? {};
    const isAsked = (series: Series) => label === undefined || values?.includes(String(findLabel(series, label)));
    return timeSeries.map((item) => {
      // Rolling values need what comes before.
      const start = this.#query.transforms ? Number.NEGATIVE_INFINITY : findPrintedStart(this.#query, item);
      const cut = ({ points, ...series }: Series): Series => ({
        ...series,
        points: slicePoints(points, lowerBound(points, Math.max(start, from)), lowerBound(points, until)),
      });
      return { ...item, series: item.series.filter(isAsked).map(cut) };
    });
  }

  list(): { readonly notes: string[]; readonly warnings: string[] } {
    const [code] = this.#unknown;
    const sums = `${formatCount(this.#holes, "sum")} ${this.#holes === 1 ? "is" : "are"}`;
    const units = formatCount(this.#unknown.size, "unit");
    const late = this.#rooftop.describe();
    const nets = [...this.#nets];
    return {
      notes: [
        ...(late === undefined ? [] : [late]),
        ...(nets.length === 0
          ? []
          : [`only the net of ${formatList(nets, "and")} is known: what is above zero counts as discharged`]),
      ],
      warnings: [
        ...(this.#firstHole === undefined
          ? []
          : [`${sums} null, as a unit has no value; the first: ${this.#firstHole}`]),
        ...(code === undefined
          ? []
          : [
              `capacity_factor is null for ${units} without a known capacity, such as ${code}; 'ents list units --refresh' fetches a new list`,
            ]),
        ...(this.#excess === undefined ? [] : [this.#excess]),
      ],
    };
  }
}
