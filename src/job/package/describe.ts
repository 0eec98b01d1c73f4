/** `--datapackage`: describes a finished file in another one beside it. */
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import type { Context } from "../../base/context.ts";
import { usageError } from "../../base/errors.ts";
import { type JsonObject, LosslessNumber, toJsonText } from "../../base/json.ts";
import { hashFile } from "../../files/hash-file.ts";
import { typeColumn, typeSeriesColumns } from "../../format/columnar/columns.ts";
import { AnswerLog, describePackage, type Field } from "../../format/datapackage.ts";
import type { About } from "../../format/format.ts";
import { describeFormat } from "../../format/registry.ts";
import { UPKEEP_FLAGS } from "../../options/upkeep-options.ts";
import type { Query } from "../../query/query.ts";
import type { Column } from "../../series/layout/table.ts";
import { SeriesLog, toJson } from "../../series/series-log.ts";
import { type Destination, writeParts } from "../destination/destination.ts";
import { resolveTarget } from "../destination/target.ts";
import type { Observer } from "../observer.ts";
import type { Output } from "../output.ts";
import { findDescriptor, type Kept, listKeptRequests, listKeptSeries } from "./kept.ts";

export interface Described {
  readonly output: Output;
  /** With the whole query. */
  readonly about: About;
  readonly destination: Pick<Destination, "kept">;
  /** The rows that were written. */
  readonly countRows: () => number;
}

/** @throws {EntsError} usage: the output is no file; output: the description cannot be written. */
export async function createDescriber({ output, about, destination, countRows }: Described, context: Context): Promise<Observer> {
  const { target, zone } = output;
  if (target?.kind !== "file") throw usageError(`${UPKEEP_FLAGS.datapackage} needs a file`, "use the name of a file");
  const descriptor = await resolveTarget(findDescriptor(target.name), context);
  let columns: readonly Column[] = [];
  let answers = new AnswerLog();
  let series = new SeriesLog();
  return {
    start: () => {
      answers = new AnswerLog();
      series = new SeriesLog(listKeptSeries(destination.kept));
    },
    columns: (known) => {
      columns = known;
    },
    take: ({ heads, timeSeries }) => {
      answers.add(heads);
      series.add(timeSeries);
    },
    finish: async () => {
      const { kept } = destination;
      const rows = countRows() + (kept?.rows ?? 0);
      const described = describePackage({
        columns: listFields(columns, output),
        about: { ...about, query: widenQuery(about.query, kept) },
        zone,
        answers,
        keptRequests: listKeptRequests(kept, about.query),
        file: { path: basename(target.path), ...describeContent(output), ...(await describeFile(target.path)), rows: toNumber(rows) },
        missingValues: output.formatOptions.null ? ["", output.formatOptions.null] : undefined,
        more: { output: describeOutput(output), series: series.list().map(toJson) },
      });
      await writeParts(descriptor, [`${toJsonText(described, 1)}\n`], context);
    },
  };
}

/** From where the file begins. */
function widenQuery(query: Query, kept: Kept | undefined): Query {
  const start = kept?.descriptor?.start;
  return start === undefined ? query : { ...query, window: { ...query.window, start } };
}

/** The flags of the output: another run that continues it has the same. */
export function describeOutput({ formatName, layout, formatOptions, zone }: Output): JsonObject {
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

async function describeFile(path: string): Promise<JsonObject> {
  const { size } = await stat(path);
  return { bytes: toNumber(size), hash: await hashFile(path) };
}

function toNumber(value: number): LosslessNumber {
  return new LosslessNumber(String(value));
}
