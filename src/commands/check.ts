import { usageError } from "../base/errors.ts";
import { defineCommand } from "../cli/command.ts";
import { LIST_OUTPUT_OPTIONS, OUTPUT_OPTIONS } from "../format/output-options.ts";
import { CHECK_OPTIONS } from "../options/look-options.ts";

const MISSING = "name files or folders that --update made: ents check price.csv";

export const check = defineCommand({
  arguments: [{ name: "output", kind: "file", rest: true, hint: MISSING }],
  options: { Check: CHECK_OPTIONS, Output: { ...LIST_OUTPUT_OPTIONS, limit: OUTPUT_OPTIONS.limit } },
  notes: {
    "What is found": [
      "What is physically or arithmetically impossible in what --update has stored,",
      "without a request: a row for each finding, and exit code 7. Outputs that are",
      "named together are compared with each other: days with hours, a network with",
      "its regions. What could not be checked is said on standard error.",
    ],
  },
  examples: [
    { command: "ents check price.csv", does: "prices outside of the market's floor and cap, and more" },
    { command: "ents check hours.csv days.csv", does: "also whether days are the sum of their hours" },
    { command: "ents check --list", does: "the checks, with their thresholds and sources" },
  ],
  run: async ({ arguments: names, options, context, report }) => {
    const [{ checkStored, listChecks }, { resolveShown }] = await Promise.all([
      import("../export/look-back/check-stored.ts"),
      import("./show.ts"),
    ]);
    if (options.list) return listChecks(options, { context, report });
    if (names.length === 0) throw usageError("the output is missing", MISSING);
    const outputs = [];
    // Like the checks, csv needs one response at a time.
    for (const name of names) outputs.push(await resolveShown(name, { format: "csv" }, context));
    await checkStored(outputs, options, { context, report });
  },
});
