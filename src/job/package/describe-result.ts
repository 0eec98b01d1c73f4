/** What an output holds, with what a later run needs to continue it. */
import { type JsonObject, LosslessNumber, toJsonText } from "../../base/json.ts";
import { describePackage } from "../../format/datapackage.ts";
import type { About } from "../../format/format.ts";
import { describeFormat } from "../../format/registry.ts";
import type { Query } from "../../query/query.ts";
import type { Column } from "../../series/layout/table.ts";
import { formatInstant, type SeriesLog, toJson } from "../../series/series-log.ts";
import { formatOffset } from "../../time/local-time.ts";
import type { Output } from "../output.ts";
import type { DescribedFile } from "./descriptor.ts";
import { findUnfilled, keepsFilled, type Kept, listKeptRequests } from "./kept.ts";
import { describeOutput } from "./origin.ts";
import type { ResultLog } from "./result-log.ts";

export interface OutputFacts {
  readonly output: Output;
  readonly about: About;
  /** Of this run. */
  readonly log: ResultLog;
  readonly kept: Kept | undefined;
  readonly files: readonly DescribedFile[];
  readonly more?: JsonObject;
}

/** A data package, as the text of its file. */
export function describeResult({ output, about, log, kept, files, more }: OutputFacts): string {
  const { columns, answers, series } = log;
  const { zone, format, formatOptions } = output;
  const described = describePackage({
    columns: format.describe?.(addUnits(columns, series), formatOptions),
    about: { ...about, query: widenQuery(about.query, kept) },
    zone,
    requests: [...listKeptRequests(kept), ...answers.list(kept?.until)],
    files: files.map(({ path, bytes, hash, rows }) => ({
      path,
      ...describeContent(output),
      bytes: toNumber(bytes),
      hash,
      rows: toNumber(rows),
    })),
    missingValues: formatOptions.null ? ["", formatOptions.null] : undefined,
    more: {
      output: describeOutput(output),
      ...describeOffset(log),
      ...describeDoubt(kept),
      ...describeGaps(log, kept),
      ...describeAgain(kept),
      ...more,
      series: series.list().map(toJson),
    },
  });
  return `${toJsonText(described, 1)}\n`;
}

/** Of network time. */
function describeOffset({ offset }: ResultLog): JsonObject {
  return offset === undefined ? {} : { utc_offset: formatOffset(offset) };
}

function describeDoubt(kept: Kept | undefined): JsonObject {
  const before = kept?.descriptor?.unverifiedBefore;
  return before === undefined ? {} : { unverified_before: formatInstant(before) };
}

function describeGaps({ gaps }: ResultLog, kept: Kept | undefined): JsonObject {
  const { fills, sendsNulls, unfilledSince } = gaps ?? {};
  if (fills === false) return { fills_gaps: false, ...(sendsNulls || keepsFilled(kept) ? { sends_nulls: true } : {}) };
  const unfilled = [findUnfilled(kept), unfilledSince].filter((since) => since !== undefined);
  return {
    ...(fills ? { fills_gaps: true } : {}),
    ...(unfilled.length === 0 ? {} : { unfilled_since: formatInstant(Math.min(...unfilled)) }),
  };
}

function describeAgain(kept: Kept | undefined): JsonObject {
  if (!kept?.again) return {};
  const { since, tries, withdrawn } = kept.again;
  const from = Number.isFinite(since) ? formatInstant(since) : null;
  return { fetch_again: { from, tries: toNumber(tries), ...(withdrawn ? { withdrawn } : {}) } };
}

/** From where the file begins. */
function widenQuery(query: Query, kept: Kept | undefined): Query {
  const start = kept?.descriptor?.start;
  return start === undefined ? query : { ...query, window: { ...query.window, start } };
}

/** A metric may have its first series after the columns are told. */
function addUnits(columns: readonly Column[], series: SeriesLog): Column[] {
  // A wide file does not tell them.
  const units = new Map(series.list().flatMap(({ metric, unit }) => (unit === "" ? [] : [[metric, unit] as const])));
  return columns.map((column) => {
    const unit = column.unit || (column.metric === undefined ? undefined : units.get(column.metric));
    return unit ? { ...column, unit } : column;
  });
}

function describeContent({ formatName, formatOptions: { header } }: Output): JsonObject {
  const { delimiter = "," } = describeFormat(formatName);
  const dialect = { ...(delimiter === "," ? {} : { delimiter }), ...(header ? {} : { header }) };
  return { format: formatName, ...(Object.keys(dialect).length > 0 ? { dialect } : {}) };
}

function toNumber(value: number): LosslessNumber {
  return new LosslessNumber(String(value));
}
