import { defineCommand } from "../cli/command.ts";
import { FETCH_OPTIONS } from "../options/fetch-options.ts";
import type { OptionTable } from "../options/spec.ts";

const { baseUrl, sandbox } = FETCH_OPTIONS;

const OPTIONS = {
  folder: {
    argument: "folder",
    kind: "file",
    help: "let tools write outputs there, and describe those; without it, none are written",
    schema: "text",
  },
  sandbox,
  baseUrl,
} as const satisfies OptionTable;

export const mcp = defineCommand({
  options: { Server: OPTIONS },
  notes: {
    Tools: [
      "list_metrics, find_codes, get_market, get_network, get_facilities and",
      "describe_output. They run the commands of ents, with their limits, and return",
      "200 rows or a picture, with source, licence, unit, time zone and age. A call",
      "answers within 30 seconds, and makes 20 requests at most unless it says more.",
    ],
    Clients: ['A client starts it by itself: { "command": "ents", "args": ["mcp"] }.'],
  },
  examples: [
    { command: "ents mcp --sandbox", does: "for a client that starts it: synthetic data" },
    { command: "ents mcp --folder /data", does: "tools may write outputs to /data" },
  ],
  run: async ({
    options: { folder, ...options },
    given: { sandbox: isSandbox, baseUrl: address },
    context,
    report,
  }) => {
    if (context.stdin.isTerminal) report.note("waiting for a client on standard input; stop with Ctrl-C");
    const service = { sandbox: isSandbox, baseUrl: address };
    const [{ serve }, { openOutputs }, { listKeys }, ...specs] = await Promise.all([
      import("../mcp/server.ts"),
      import("../mcp/outputs.ts"),
      import("../mcp/tools.ts"),
      import("./data.ts"),
      import("./list.ts"),
      import("./metrics.ts"),
      import("./log.ts"),
      import("./check.ts"),
    ]);
    const [{ network, facilities, market }, { list }, { metrics }, { log }, { check }] = specs;
    const commands = { network, facilities, market, list, metrics, log, check };
    const outputs = folder === undefined ? undefined : openOutputs(folder, context);
    const vocabulary = { commands, keys: listKeys(outputs !== undefined) };
    await serve({ commands, service, options, outputs, vocabulary }, context);
  },
});
