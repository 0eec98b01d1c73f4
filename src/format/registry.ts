import { usageError } from "../base/errors.ts";
import { formatList } from "../base/phrases.ts";
import type { OptionTable } from "../options/spec.ts";
import { FORMAT_FLAGS } from "./flags.ts";
import type { Format } from "./format.ts";
import { MAX_ROWS } from "./xlsx/limits.ts";
import type { TimeFormat } from "../time/timestamp-printer.ts";
import { ANALYSIS_FLAGS } from "./analysis-flags.ts";
import type { Shape } from "../series/layout/layout.ts";

/** Facts about a format that are available before it is loaded. */
interface FormatEntry {
  /** The default shape of its rows. */
  readonly shape: Shape;
  readonly extensions: readonly string[];
  /** The flags of {@link FORMAT_FLAGS} that it supports. */
  readonly flags: OptionTable;
  /** The values of `timeFormat` that it supports, by default all: its own times are dates. */
  readonly timeFormats?: readonly TimeFormat[];
  /** True if the output is binary, which a terminal cannot show. */
  readonly binary?: true;
  /** Set if messages count points instead of rows. */
  readonly counts?: "point";
  /** True if its rows are for people: values are rounded, and times are called as people call them. */
  readonly isForPeople?: true;
  /** True if it shows a picture of the series. */
  readonly draws?: true;
  /** True if it supports time series only, not lists such as the metrics. */
  readonly seriesOnly?: true;
  readonly maxRows?: number;
  readonly maxSize?: { readonly count: number; readonly of: string };
  /** The character between cells, for the Data Package of csv and tsv. */
  readonly delimiter?: string;
  /** True if rows can be appended. `--follow` opens an encoder for each round, without a header after the first. */
  readonly grows?: true;
  /** True if each row names its columns, so that later rows may have more. */
  readonly namesColumns?: true;
  /** True if `--follow` redraws it on a terminal. */
  readonly redrawn?: true;
  /** True if `--partition` may write it, one file per period: other programs read such folders as one table. */
  readonly dataset?: true;
  /** True if it marks intervals that are not complete; for others, a warning names them. */
  readonly marksPartial?: true;
  /** True if it is compressed when the file's name ends in `.gz`. */
  readonly gzip?: true;
  readonly load: () => Promise<Format>;
}

const {
  shape,
  pivot,
  with: joined,
  intervalEnd,
  timeFormat,
  null: nullText,
  header,
  limit,
  rawNames,
  yScale,
  palette,
  title,
  width,
  height,
} = FORMAT_FLAGS;
const { latest, summaryOnly: _summaryOnly, ...drawn } = ANALYSIS_FLAGS;
const ROWS = { ...ANALYSIS_FLAGS, shape, pivot, with: joined, intervalEnd };
const PICTURE = {
  shape: "long",
  flags: { ...drawn, with: joined, rawNames, yScale, palette, title, width, height },
  marksPartial: true,
  seriesOnly: true,
  draws: true,
  counts: "point",
} as const;
/** Maximum width and height: a square of this size fits in memory. */
const PIXELS = { count: 10_000, of: "pixels" };

const delimited = (delimiter: string) =>
  ({
    shape: "long",
    delimiter,
    flags: { ...ROWS, timeFormat, null: nullText, header },
    gzip: true,
    grows: true,
    load: async () => (await import("./delimited.ts")).createDelimitedFormat(delimiter),
  }) as const;

export const FORMATS = {
  table: {
    shape: "wide",
    isForPeople: true,
    extensions: ["txt"],
    flags: { ...ROWS, limit, rawNames },
    marksPartial: true,
    redrawn: true,
    load: async () => (await import("./table/table.ts")).table,
  },
  csv: { ...delimited(","), extensions: ["csv"], dataset: true },
  tsv: { ...delimited("\t"), extensions: ["tsv"] },
  markdown: {
    shape: "wide",
    isForPeople: true,
    extensions: ["md"],
    flags: { ...ROWS, limit, rawNames, null: nullText },
    marksPartial: true,
    load: async () => (await import("./markdown.ts")).markdown,
  },
  json: {
    shape: "long",
    extensions: ["json"],
    flags: ANALYSIS_FLAGS,
    counts: "point",
    gzip: true,
    load: async () => (await import("./json.ts")).json,
  },
  ndjson: {
    shape: "long",
    extensions: ["ndjson", "jsonl"],
    flags: { ...ROWS, timeFormat },
    gzip: true,
    grows: true,
    namesColumns: true,
    dataset: true,
    load: async () => (await import("./ndjson.ts")).ndjson,
  },
  chart: {
    ...PICTURE,
    extensions: [],
    redrawn: true,
    maxSize: { count: 1000, of: "cells" },
    load: async () => (await import("./picture/terminal/chart.ts")).chart,
  },
  svg: {
    ...PICTURE,
    extensions: ["svg"],
    maxSize: PIXELS,
    load: async () => (await import("./picture/svg/svg.ts")).svg,
  },
  png: {
    ...PICTURE,
    extensions: ["png"],
    binary: true,
    // The image has twice as many pixels each way.
    maxSize: { ...PIXELS, count: PIXELS.count / 4 },
    load: async () => (await import("./picture/svg/png.ts")).png,
  },
  html: {
    ...PICTURE,
    extensions: ["html", "htm"],
    maxSize: PIXELS,
    load: async () => (await import("./html.ts")).html,
  },
  parquet: {
    shape: "long",
    extensions: ["parquet"],
    flags: ROWS,
    binary: true,
    dataset: true,
    load: async () => (await import("./parquet.ts")).parquet,
  },
  arrow: {
    shape: "long",
    extensions: ["arrow", "feather"],
    flags: ROWS,
    binary: true,
    load: async () => (await import("./arrow.ts")).arrow,
  },
  openmetrics: {
    shape: "long",
    extensions: ["prom"],
    flags: { with: joined, latest },
    seriesOnly: true,
    load: async () => (await import("./openmetrics.ts")).openmetrics,
  },
  xlsx: {
    shape: "wide",
    extensions: ["xlsx"],
    flags: { ...ROWS, timeFormat, rawNames },
    timeFormats: ["name"],
    binary: true,
    maxRows: MAX_ROWS,
    load: async () => (await import("./xlsx/xlsx.ts")).xlsx,
  },
} as const satisfies Record<string, FormatEntry>;

export type FormatName = keyof typeof FORMATS;

export const FORMAT_NAMES = Object.keys(FORMATS) as FormatName[];
export const LIST_FORMATS = findFormats(({ seriesOnly }) => !seriesOnly);

/** True if a file is compressed, by its name as the user wrote it; the target of a link may have any name. */
export function isCompressed(path: string): boolean {
  return /\.gz$/i.test(path);
}

/** Finds the format for a file name's extension, ignoring a final `.gz`. */
export function formatOfFile(path: string): FormatName | undefined {
  const extension = /\.([^./\\]+?)(?:\.gz)?$/i.exec(path)?.[1]?.toLowerCase();
  return FORMAT_NAMES.find((name) => extension !== undefined && describeFormat(name).extensions.includes(extension));
}

export function refuseList(name: FormatName): Error {
  return usageError(`format ${name} only works with time series`, `use ${formatList(LIST_FORMATS, "or")}`);
}

export function describeFormat(name: FormatName): FormatEntry {
  return FORMATS[name];
}

export function findFormats(matches: (entry: FormatEntry) => boolean | undefined): FormatName[] {
  return FORMAT_NAMES.filter((name) => matches(describeFormat(name)));
}

export function findSupporting(key: string): FormatName[] {
  return findFormats(({ flags, dataset, grows, redrawn }) => {
    if (key === "partition") return dataset;
    if (key === "follow") return grows || redrawn;
    return !Object.hasOwn(FORMAT_FLAGS, key) || Object.hasOwn(flags, key);
  });
}

/** Also true for a format that ents does not know. */
export function supportsFlag(name: string, key: string): boolean {
  return !Object.hasOwn(FORMATS, name) || findSupporting(key).some((format) => format === name);
}

/** Replaces `{formats}` in help texts: by `csv, tsv`, or by `not with json` where most formats support the flag. */
export function nameFormats<T extends OptionTable>(table: T): T {
  const named = Object.entries(table).map(([key, spec]) => [
    key,
    { ...spec, help: spec.help.replace("{formats}", () => describeFormatNames(findSupporting(key))) },
  ]);
  return Object.fromEntries(named) as T;
}

/** Lists the formats or, if those are fewer, the formats that are not among them. */
export function describeFormatNames(names: readonly FormatName[]): string {
  const others = FORMAT_NAMES.filter((name) => !names.includes(name));
  return names.length <= others.length ? names.join(", ") : `not with ${formatList(others, "or")}`;
}
