/** What an output holds, with what a later run needs to continue it. */
import { type JsonObject, LosslessNumber, toJsonText } from "../../base/json.ts";
import { typeColumn, typeSeriesColumns } from "../../format/columnar/columns.ts";
import { AnswerLog, describePackage, type Field } from "../../format/datapackage.ts";
import type { About } from "../../format/format.ts";
import { describeFormat } from "../../format/registry.ts";
import type { Query } from "../../query/query.ts";
import type { Column } from "../../series/layout/table.ts";
import { SeriesLog, toJson } from "../../series/series-log.ts";
import type { Output } from "../output.ts";
import { type DescribedFile, type Descriptor, parseDescriptor } from "./descriptor.ts";
import { type Kept, listKeptRequests } from "./kept.ts";

export interface OutputFacts {
  readonly output: Output;
  readonly about: About;
  readonly columns: readonly Column[];
  /** Those of this run. */
  readonly answers: AnswerLog;
  readonly series: SeriesLog;
  readonly kept: Kept | undefined;
  readonly files: readonly DescribedFile[];
  readonly more?: JsonObject;
}

/** A data package, as the text of its file. */
export function describeOutput({ output, about, columns, answers, series, kept, files, more }: OutputFacts): string {
  const { zone, formatOptions } = output;
  const described = describePackage({
    columns: listFields(columns, output),
    about: { ...about, query: widenQuery(about.query, kept) },
    zone,
    answers,
    keptRequests: listKeptRequests(kept, about.query),
    files: files.map(({ path, bytes, hash, rows }) => ({
      path,
      ...describeContent(output),
      bytes: toNumber(bytes),
      hash,
      rows: toNumber(rows),
    })),
    missingValues: formatOptions.null ? ["", formatOptions.null] : undefined,
    more: { output: listFlags(output), ...more, series: series.list().map(toJson) },
  });
  return `${toJsonText(described, 1)}\n`;
}

/** The description of an output that has nothing yet. */
export function describeAsked(output: Output, about: About): Descriptor {
  const none = { columns: [], answers: new AnswerLog(), series: new SeriesLog(), kept: undefined, files: [] };
  return parseDescriptor(describeOutput({ output, about, ...none })) as Descriptor;
}

/** From where the file begins. */
function widenQuery(query: Query, kept: Kept | undefined): Query {
  const start = kept?.descriptor?.start;
  return start === undefined ? query : { ...query, window: { ...query.window, start } };
}

/** The flags of the output: another run that continues it has the same. */
function listFlags({ formatName, layout, formatOptions, zone, target }: Output): JsonObject {
  const { timeFormat, null: nullText, header } = formatOptions;
  return {
    format: formatName,
    shape: layout.shape,
    pivot: layout.pivot ?? null,
    interval_end: layout.intervalEnd ?? false,
    time_zone: zone.name,
    time_format: timeFormat ?? "iso",
    null: nullText ?? null,
    header,
    ...(target?.kind === "folder" ? { partition: target.period } : {}),
  };
}

/** How the columns are written; undefined for what is no table of data. */
function listFields(columns: readonly Column[], { formatName, formatOptions }: Output): readonly Field[] | undefined {
  const { binary, flags } = describeFormat(formatName);
  if (!("shape" in flags) || formatName === "table") return undefined;
  if (binary && formatName !== "xlsx") return typeSeriesColumns(columns);
  const stamp = describeStamp(formatName === "xlsx" ? "local" : formatOptions.timeFormat);
  return columns.map((column) => (column.kind === "stamp" ? { name: column.name, ...stamp } : typeColumn(column)));
}

function describeStamp(format: Output["formatOptions"]["timeFormat"] = "iso"): Pick<Field, "type" | "format"> {
  if (format === "iso") return { type: "instant" };
  return format === "local" ? { type: "wall-clock", format: "%Y-%m-%d %H:%M:%S" } : { type: "epoch" };
}

function describeContent({ formatName, formatOptions: { header } }: Output): JsonObject {
  const dialect = { ...(formatName === "tsv" ? { delimiter: "\t" } : {}), ...(header ? {} : { header }) };
  return { format: formatName, ...(Object.keys(dialect).length > 0 ? { dialect } : {}) };
}

function toNumber(value: number): LosslessNumber {
  return new LosslessNumber(String(value));
}
