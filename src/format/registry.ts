import type { Format } from "./format.ts";

/** What is known of a format before it is loaded. */
export interface FormatEntry {
  /** File name endings, without the dot. */
  readonly endings: readonly string[];
  /** The output flags that mean something to it, by option key. */
  readonly supportedFlags: readonly ("shape" | "header" | "limit")[];
  readonly load: () => Promise<Format>;
}

/** Every format by its name; a new one is its file and a line here. One that is not asked for is not loaded. */
export const FORMATS = {
  table: { endings: ["txt"], supportedFlags: ["shape", "limit"], load: async () => (await import("./table.ts")).table },
  csv: { endings: ["csv"], supportedFlags: ["shape", "header"], load: async () => (await import("./delimited.ts")).csv },
  tsv: { endings: ["tsv"], supportedFlags: ["shape", "header"], load: async () => (await import("./delimited.ts")).tsv },
  json: { endings: ["json"], supportedFlags: [], load: async () => (await import("./json.ts")).json },
  ndjson: { endings: ["ndjson", "jsonl"], supportedFlags: ["shape"], load: async () => (await import("./ndjson.ts")).ndjson },
} as const satisfies Record<string, FormatEntry>;

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
