import { usageError } from "../base/errors.ts";
import { formatList } from "../base/phrases.ts";
import type { OptionTable } from "../options/spec.ts";
import { FORMAT_FLAGS } from "./flags.ts";
import type { Format } from "./format.ts";
import { MAX_ROWS } from "./xlsx/limits.ts";

/** The facts about a format that are available before it is loaded. */
export interface FormatEntry {
  /** File extensions, without the dot. */
  readonly extensions: readonly string[];
  /** Names and extensions that other tools have for it or for what it stands in for: messages about unknown ones know them. */
  readonly otherNames?: readonly string[];
  /** The flags of {@link FORMAT_FLAGS} that it supports. */
  readonly flags: OptionTable;
  /** Bytes, which a terminal cannot show. */
  readonly binary?: true;
  /** What is counted in it: by default rows. */
  readonly counts?: "point";
  /** Only for time series: not for a list, such as that of the metrics. */
  readonly seriesOnly?: true;
  /** The most rows that it holds. */
  readonly maxRows?: number;
  /** The largest width and height of a picture. */
  readonly maxSize?: { readonly count: number; readonly of: string };
  /** What a Data Package says of csv and tsv: the character between the cells of a line. */
  readonly delimiter?: string;
  /** Rows can be added to what was written: `--follow` does. */
  readonly grows?: true;
  /** Its rows name their columns: later ones may have more, with `--follow` too. */
  readonly namesColumns?: true;
  /** `--follow` draws it anew on a terminal. */
  readonly redrawn?: true;
  /** `--partition` may write it, one file for each period: other programs read such folders as one table. */
  readonly dataset?: true;
  /** Compressed where the file's name ends in `.gz`. */
  readonly gzip?: true;
  readonly load: () => Promise<Format>;
}

const { shape, pivot, with: joined, intervalEnd, timeFormat, null: nullText, header, limit, width, height } = FORMAT_FLAGS;
const ROWS = { shape, pivot, with: joined, intervalEnd };
const PICTURE = { flags: { with: joined, width, height }, seriesOnly: true, counts: "point" } as const;
const IMAGES = ["png", "jpg", "jpeg", "gif", "pdf"];
/** A square of so many fits in memory. */
const CELLS = { count: 1000, of: "cells" };
const PIXELS = { count: 10_000, of: "pixels" };

const delimited = (delimiter: string) =>
  ({
    delimiter,
    flags: { ...ROWS, timeFormat, null: nullText, header },
    gzip: true,
    grows: true,
    load: async () => (await import("./delimited.ts")).createDelimitedFormat(delimiter),
  }) as const;

/** All formats by name, loaded on first use. */
export const FORMATS = {
  table: { extensions: ["txt"], flags: { ...ROWS, limit }, redrawn: true, load: async () => (await import("./table.ts")).table },
  csv: { ...delimited(","), extensions: ["csv"], dataset: true },
  tsv: { ...delimited("\t"), extensions: ["tsv"] },
  json: { extensions: ["json"], flags: {}, counts: "point", gzip: true, load: async () => (await import("./json.ts")).json },
  ndjson: {
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
    otherNames: ["plot", "graph"],
    redrawn: true,
    maxSize: CELLS,
    load: async () => (await import("./chart.ts")).chart,
  },
  svg: { ...PICTURE, extensions: ["svg"], otherNames: IMAGES, maxSize: PIXELS, load: async () => (await import("./svg.ts")).svg },
  html: {
    ...PICTURE,
    extensions: ["html", "htm"],
    otherNames: IMAGES,
    maxSize: PIXELS,
    load: async () => (await import("./html.ts")).html,
  },
  parquet: {
    extensions: ["parquet"],
    otherNames: ["pq"],
    flags: ROWS,
    binary: true,
    dataset: true,
    load: async () => (await import("./parquet.ts")).parquet,
  },
  arrow: {
    extensions: ["arrow", "feather"],
    otherNames: ["ipc"],
    flags: ROWS,
    binary: true,
    load: async () => (await import("./arrow.ts")).arrow,
  },
  xlsx: {
    extensions: ["xlsx"],
    otherNames: ["xls", "excel"],
    flags: ROWS,
    binary: true,
    maxRows: MAX_ROWS,
    load: async () => (await import("./xlsx.ts")).xlsx,
  },
} as const satisfies Record<string, FormatEntry>;

export type FormatName = keyof typeof FORMATS;

export const FORMAT_NAMES = Object.keys(FORMATS) as FormatName[];
/** The formats for what has no time series. */
export const LIST_FORMATS = FORMAT_NAMES.filter((name) => !describeFormat(name).seriesOnly);

/** Whether a file's content is compressed, by its name as the user wrote it: what a link leads to may have any name. */
export function isCompressed(path: string): boolean {
  return /\.gz$/i.test(path);
}

/** The format for a file name's extension, before `.gz` if that is the last. */
export function formatOfFile(path: string): FormatName | undefined {
  const extension = /\.([^./\\]+?)(?:\.gz)?$/i.exec(path)?.[1]?.toLowerCase();
  return FORMAT_NAMES.find((name) => extension !== undefined && describeFormat(name).extensions.includes(extension));
}

/** A list in a format of time series alone. */
export function refuseList(name: FormatName): Error {
  return usageError(`format ${name} only works with time series`, `use ${formatList(LIST_FORMATS, "or")}`);
}

export function describeFormat(name: FormatName): FormatEntry {
  return FORMATS[name];
}

export function findFormats(matches: (entry: FormatEntry) => boolean | undefined): FormatName[] {
  return FORMAT_NAMES.filter((name) => matches(describeFormat(name)));
}
