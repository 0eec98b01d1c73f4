import type { Context } from "../base/context.ts";
import { escapeControls } from "../base/terminal.ts";
import { encodeTable } from "../format/encode.ts";
import { OUTPUT_OPTIONS, type OutputValues } from "../format/output-options.ts";
import type { Table } from "../series/layout/layout.ts";
import { writeParts } from "./destination/destination.ts";
import { resolveOutput } from "./output.ts";

/** Where a list without series is written. */
export interface ListOutput {
  /** All rows, on a terminal too. @throws {EntsError} output. */
  readonly writeTable: (table: Table) => Promise<void>;
  /** One text a line, whatever the format. @throws {EntsError} output. */
  readonly writeLines: (lines: readonly string[]) => Promise<void>;
}

/** @throws {EntsError} usage, output: as `resolveOutput`. */
export async function openList(options: Pick<OutputValues, "format" | "output" | "header">, context: Context): Promise<ListOutput> {
  const { timeZone } = OUTPUT_OPTIONS;
  const { target, format, formatOptions } = await resolveOutput(
    { ...options, timeZone: timeZone.default, intervalEnd: false },
    context,
    "list",
  );
  return {
    writeTable: (table) => writeParts(target, encodeTable(table, format, { ...formatOptions, limit: 0 }), context),
    writeLines: (lines) => {
      const show = formatOptions.screen.isTerminal ? escapeControls : String;
      return writeParts(target, [lines.map((line) => `${show(line)}\n`).join("")], context);
    },
  };
}
