/** Turns rows into the text of a format in one step. */
import {
  type Encoded,
  type Format,
  type FormatOptions,
  NO_SCREEN,
  type EncodedParts,
  type OutputScreen,
} from "../../src/format/format.ts";
import { createZone } from "../../src/time/iana-zone.ts";
import type { Column, Row } from "../../src/series/layout/layout.ts";

/** With codes, as tests are about other things than names. */
export const OPTIONS: FormatOptions = { header: true, limit: 0, rawNames: true, screen: NO_SCREEN };

/** A terminal that shows the output. */
export const TERMINAL: OutputScreen = {
  isTerminal: true,
  columns: 80,
  rows: 24,
  colors: false,
  colorDepth: 1,
  unicode: true,
};

export interface Encoding {
  readonly rows?: readonly Row[];
  readonly options?: Partial<FormatOptions>;
  /** Rows per chunk; all at once by default. */
  readonly batch?: number;
}

export function encode(
  format: Format,
  columns: readonly Column[],
  { rows = [], options, batch = rows.length || 1 }: Encoding,
): string {
  const encoder = format.open(
    { columns, printTimestamp: (timestamp) => timestamp, zone: createZone("network") },
    { ...OPTIONS, ...options },
  );
  const parts: Encoded[] = [];
  for (let from = 0; from < rows.length; from += batch)
    parts.push(...eachPart(encoder.write({ rows: () => rows.slice(from, from + batch) })));
  return [...parts, ...eachPart(encoder.end())].map((part) => Buffer.from(part).toString("utf8")).join("");
}

/** All current formats make their parts synchronously. */
export function eachPart(parts: EncodedParts): Iterable<Encoded> {
  if (Symbol.iterator in parts) return parts;
  throw new Error("parts that take their time");
}
