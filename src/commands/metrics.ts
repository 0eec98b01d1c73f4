import { type MetricFacts, METRICS } from "../base/vocabulary.ts";
import { defineCommand } from "../cli/command.ts";
import { OUTPUT_OPTIONS } from "../format/output-options.ts";
import type { Column } from "../series/layout/table.ts";

const { format, output, header, timeZone } = OUTPUT_OPTIONS;
const COLUMNS: readonly Column[] = ["metric", "unit", "offered_by", "meaning"].map((name) => ({ name, kind: "text" }));

export const metrics = defineCommand({
  options: { Output: { format, output, header } },
  examples: [
    { command: "ents metrics", does: "all 27 metrics, without a request" },
    { command: "ents metrics -f json", does: "as JSON, for a script" },
  ],
  run: async ({ options, context }) => {
    const [{ resolveOutput }, { encodeTable }, { writeParts }] = await Promise.all([
      import("../job/output.ts"),
      import("../format/encode.ts"),
      import("../job/destination/destination.ts"),
    ]);
    const { target, formatName, format: encoder, formatOptions } = await resolveOutput({ ...options, timeZone: timeZone.default }, context);
    const rows = listRows();
    const width = formatOptions.screen.columns ?? Number.POSITIVE_INFINITY;
    // Show all rows, also on a terminal.
    const table = () => encodeTable({ columns: COLUMNS, rows }, encoder, { ...formatOptions, limit: 0 });
    const fits = formatName !== "table" || measureTable(rows) <= width;
    await writeParts(target, fits ? table() : listNarrow(rows, width), context);
  },
});

/** Between the columns of a table. */
const GAP = 2;

function measureTable(rows: readonly (readonly string[])[]): number {
  const widths = COLUMNS.map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  return widths.reduce((sum, width) => sum + width + GAP, -GAP);
}

/** On a narrow terminal: a name is never cut, and what it means wraps. */
function listNarrow(rows: readonly (readonly string[])[], width: number): string[] {
  return rows.flatMap(([name = "", ...facts]) => {
    const lines = wrapText(facts.filter((fact) => fact !== "").join("; "), width - INDENT.length);
    return [name, ...lines.map((line) => INDENT + line)].map((line) => `${line}\n`);
  });
}

const INDENT = "    ";

function wrapText(text: string, width: number): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trimStart();
    if (longer.length > width && lines.at(-1) !== "") lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

function listRows(): string[][] {
  return Object.entries<MetricFacts>(METRICS).map(([name, { unit, meaning, offeredBy }]) => [name, unit, offeredBy.join(" "), meaning]);
}
