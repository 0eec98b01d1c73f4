/** Makes what is printed of what came: sums of units, and metrics that ents computes. */
import { usageError } from "../../base/errors.ts";
import { groupBy } from "../../base/group-by.ts";
import { formatCount } from "../../base/phrases.ts";
import type { ComputedMetric } from "../../base/computed-metrics.ts";
import { UNIT_LABEL } from "../../base/vocabulary.ts";
import { needsUnits } from "../../query/computation.ts";
import { findValues } from "../../query/parameters.ts";
import { listCreated } from "../decoded-response.ts";
import { type Chunk, joinChunks } from "../merge.ts";
import { NO_POINTS } from "../points.ts";
import { findFuel, findLabel, keyOfItem, mapPoints, type Series, type TimeSeries } from "../time-series.ts";
import { FleetGroups } from "./fleet-groups.ts";
import { computePrice } from "./metrics/average-price.ts";
import { computeCapacityFactor } from "./metrics/capacity-factor.ts";
import { computeIntensity } from "./metrics/emissions-intensity.ts";
import { computeShare } from "./metrics/share.ts";
import { addUp } from "./metrics/sums.ts";
import type { ComputedQuery, MetricContext } from "./ratio.ts";

/** Describes what a query prints of series: their labels and units, which are known before any value. */
export function createDescription(query: ComputedQuery): (timeSeries: readonly TimeSeries[]) => TimeSeries[] {
  const computer = new Computer(query);
  return (timeSeries) => computer.compute(mapPoints(timeSeries, () => NO_POINTS));
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

const METRICS: Readonly<Record<ComputedMetric, (summed: readonly TimeSeries[], context: MetricContext) => TimeSeries[]>> = {
  emissions_intensity: computeIntensity,
  average_price: computePrice,
  capacity_factor: (_, context) => computeCapacityFactor(context),
  share: computeShare,
};

class Computer {
  readonly #query: ComputedQuery;
  readonly #groups: FleetGroups | undefined;
  readonly #unknown = new Set<string>();
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
    this.#groups = fleet && new FleetGroups(fleet, groups);
  }

  observe({ heads }: Pick<Chunk, "heads">): void {
    for (const created of listCreated(heads)) this.#created = Math.max(created, this.#created ?? created);
  }

  compute(received: readonly TimeSeries[]): TimeSeries[] {
    const { metrics, computation } = this.#query;
    const timeSeries = uniteItems(received);
    const context: MetricContext = {
      query: this.#query,
      groups: this.#groups,
      unsummed: timeSeries,
      fuelOf: (series) => this.#fuelOf(series),
      created: this.#created,
      onUnknown: (code) => this.#unknown.add(code),
      onHole: (text) => {
        this.#holes++;
        this.#firstHole ??= text;
      },
    };
    const summed = computation.groups ? timeSeries.flatMap((item) => addUp(item, context)) : timeSeries;
    const parts = new Set(findValues(this.#query, "metrics"));
    const printed = summed.filter(({ metric }) => metrics.includes(metric) || !parts.has(metric));
    return [...printed, ...computation.metrics.flatMap((metric) => METRICS[metric](summed, context))];
  }

  /** Series have a fuel as a label, or are of units, or of sums of units. */
  #fuelOf(series: Series): unknown {
    const { fleet, groups } = this.#query.computation;
    const unit = groups ? undefined : fleet?.units.get(String(findLabel(series, UNIT_LABEL)));
    return findFuel(series) ?? unit?.fueltech ?? (groups && this.#groups?.fuelOf(series.labels));
  }

  listWarnings(): string[] {
    const [code] = this.#unknown;
    const sums = `${formatCount(this.#holes, "sum")} ${this.#holes === 1 ? "is" : "are"}`;
    const units = formatCount(this.#unknown.size, "unit");
    return [
      ...(this.#firstHole === undefined ? [] : [`${sums} null, as a unit has no value; the first: ${this.#firstHole}`]),
      ...(code === undefined
        ? []
        : [
            `capacity_factor is null for ${units} without a known capacity, such as ${code}; 'ents list units --refresh' fetches a new list`,
          ]),
    ];
  }
}
