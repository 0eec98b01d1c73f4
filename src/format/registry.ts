import type { OptionTable } from "../options/spec.ts";
import { FORMAT_FLAGS } from "./flags.ts";
import type { Format } from "./format.ts";

/** The facts about a format that are available before it is loaded. */
export interface FormatEntry {
  /** File extensions, without the dot. */
  readonly extensions: readonly string[];
  /** The flags of {@link FORMAT_FLAGS} that it supports. */
  readonly flags: OptionTable;
  readonly load: () => Promise<Format>;
}

const { shape, pivot, intervalEnd, timeFormat, null: nullText, header, limit, width, height } = FORMAT_FLAGS;
const ROWS = { shape, pivot, intervalEnd };
const DELIMITED = { ...ROWS, timeFormat, null: nullText, header };
const PICTURE = { width, height };

/** All formats by name, loaded on first use. */
export const FORMATS = {
  table: { extensions: ["txt"], flags: { ...ROWS, limit }, load: async () => (await import("./table.ts")).table },
  csv: { extensions: ["csv"], flags: DELIMITED, load: async () => (await import("./delimited.ts")).csv },
  tsv: { extensions: ["tsv"], flags: DELIMITED, load: async () => (await import("./delimited.ts")).tsv },
  json: { extensions: ["json"], flags: {}, load: async () => (await import("./json.ts")).json },
  ndjson: { extensions: ["ndjson", "jsonl"], flags: { ...ROWS, timeFormat }, load: async () => (await import("./ndjson.ts")).ndjson },
  svg: { extensions: ["svg"], flags: PICTURE, load: async () => (await import("./svg.ts")).svg },
  html: { extensions: ["html", "htm"], flags: PICTURE, load: async () => (await import("./html.ts")).html },
} as const satisfies Record<string, FormatEntry>;

export type FormatName = keyof typeof FORMATS;

export const FORMAT_NAMES = Object.keys(FORMATS) as FormatName[];

/** The format for a file name's extension. */
export function formatOfFile(path: string): FormatName | undefined {
  const extension = /\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase();
  return FORMAT_NAMES.find((name) => extension !== undefined && describeFormat(name).extensions.includes(extension));
}

export function describeFormat(name: FormatName): FormatEntry {
  return FORMATS[name];
}
