import { usageError } from "../errors.ts";
import { findNearest } from "../suggest.ts";
import { csv, tsv } from "./delimited.ts";
import type { Format } from "./format.ts";
import { json } from "./json.ts";
import { ndjson } from "./ndjson.ts";
import { table } from "./table.ts";

/** Every format by its name; a new one is its file and a line here. */
export const FORMATS = { table, csv, tsv, json, ndjson } as const satisfies Record<string, Format>;

export type FormatName = keyof typeof FORMATS;

export const FORMAT_NAMES = Object.keys(FORMATS) as FormatName[];

/** @throws {EntsError} usage: no format of that name. */
export function findFormat(name: string): FormatName {
  if (Object.hasOwn(FORMATS, name)) return name as FormatName;
  const nearest = findNearest(name, FORMAT_NAMES);
  const near = nearest.length > 0 ? `; nearest: ${nearest.join(", ")}` : "";
  throw usageError(`--format: "${name}" is not a format${near}`, `give one of ${FORMAT_NAMES.join(", ")}`);
}

/** The format that a file name's ending stands for. */
export function formatOfFile(path: string): FormatName | undefined {
  const ending = /\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase();
  return FORMAT_NAMES.find((name) => ending !== undefined && FORMATS[name].endings.includes(ending));
}
