/** From the output flags to what will be written, and where. */
import type { OutputStream } from "../base/context.ts";
import { usageError } from "../base/errors.ts";
import { describeFormat, FORMAT_NAMES, FORMATS, findFormat, formatOfFile, type FormatName } from "../format/registry.ts";
import type { Format, FormatOptions } from "../format/format.ts";
import { OUTPUT_OPTIONS, type OutputValues } from "../options/output-options.ts";
import { flagOf } from "../options/spec.ts";
import type { Shape, StampPrinter } from "../series/layout/table.ts";
import { createStampPrinter } from "../time/zones.ts";

export interface Output {
  readonly formatName: FormatName;
  readonly format: Format;
  readonly formatOptions: FormatOptions;
  readonly shape: Shape;
  /** As asked for: `network`, `utc`, or an IANA zone. */
  readonly zone: string;
  readonly printStamp: StampPrinter;
  /** Undefined for standard output. */
  readonly path: string | undefined;
  /** What may surprise in how the format was chosen. */
  readonly note: string | undefined;
}

/** Rows that a table shows on a terminal unless told otherwise. */
const TERMINAL_ROWS = 40;

/** @throws {EntsError} usage: an unknown format or zone, or a flag that means nothing to the format. */
export async function resolveOutput(values: OutputValues, stdout: OutputStream): Promise<Output> {
  const path = values.output === "-" ? undefined : values.output;
  const onTerminal = path === undefined && stdout.isTerminal;
  const formatName = chooseFormat(values.format, path, onTerminal);
  rejectUnsupportedFlags(values, formatName);
  const format = await FORMATS[formatName].load();
  return {
    formatName,
    format,
    formatOptions: {
      header: values.header ?? true,
      limit: values.limit ?? (onTerminal ? TERMINAL_ROWS : 0),
      width: onTerminal ? stdout.columns : undefined,
      colors: path === undefined && stdout.colors,
      terminal: onTerminal,
    },
    shape: values.shape ?? format.shape,
    zone: values.timeZone ?? "network",
    printStamp: createStampPrinter(values.timeZone ?? "network"),
    path,
    note: values.format === undefined && path !== undefined ? describeGuess(path, formatName) : undefined,
  };
}

function describeGuess(path: string, formatName: FormatName): string | undefined {
  const ending = /\.[^./\\]+$/.exec(path)?.[0];
  if (ending === undefined || formatOfFile(path) !== undefined) return undefined;
  return `${ending} is the ending of no format, so ${path} is written as ${formatName}; --format says otherwise`;
}

function chooseFormat(name: string | undefined, path: string | undefined, onTerminal: boolean): FormatName {
  if (name !== undefined) return findFormat(name);
  return (path === undefined ? undefined : formatOfFile(path)) ?? (onTerminal ? "table" : "csv");
}

function rejectUnsupportedFlags(values: OutputValues, formatName: FormatName): void {
  for (const key of ["shape", "header", "limit"] as const) {
    if (values[key] === undefined || describeFormat(formatName).supportedFlags.includes(key)) continue;
    const takers = FORMAT_NAMES.filter((name) => describeFormat(name).supportedFlags.includes(key));
    throw usageError(`${flagOf(key, OUTPUT_OPTIONS[key])} means nothing to ${formatName}`, `it goes with --format ${takers.join(" or ")}`);
  }
}
