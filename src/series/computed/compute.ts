/** Makes what is printed of what came: sums of units, and metrics that ents computes. */
import { groupBy } from "../../base/group-by.ts";
import { formatCount } from "../../base/phrases.ts";
import type { ComputedMetric } from "../../base/vocabulary.ts";
import { UNIT_LABEL } from "../../base/vocabulary.ts";
import type { Computation, FleetUnit } from "../../query/computation.ts";
import type { Query } from "../../query/query.ts";
import { parseTimestamp } from "../../time/timestamp.ts";
import { type Chunk, joinChunks } from "../merge.ts";
import { NO_POINTS } from "../points.ts";
import { findFuel, findLabel, keyOfItem, mapPoints, type Series, type TimeSeries } from "../time-series.ts";
import { addUp } from "./metrics/sums.ts";
import { FleetGroups } from "./fleet-groups.ts";
import { computePrice } from "./metrics/average-price.ts";
import { computeCapacityFactor } from "./metrics/capacity-factor.ts";
import { computeIntensity } from "./metrics/emissions-intensity.ts";
import { computeShare } from "./metrics/share.ts";
import type { MetricContext } from "./ratio.ts";

export type ComputedQuery = Query & { readonly computation: Computation };

/** Without points, as what a query prints is known before any value: the labels and units of its series. */
export function describeComputed(query: ComputedQuery, timeSeries: readonly TimeSeries[]): TimeSeries[] {
  return new Computer(query).compute(mapPoints(timeSeries, () => NO_POINTS));
}

/** Computes chunk by chunk. `collects`: true if nulls of a chunk may come later, so that all are joined first. */
export async function* computeChunks(
  chunks: AsyncIterable<Chunk>,
  query: ComputedQuery,
  { collects, warn }: { readonly collects: boolean; readonly warn: (text: string) => void },
): AsyncGenerator<Chunk> {
  const computer = new Computer(query);
  for await (const chunk of collects ? joinAll(chunks) : chunks) {
    if (chunk.unknown) throw chunk.unknown.problem;
    computer.observe(chunk);
    yield { ...chunk, timeSeries: computer.compute(chunk.timeSeries), parts: chunk.timeSeries };
  }
  for (const warning of computer.listWarnings()) warn(warning);
}

async function* joinAll(chunks: AsyncIterable<Chunk>): AsyncGenerator<Chunk> {
  yield await joinChunks(chunks);
}

/** One TimeSeries for each metric of a network: services, and nulls of gaps, may divide them. */
function uniteItems(timeSeries: readonly TimeSeries[]): TimeSeries[] {
  return Array.from(groupBy(timeSeries, keyOfItem).values(), (items) => ({
    ...(items[0] as TimeSeries),
    series: items.flatMap(({ series }) => series),
  }));
}

/** A sum that is null, as a unit has no value. */
interface Hole {
  readonly metric: string;
  readonly timestamp: string;
  readonly unit: FleetUnit | undefined;
}

export class Computer {
  readonly #query: ComputedQuery;
  readonly #groups: FleetGroups | undefined;
  readonly #unknown = new Set<string>();
  /** When the newest response was made, in milliseconds since 1970 UTC. */
  #created: number | undefined;
  #holes = 0;
  #hole: Hole | undefined;

  constructor(query: ComputedQuery) {
    const { fleet, groups } = query.computation;
    this.#query = query;
    this.#groups = fleet && new FleetGroups(fleet, groups);
  }

  observe({ heads }: Pick<Chunk, "heads">): void {
    for (const { envelope } of heads) {
      const created = typeof envelope["created_at"] === "string" ? parseTimestamp(envelope["created_at"], "Z") : undefined;
      if (created !== undefined) this.#created = Math.max(created, this.#created ?? created);
    }
  }

  compute(received: readonly TimeSeries[]): TimeSeries[] {
    const timeSeries = uniteItems(received);
    const { metrics, computation } = this.#query;
    const summed = computation.groups ? timeSeries.flatMap((item) => this.#addUp(item)) : timeSeries;
    const context = { ...computation, fuelOf: (series: Series) => this.#fuelOf(series) };
    const computed = computation.metrics.flatMap((metric) => this.#computeMetric(metric, { timeSeries, summed, context }));
    const parts = new Set(this.#query.parameters.find(({ name }) => name === "metrics")?.values);
    const isPrinted = ({ metric }: TimeSeries) => metrics.includes(metric) || !parts.has(metric);
    return [...summed.filter(isPrinted), ...computed];
  }

  #computeMetric(
    metric: ComputedMetric,
    { timeSeries, summed, context }: { timeSeries: readonly TimeSeries[]; summed: readonly TimeSeries[]; context: MetricContext },
  ): TimeSeries[] {
    switch (metric) {
      case "emissions_intensity":
        return computeIntensity(summed, context);
      case "average_price":
        return computePrice(summed, context);
      case "share":
        return computeShare(summed, context);
      case "capacity_factor":
        return this.#computeCapacityFactor(timeSeries);
    }
  }

  #computeCapacityFactor(timeSeries: readonly TimeSeries[]): TimeSeries[] {
    const { fleet } = this.#query.computation;
    if (!this.#groups || !fleet) throw new Error("capacity_factor needs a list of units");
    return computeCapacityFactor(timeSeries, {
      groups: this.#groups,
      query: this.#query,
      created: this.#created,
      receivedAt: fleet.receivedAt,
      onUnknown: (code) => this.#unknown.add(code),
    });
  }

  #addUp(item: TimeSeries): TimeSeries[] {
    if (!this.#groups) throw new Error("adding up needs a list of units");
    return addUp(item, this.#groups, {
      query: this.#query,
      onHole: (metric, { at, lacking }) => {
        this.#holes++;
        this.#hole ??= { metric, timestamp: at.timestamp, unit: lacking };
      },
    });
  }

  /** Series have a fuel as a label, or are of units, or of sums of units. */
  #fuelOf(series: Series): unknown {
    const { fleet, groups } = this.#query.computation;
    const unit = groups ? undefined : fleet?.units.get(String(findLabel(series, UNIT_LABEL)));
    return findFuel(series) ?? unit?.fueltech ?? (groups && this.#groups?.fuelOf(series.labels));
  }

  listWarnings(): string[] {
    const { metric, timestamp, unit } = this.#hole ?? {};
    const [code] = this.#unknown;
    return [
      ...(this.#hole
        ? [
            `${formatCount(this.#holes, "sum")} ${this.#holes === 1 ? "is" : "are"} null, as a unit has no value; the first: ${metric} at ${timestamp} lacks ${unit?.code}`,
          ]
        : []),
      ...(code === undefined
        ? []
        : [
            `capacity_factor is null for ${formatCount(this.#unknown.size, "unit")} without a known capacity, such as ${code}; 'ents list units --refresh' fetches a new list`,
          ]),
    ];
  }
}
