import { defineCommand } from "../cli/command.ts";
import { LIST_OUTPUT_OPTIONS, OUTPUT_OPTIONS } from "../format/output-options.ts";
import { LOG_OPTIONS } from "../options/look-options.ts";

export const log = defineCommand({
  arguments: [{ name: "output", kind: "file", hint: "name a file or folder that --update made: ents log price.csv" }],
  options: { "What to list": LOG_OPTIONS, Output: { ...LIST_OUTPUT_OPTIONS, limit: OUTPUT_OPTIONS.limit } },
  notes: {
    Columns: [
      "when: the update finished; until: the newest row; added, restated, withdrawn:",
      "values; rechecked: older responses asked for again; version: of the service.",
      "Times are network time.",
    ],
  },
  examples: [
    { command: "ents log price.csv", does: "the updates, newest first" },
    { command: "ents log price.csv --changes --last 7d", does: "what changed last week: old and new values" },
    {
      command: "ents log price.csv --requests -f csv",
      does: "which request each row is from, and when it was received",
    },
  ],
  run: async ({ arguments: [name], options, context, report }) => {
    const { logStored } = await import("../export/look-back/log-stored.ts");
    await logStored(name, options, { context, report });
  },
});
