import { once } from "node:events";
import { codeOf, EntsError, messageOf } from "../base/errors.ts";
import { defineCommand } from "../cli/command.ts";
import type { OptionTable } from "../options/spec.ts";

const OPTIONS = {
  port: { argument: "n", help: "port to listen on", default: 0, defaultText: "any free port", schema: "port" },
  plan: {
    argument: "plan",
    help: "enforce the limits of a plan",
    choices: ["none", "community", "academic"],
    default: "none",
    schema: "choice",
  },
} as const satisfies OptionTable;

export const sandbox = defineCommand({
  options: { Sandbox: OPTIONS },
  examples: [
    { command: "ents sandbox --port 8080", does: "for an SDK or a test; prints the base address and token" },
    { command: "ents sandbox --plan community", does: "with the windows, history, rate and quota of a community key" },
  ],
  run: async ({ options: { port, plan }, context, report }) => {
    const { startSandbox } = await import("../sandbox/sandbox.ts");
    const service = await startSandbox({ port, plan, now: context.now }).catch((error: unknown) => {
      throw portError(port, error);
    });
    context.stdout.stream.write(`base address  ${service.baseUrl}\ntoken         ${service.token}\n`);
    report.note("synthetic data; stop with Ctrl-C");
    if (!context.signal.aborted) await once(context.signal, "abort");
    await service.close();
    // Exit as stopped by the signal.
    context.signal.throwIfAborted();
  },
});

function portError(port: number, cause: unknown): EntsError {
  const reasons: Readonly<Record<string, string>> = { EADDRINUSE: "it is in use", EACCES: "permission denied" };
  const reason = reasons[codeOf(cause) ?? ""] ?? messageOf(cause);
  return new EntsError("usage", `cannot listen on port ${port}: ${reason}`, {
    cause,
    hint: "use another --port, or omit it for any free port",
  });
}
