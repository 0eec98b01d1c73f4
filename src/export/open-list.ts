import type { Surroundings } from "../base/report.ts";
import { escapeControls } from "../base/terminal.ts";
import { type AnyTable, encodeTable } from "../format/encode.ts";
import type { FormatOptions } from "../format/format.ts";
import { OUTPUT_OPTIONS, type OutputValues } from "../format/output-options.ts";
import { isHeader, writeParts } from "./destination/destination.ts";
import type { FileTarget } from "./destination/target.ts";
import { refuseUpdated } from "./refuse-updated.ts";
import { resolveOutput } from "./output.ts";

/** Writes a list without series. */
export interface ListOutput {
  /** The file to be replaced, and whether it has entries, perhaps below a header that begins with a column's name. */
  readonly old:
    | { readonly name: string; readonly hasEntries: (firstColumn: string | undefined) => boolean }
    | undefined;
  /** True if a person reads it. */
  readonly isTable: boolean;
  /** @throws {EntsError} output. */
  readonly writeTable: (table: AnyTable) => Promise<void>;
  /** Writes one text per line, whatever the format. @throws {EntsError} output. */
  readonly writeLines: (lines: readonly string[]) => Promise<void>;
}

type ListOutputValues = Pick<OutputValues, "format" | "output" | "header" | "limit"> &
  Pick<FormatOptions, "foldsColumns"> & {
    /** True to show all rows of a table by default. */
    readonly isShort?: boolean;
  };

/** @throws {EntsError} usage, output: as `resolveOutput`. */
export async function openList(options: ListOutputValues, { context, report }: Surroundings): Promise<ListOutput> {
  const { timeZone } = OUTPUT_OPTIONS;
  const { limit = options.isShort ? 0 : undefined, foldsColumns } = options;
  const { target, format, formatName, formatOptions } = await resolveOutput(
    { ...options, timeZone: timeZone.default, intervalEnd: false, rawNames: false },
    context,
    { kind: "list" },
  );
  await refuseUpdated(target, context.cwd, "choose another file");
  return {
    isTable: formatName === "table",
    old: target?.kind === "file" && target.old ? describeOld(target, target.old) : undefined,
    writeTable: (table) =>
      writeParts(
        target,
        encodeTable(table, format, { ...formatOptions, limit, foldsColumns, linesAbove: report.lines }),
        context,
      ),
    writeLines: (lines) => {
      const show = formatOptions.screen.isTerminal ? escapeControls : String;
      return writeParts(target, [lines.map((line) => `${show(line)}\n`).join("")], context);
    },
  };
}

function describeOld({ name, path }: FileTarget, { size }: NonNullable<FileTarget["old"]>): ListOutput["old"] {
  return {
    name,
    hasEntries: (firstColumn) => size > 0 && (firstColumn === undefined || !isHeader(path, size, firstColumn)),
  };
}
