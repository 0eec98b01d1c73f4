import { describeMeaning, type MetricFacts, METRICS } from "../base/vocabulary.ts";
import { defineCommand } from "../cli/command.ts";
import { LIST_OUTPUT_OPTIONS } from "../format/output-options.ts";
import type { Column } from "../series/layout/layout.ts";

const COLUMNS: readonly Column[] = ["metric", "unit", "offered_by", "meaning"].map((name) => ({ name, kind: "text" }));

export const metrics = defineCommand({
  options: { Output: LIST_OUTPUT_OPTIONS },
  examples: [
    { command: "ents metrics", does: "all metrics, without a request" },
    { command: "ents metrics -f json", does: "as JSON, for a script" },
  ],
  run: async ({ options, context, report }) => {
    const { openList } = await import("../export/open-list.ts");
    const { writeTable } = await openList(options, { context, report });
    const facts = Object.entries<MetricFacts>(METRICS);
    const rows = facts.map(([name, own]) => [name, own.unit, own.offeredBy.join(" "), describeMeaning(own)]);
    await writeTable({ columns: COLUMNS, rows }, { limit: 0 });
  },
});
