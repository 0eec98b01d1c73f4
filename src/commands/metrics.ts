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
    const resolved = await resolveOutput({ ...options, timeZone: timeZone.default, intervalEnd: false }, context, "list");
    // Show all rows, also on a terminal.
    const table = encodeTable({ columns: COLUMNS, rows: listRows() }, resolved.format, { ...resolved.formatOptions, limit: 0 });
    await writeParts(resolved.target, table, context);
  },
});

function listRows(): string[][] {
  return Object.entries<MetricFacts>(METRICS).map(([name, { unit, meaning, offeredBy }]) => [name, unit, offeredBy.join(" "), meaning]);
}
