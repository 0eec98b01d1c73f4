/** The series that are printed of those that are kept. */
import { usageError } from "../base/errors.ts";
import { formatList } from "../base/phrases.ts";
import { UNIT_LABEL } from "../base/vocabulary.ts";
import type { Chosen, Query } from "../query/query.ts";
import type { UnitFacts } from "./fuels.ts";
import type { Chunk } from "./merge.ts";
import { findLabel, type Series, type TimeSeries } from "./time-series.ts";

/** Chooses chunk by chunk. @throws {EntsError} usage, in the end: nothing is kept of a value. */
export async function* chooseChunks(
  chunks: AsyncIterable<Chunk>,
  chosen: readonly Chosen[],
  units: UnitFacts | undefined,
): AsyncGenerator<Chunk> {
  const kept = chosen.map(() => new Set<string>());
  for await (const chunk of chunks) {
    for (const [index, { label }] of chosen.entries())
      for (const item of chunk.timeSeries)
        for (const series of item.series) kept[index]?.add(findChoosable({ item, series }, label, units));
    yield { ...chunk, timeSeries: chooseSeries(chunk.timeSeries, chosen, units) };
  }
  for (const [index, { label, values }] of chosen.entries()) {
    const all = [...(kept[index] ?? [])].filter(Boolean).sort();
    const missing = values.find((value) => !all.some((own) => isSame(own, value)));
    if (missing !== undefined && all.length > 0)
      throw usageError(`nothing is kept of the ${label} ${missing}`, `use ${formatList(all.slice(0, MOST), "or")}`);
    if (missing !== undefined && kept[index]?.size)
      throw usageError(`the kept series have no ${label}`, "leave the flag out");
  }
}

const MOST = 8;

export function chooseSeries(
  timeSeries: readonly TimeSeries[],
  chosen: readonly Chosen[],
  units: UnitFacts | undefined,
): TimeSeries[] {
  const isChosen = (item: TimeSeries, series: Series) =>
    chosen.every(({ label, values }) => {
      const own = findChoosable({ item, series }, label, units);
      return values.some((value) => isSame(own, value));
    });
  return timeSeries
    .map((item) => ({ ...item, series: item.series.filter((series) => isChosen(item, series)) }))
    .filter(({ series }) => series.length > 0);
}

/** Empty if neither a label nor the list of units has it. */
function findChoosable(
  { item, series }: { readonly item: TimeSeries; readonly series: Series },
  label: string,
  units: UnitFacts | undefined,
): string {
  if (label === "metric") return item.metric;
  const own = findLabel(series, label);
  if (own !== null) return String(own);
  const facts = units?.get(String(findLabel(series, UNIT_LABEL)));
  const known: Readonly<Record<string, string | undefined>> = {
    facility_code: facts?.facility,
    fueltech: facts?.fueltech,
    region: facts?.region,
  };
  return known[label] ?? "";
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** Leaves out series that are not printed: those of others, and one that is subtracted. */
export function choosePrinted(
  timeSeries: readonly TimeSeries[],
  { chosen = [], transforms }: Pick<Query, "chosen" | "transforms">,
  units: UnitFacts | undefined,
): readonly TimeSeries[] {
  const own = chosen.length === 0 ? timeSeries : chooseSeries(timeSeries, chosen, units);
  const { minus } = transforms ?? {};
  if (!minus) return own;
  const isPrinted = (series: Series) => !isSame(String(findLabel(series, minus.label)), minus.value);
  return own.map((item) => ({ ...item, series: item.series.filter(isPrinted) }));
}
