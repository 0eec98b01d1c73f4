/** What an output holds, with what a later run needs to continue it. */
import { type JsonObject, LosslessNumber, toJsonText } from "../../base/json.ts";
import { describePackage } from "../../format/datapackage.ts";
import type { Provenance } from "../../format/format.ts";
import { describeFormat } from "../../format/registry.ts";
import { type Column, nameJoined } from "../../series/layout/layout.ts";
import { type SeriesLog, toJson } from "../../series/series-log.ts";
import { formatOffset } from "../../time/local-time.ts";
import type { Output } from "../output.ts";
import { type DescribedFile, parseQuery } from "./descriptor.ts";
import type { ResultLog } from "./result-log.ts";

export interface OutputFacts {
  readonly output: Output;
  readonly provenance: Provenance;
  /** What this run has written. */
  readonly log: ResultLog;
  readonly files: readonly DescribedFile[];
  readonly more?: JsonObject;
}

/** A data package, as the text of its file. */
export function describeResult({ output, provenance, log, files, more }: OutputFacts): string {
  const { columns, answers, series } = log;
  const { zone, format, formatOptions } = output;
  const described = describePackage({
    columns: format.describe?.(addUnits(columns, series), formatOptions),
    provenance,
    zone,
    requests: answers.list(),
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
      ...describeGaps(log),
      ...more,
      series: series.list().map(toJson),
    },
  });
  return `${toJsonText(described, 1)}\n`;
}

/** The UTC offset of network time. */
function describeOffset({ offset }: ResultLog): JsonObject {
  return offset === undefined ? {} : { utc_offset: formatOffset(offset) };
}

function describeGaps({ gaps }: ResultLog): JsonObject {
  return gaps?.fills === undefined ? {} : { fills_gaps: gaps.fills };
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

/** What the description of an output says of its flags, and of its query. */
function describeOutput({ formatName, layout, formatOptions, zone, target }: Output): JsonObject {
  const { timeFormat, null: nullText, header } = formatOptions;
  return {
    format: formatName,
    shape: layout.shape,
    pivot: layout.pivot ?? null,
    interval_end: layout.intervalEnd ?? false,
    ...(layout.join ? { with: nameJoined(layout.join) } : {}),
    time_zone: zone.name,
    time_format: timeFormat ?? "iso",
    null: nullText ?? null,
    header,
    ...(target?.kind === "folder" ? { partition: target.period } : {}),
  };
}

/** What a run asks for, as its description will name it. */
export function describeQuery(provenance: Provenance, { zone }: Pick<Output, "zone">): JsonObject {
  return parseQuery(describePackage({ columns: undefined, provenance, zone, requests: [] }));
}
