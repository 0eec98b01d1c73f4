import { EntsError, usageError } from "../base/errors.ts";
import { defineCommand, describeCommand, joinTables } from "../cli/command.ts";
import { UPKEEP_OPTIONS } from "../options/upkeep-options.ts";
import { UPDATE_OPTIONS } from "../options/look-options.ts";

const MISSING = `name files or folders that --update made: ents update /data
to make one: ents market NEM -m price -i 1h -s 2026-01-01 -o price.csv --update`;
const { recheck, history } = UPKEEP_OPTIONS;

export const update = defineCommand({
  arguments: [{ name: "output", kind: "file", rest: true, hint: MISSING }],
  options: { Update: { ...UPDATE_OPTIONS, recheck: { ...recheck, needs: [] }, history: { ...history, needs: [] } } },
  notes: {
    Outputs: [
      "Files and folders that were made with --update: each is updated with the",
      "command in its description (price.csv.datapackage.json). A folder stands for",
      "all outputs in it and below. The one updated longest ago comes first.",
    ],
    "Exit code": [
      "If some fail, the others are updated all the same. If they fail in different",
      "ways, the exit code is the first of these that occurs: 6, 2, 4, 3, 5, 7.",
    ],
    "Every night": [
      "One line for cron, with the folders that 'command -v ents node' prints, as",
      "cron has another PATH:",
      "10 4 * * * PATH=/usr/local/bin:/usr/bin:/bin ents update -q /data",
    ],
  },
  examples: [
    { command: "ents update price.csv", does: "one file" },
    { command: "ents update -q /data", does: "everything in a folder, for a nightly job" },
    { command: "ents update /data --list", does: "the commands, without running them" },
    { command: "ents update price.csv --recheck all", does: "also ask again for everything that is stored" },
  ],
  run: async ({ arguments: words, options, given, context, report }) => {
    const [{ findOutputs }, { updateOutputs }, { readCommand }, { DATA_COMMANDS }] = await Promise.all([
      import("../export/update/find-outputs.ts"),
      import("../export/update/update-outputs.ts"),
      import("../cli/stored-command.ts"),
      import("./data.ts"),
    ]);
    if (words.length === 0) throw usageError("the output is missing", MISSING);
    const changes = Object.fromEntries(
      ["recheck", "history"].flatMap((key) => (given[key] === undefined ? [] : [[key, given[key]]])),
    );
    const shared = { ...context, shared: new Map<string, unknown>() };
    await updateOutputs(
      await findOutputs(words, { ...context, warn: report.warn }),
      async ({ name, command }, ownReport) => {
        const { spec, call } = await readCommand(command, DATA_COMMANDS, shared).catch((error: unknown) => {
          throw error instanceof EntsError
            ? error.mapMessage((text) => `cannot run the command in the description of ${name}: ${text}`)
            : error;
        });
        const values = { ...call.values, ...changes, output: name };
        if (!options.list) return spec.run?.({ ...call, values, context: shared, report: ownReport });
        const line = describeCommand([...call.words, ...call.arguments], joinTables(spec.options ?? {}), values);
        context.stdout.stream.write(`${line}\n`);
      },
      { context, report },
    );
  },
});
