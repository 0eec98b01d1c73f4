import { defineCommand } from "../cli/command.ts";
import { tabulateMetrics } from "../facilities/tables.ts";
import { LIST_OUTPUT_OPTIONS, OUTPUT_OPTIONS } from "../format/output-options.ts";
import { LIST_OPTIONS } from "../options/list-options.ts";

export const metrics = defineCommand({
  arguments: [{ name: "text", rest: true, hint: "put words to search for after the command: 'ents metrics price'" }],
  options: { Output: { ...LIST_OPTIONS, ...LIST_OUTPUT_OPTIONS, limit: OUTPUT_OPTIONS.limit } },
  notes: {
    "Renewable shares": [
      "renewable_proportion is the service's: renewable generation, with storage",
      "that discharges, of gross demand. -m share -g renewable is of what generates:",
      "what batteries discharge is in the total, and not renewable.",
    ],
  },
  examples: [
    { command: "ents metrics", does: "all metrics, without a request" },
    { command: "ents metrics price", does: "those about prices" },
    { command: "ents metrics -f json", does: "as JSON, for a script" },
  ],
  run: async ({ arguments: words, options, context, report }) => {
    const { writeCodes } = await import("../export/list-codes.ts");
    await writeCodes({ table: tabulateMetrics(), words, options: { ...options, isShort: true } }, { context, report });
  },
});
