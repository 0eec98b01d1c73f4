/** Whether the last rows of a file without a description show that it is another query's or service's. */
import { type EntsError, usageError } from "../../../base/errors.ts";
import { formatNumber } from "../../../base/numbers.ts";
import { FILTERED_LABELS, type Interval, UNIT_LABEL } from "../../../base/vocabulary.ts";
import { OUTPUT_OPTIONS } from "../../../format/output-options.ts";
import type { Query } from "../../../query/query.ts";
import { keyOfLogged, type LoggedSeries } from "../../../series/series-log.ts";
import { describeParameter, shortenFlags } from "../../package/describe-flags.ts";
import type { Comparison } from "./compare.ts";

/** `series`: of the rows that are replaced. @throws {EntsError} usage: the command does not ask for one of them. */
export function checkFilters(name: string, { parameters }: Query, series: readonly LoggedSeries[]): void {
  for (const parameter of parameters) {
    const label = parameter.name === UNIT_LABEL ? UNIT_LABEL : FILTERED_LABELS[parameter.name];
    const found = label === undefined ? [] : series.map(({ labels }) => labels[label]).filter((value) => typeof value === "string");
    const other = found.find((value) => !parameter.values.includes(value));
    if (other === undefined) continue;
    throw refuse(name, `it has rows of ${other}, and this command asks for ${shortenFlags(describeParameter(parameter))} alone`);
  }
}

export interface Tails {
  /** All series of the old file. */
  readonly old: readonly LoggedSeries[];
  /** The series of the new rows, which replace the old ones from `from` on. */
  readonly now: readonly LoggedSeries[];
  readonly from: number;
}

/** @throws {EntsError} usage: a series would end, or begin, where the new rows do. */
export function checkSeries(name: string, { old, now, from }: Tails): void {
  const [before, after] = [old, now].map((series) => new Set(series.map(keyOfLogged))) as [Set<string>, Set<string>];
  const lost = old.find((one) => one.last >= from && !after.has(keyOfLogged(one)));
  if (lost) throw refuse(name, `this command does not fetch ${nameSeries(lost)}, which its last rows have`);
  // Series that begin later are new.
  const first = Math.min(...now.map((one) => one.first));
  const added = Number.isFinite(from) ? now.find((one) => one.first === first && !before.has(keyOfLogged(one))) : undefined;
  if (added) throw refuse(name, `this command fetches ${nameSeries(added)} too, which its rows do not have`);
}

/** Fewer values per series prove nothing: the last one may be of a bucket under way. */
const MIN_VALUES = 10;

/** @throws {EntsError} usage: the answers have more instants between its last rows than at them. */
export function checkInstants(name: string, { between, shared }: Comparison, interval: Interval): void {
  if (between > shared) throw refuse(name, `its rows are not ${interval} apart`);
}

/** @throws {EntsError} usage: most values differ from those of its last rows. */
export function checkValues(name: string, { restated, unchanged }: Comparison, series: number): void {
  if (restated === 0 || restated < MIN_VALUES * series || restated < 3 * unchanged) return;
  const all = formatNumber(restated + unchanged);
  throw refuse(
    name,
    `${formatNumber(restated)} of ${all} values in its last rows differ from the service's: it may be of another service or query`,
  );
}

function nameSeries({ metric, labels }: LoggedSeries): string {
  return [metric, ...Object.values(labels).filter((label) => label !== null)].join(" ");
}

function refuse(name: string, why: string): EntsError {
  return usageError(
    `cannot update ${name}: ${why}`,
    `use the flags that it was written with, or another file with ${OUTPUT_OPTIONS.output.short}`,
  );
}
