/** Describes the content of an output, including the facts that a later run needs to continue it. */
import { type JsonObject, LosslessNumber, toJsonText } from "../../base/json.ts";
import { describePackage, ResponseLog } from "../../format/datapackage.ts";
import type { Provenance } from "../../format/format.ts";
import { describeFormat } from "../../format/registry.ts";
import { type Column, nameJoined } from "../../series/layout/layout.ts";
import { formatOffset, formatInstant } from "../../time/local-time.ts";
import type { KeptFiles } from "../destination/interface.ts";
import type { Output } from "../output.ts";
import { type DescribedFile, FORM, parseQuery } from "./descriptor.ts";
import type { Encoding } from "../../format/encode.ts";
import { countPoints, countValues } from "../../series/overlap.ts";
import { findClockOffset } from "../../series/time-series.ts";
import type { Chunk } from "../../series/merge.ts";
import type { PlannedJob } from "../job.ts";
import { type LoggedSeries, SeriesLog } from "./series-log.ts";
import type { Observer } from "../observe.ts";

interface Result {
  /** The content written by this run. */
  readonly log: ResultLog;
  readonly gaps: Encoding["gaps"];
  readonly files: readonly DescribedFile[];
  readonly more?: JsonObject;
  /** What is kept of a dataset, of which this run has written a part. */
  readonly kept?: Pick<KeptFiles, "series" | "listRequests"> | undefined;
}

/** Returns the description, a data package, as the text of its file. */
export function describeResult(
  { output, provenance }: Pick<PlannedJob, "output" | "provenance">,
  { log, gaps, files, more, kept }: Result,
): string {
  const { columns, responses, offset } = log;
  const series = kept?.series ?? [...log.series.series.values()];
  const { zone, format, formatOptions } = output;
  const described = describePackage({
    columns: format.describe?.(fillUnits(columns, series), formatOptions),
    provenance,
    zone,
    requests: kept ? kept.listRequests(responses.list()) : responses.list(),
    files: files.map(({ path, bytes, hash, rows, values }) => ({
      path,
      ...describeDialect(output),
      bytes: toJsonNumber(bytes),
      hash,
      rows: toJsonNumber(rows),
      ...(values === undefined ? {} : { values: toJsonNumber(values) }),
    })),
    missingValues: formatOptions.null ? ["", formatOptions.null] : undefined,
    more: {
      form: toJsonNumber(FORM),
      output: describeOutputFlags(output),
      ...(offset === undefined ? {} : { utc_offset: formatOffset(offset) }),
      ...(gaps?.evidence.fills === undefined ? {} : { fills_gaps: gaps.evidence.fills }),
      ...more,
      series: series.map(toJson),
    },
  });
  return `${toJsonText(described, 1)}\n`;
}

/** Adds units to columns: a metric's first series may arrive after the columns were reported. */
function fillUnits(columns: readonly Column[], series: readonly LoggedSeries[]): Column[] {
  // A wide file does not name units itself.
  const units = new Map(series.flatMap(({ metric, unit }) => (unit === "" ? [] : [[metric, unit] as const])));
  return columns.map((column) => {
    const unit = column.unit || (column.metric === undefined ? undefined : units.get(column.metric));
    return unit ? { ...column, unit } : column;
  });
}

function describeDialect({ formatName, formatOptions: { header } }: Output): JsonObject {
  const { delimiter = "," } = describeFormat(formatName);
  const dialect = { ...(delimiter === "," ? {} : { delimiter }), ...(header ? {} : { header }) };
  return { format: formatName, ...(Object.keys(dialect).length > 0 ? { dialect } : {}) };
}

function toJsonNumber(value: number): LosslessNumber {
  return new LosslessNumber(String(value));
}

/** Returns the output flags for the description. */
function describeOutputFlags({ formatName, layout, formatOptions, zone, target }: Output): JsonObject {
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

/** Returns the query of a run in the form that its description will have. */
export function describeQuery(provenance: Provenance, { zone }: Pick<Output, "zone">): JsonObject {
  return parseQuery(describePackage({ columns: undefined, provenance, zone, requests: [] }));
}

/** Records the content of an output while it is written. */
export class ResultLog implements Observer {
  columns: readonly Column[] = [];
  readonly responses = new ResponseLog();
  readonly series = new SeriesLog();
  values = 0;
  /** Rows written; of pictures and json, points. */
  rows = 0;
  /** All UTC offsets of network time in the result, in minutes. */
  readonly #offsets = new Set<number>();

  /** The UTC offset of network time, in minutes; undefined if there are several or none. */
  get offset(): number | undefined {
    const [offset] = this.#offsets;
    return this.#offsets.size === 1 ? offset : undefined;
  }

  onColumns(columns: readonly Column[]): void {
    this.columns = columns;
  }

  onRows(rows: number): void {
    this.rows += rows;
  }

  onChunk(chunk: Chunk): void {
    this.responses.add(chunk.heads);
  }

  onPrinted(chunk: Chunk): void {
    this.series.add(chunk.timeSeries);
    for (const item of chunk.timeSeries) if (countPoints([item]) > 0) this.#offsets.add(findClockOffset(item));
    this.values += countValues(chunk.timeSeries);
  }
}

/** As JSON, with instants as UTC timestamps. */
function toJson({ first, last, ...one }: LoggedSeries): JsonObject {
  return { ...one, first: formatInstant(first), last: formatInstant(last) };
}
