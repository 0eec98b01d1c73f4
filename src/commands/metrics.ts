import { type MetricFacts, METRICS } from "../base/vocabulary.ts";
import { defineCommand } from "../cli/command.ts";
import { wrapText } from "../cli/help.ts";
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
    const {
      target,
      formatName,
      format: encoder,
      formatOptions,
    } = await resolveOutput({ ...options, timeZone: timeZone.default, intervalEnd: false }, context, "list");
    const rows = listRows();
    const width = formatOptions.screen.columns ?? Number.POSITIVE_INFINITY;
    // Show all rows, also on a terminal.
    const table = () => encodeTable({ columns: COLUMNS, rows }, encoder, { ...formatOptions, limit: 0 });
    const fits = formatName !== "table" || (await measureTable(rows)) <= width;
    await writeParts(target, fits ? table() : listNarrow(rows, width), context);
  },
});

async function measureTable(rows: readonly (readonly string[])[]): Promise<number> {
  const { fitColumns, measure } = await import("../format/table-layout.ts");
  return measure(fitColumns(COLUMNS, rows, undefined).columns);
}

/** On a narrow terminal: a name is never cut, and what it means wraps. */
function listNarrow(rows: readonly (readonly string[])[], width: number): string[] {
  return rows.flatMap(([name = "", ...facts]) => {
    const lines = wrapText(facts.filter((fact) => fact !== "").join("; "), width - INDENT.length);
    return [name, ...lines.map((line) => INDENT + line)].map((line) => `${line}\n`);
  });
}

const INDENT = "    ";

function listRows(): string[][] {
  return Object.entries<MetricFacts>(METRICS).map(([name, { unit, meaning, offeredBy }]) => [name, unit, offeredBy.join(" "), meaning]);
}
