import { defineCommand } from "../cli/command.ts";
import { FETCH_OPTIONS } from "../options/fetch-options.ts";
import type { OptionTable } from "../options/spec.ts";

const { baseUrl, sandbox } = FETCH_OPTIONS;

const OPTIONS = {
  folder: {
    argument: "folder",
    kind: "file",
    help: "let tools write outputs there, and read those; without it, nothing is written",
    schema: "text",
  },
  sandbox,
  baseUrl,
} as const satisfies OptionTable;

export const mcp = defineCommand({
  options: { Server: OPTIONS },
  notes: {
    Tools: [
      "list_metrics, find_codes, get_data, latest and describe_output. They run the",
      "commands of ents, with their limits, and return at most 500 rows with source,",
      "licence, unit, time zone, age, and the command that makes them.",
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
    const [{ serve }, ...specs] = await Promise.all([
      import("../mcp/server.ts"),
      import("./data.ts"),
      import("./list.ts"),
      import("./metrics.ts"),
      import("./log.ts"),
      import("./check.ts"),
    ]);
    const [{ network, facilities, market }, { list }, { metrics }, { log }, { check }] = specs;
    await serve(
      { commands: { network, facilities, market, list, metrics, log, check }, service, options, folder },
      context,
    );
  },
});
