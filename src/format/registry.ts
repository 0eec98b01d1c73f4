import type { OptionTable } from "../options/spec.ts";
import { HEADER, LIMIT, SHAPE } from "./flags.ts";
import type { Format } from "./format.ts";

/** What is known of a format before it is loaded. */
export interface FormatEntry {
  /** File name endings, without the dot. */
  readonly endings: readonly string[];
  /** The flags of its own. */
  readonly flags: OptionTable;
  readonly load: () => Promise<Format>;
}

/** Every format by its name; a new one is its file and a line here. One that is not asked for is not loaded. */
export const FORMATS = {
  table: { endings: ["txt"], flags: { ...SHAPE, ...LIMIT }, load: async () => (await import("./table.ts")).table },
  csv: { endings: ["csv"], flags: { ...SHAPE, ...HEADER }, load: async () => (await import("./delimited.ts")).csv },
  tsv: { endings: ["tsv"], flags: { ...SHAPE, ...HEADER }, load: async () => (await import("./delimited.ts")).tsv },
  json: { endings: ["json"], flags: {}, load: async () => (await import("./json.ts")).json },
  ndjson: { endings: ["ndjson", "jsonl"], flags: SHAPE, load: async () => (await import("./ndjson.ts")).ndjson },
} as const satisfies Record<string, FormatEntry>;

/** The flags of all formats. */
export const FORMAT_FLAGS = { ...SHAPE, ...HEADER, ...LIMIT };

export type FormatName = keyof typeof FORMATS;

export const FORMAT_NAMES = Object.keys(FORMATS) as FormatName[];

/** The format that a file name's ending stands for. */
export function formatOfFile(path: string): FormatName | undefined {
  const ending = /\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase();
  return FORMAT_NAMES.find((name) => ending !== undefined && describeFormat(name).endings.includes(ending));
}

export function describeFormat(name: FormatName): FormatEntry {
  return FORMATS[name];
}
