import { once } from "node:events";
import type { Context } from "../base/context.ts";
import { codeOf, EntsError, messageOf } from "../base/errors.ts";
import { NETWORKS } from "../base/vocabulary.ts";
import { defineCommand } from "../cli/command.ts";
import type { OptionTable } from "../options/spec.ts";
import { isLoopback } from "../settings/token.ts";
import { formatTimestamp, MINUTE } from "../time/local-time.ts";

const OPTIONS = {
  port: { argument: "n", help: "port to listen on", default: 0, defaultText: "any free port", schema: "port" },
  host: {
    argument: "address",
    help: "address to listen on; other machines reach any but a loopback address, such as 0.0.0.0 in a container",
    default: "127.0.0.1",
    schema: "text",
  },
  plan: {
    argument: "plan",
    help: "enforce the limits of a plan",
    choices: ["none", "community", "academic"],
    default: "none",
    schema: "choice",
  },
  now: {
    argument: "when",
    help: "start the sandbox's clock at this time, in NEM time or with an offset, such as 2025-01-31T14:05, 2025-01-31T04:05Z or -7d; it runs on from there",
    schema: "text",
  },
} as const satisfies OptionTable;

export const sandbox = defineCommand({
  options: { Sandbox: OPTIONS },
  examples: [
    { command: "ents sandbox --port 8080", does: "for an SDK or a test; prints the base address and token" },
    { command: "ents sandbox --plan community", does: "with the windows, history, rate and quota of a community key" },
    { command: "ents sandbox --now 2025-01-31T14:05", does: "the newest data are from that time, whatever the date" },
  ],
  run: async ({ options: { port, host, plan, now: start }, context, report }) => {
    const { startSandbox } = await import("../sandbox/sandbox.ts");
    const now = start === undefined ? context.now : await startClock(start, context);
    const service = await startSandbox({ port, host, plan, now }).catch((error: unknown) => {
      throw listenError({ host, port }, error);
    });
    context.stdout.stream.write(`base address  ${service.baseUrl}\ntoken         ${service.token}\n`);
    if (!isLoopback(new URL(service.baseUrl)))
      report.warn(
        `other machines can reach this sandbox on ${host}; its data are synthetic, and its token is no secret`,
      );
    const limits = plan && plan !== "none" ? await describePlanNamed(plan) : undefined;
    if (limits !== undefined) report.note(`plan ${plan}: ${limits}`);
    const clock =
      start === undefined
        ? ""
        : `its clock started at ${formatTimestamp(now() + offsetMinutes * MINUTE, offsetMinutes)}; `;
    report.note(`synthetic data; ${clock}stop with Ctrl-C`);
    if (!context.signal.aborted) await once(context.signal, "abort");
    await service.close();
    // Exits with the code of the signal.
    context.signal.throwIfAborted();
  },
});

async function describePlanNamed(plan: string): Promise<string | undefined> {
  const { describePlanLimits, findPlanLimits } = await import("../settings/key-limits.ts");
  const limits = findPlanLimits(plan, undefined);
  return limits && describePlanLimits(limits);
}

const { offsetMinutes } = NETWORKS.NEM;

/** A clock that starts at a given time and runs on. @throws {EntsError} usage: not a valid time. */
async function startClock(start: string, { now }: Context): Promise<() => number> {
  const { parseWhen } = await import("../time/when.ts");
  const begun = now();
  const ahead =
    parseWhen(start, "start", { network: "NEM", offsetMinutes, now: begun }) - offsetMinutes * MINUTE - begun;
  return () => now() + ahead;
}

function listenError({ host, port }: { readonly host: string; readonly port: number }, cause: unknown): EntsError {
  const code = codeOf(cause) ?? "";
  if (["EADDRNOTAVAIL", "ENOTFOUND", "EAI_AGAIN", "EINVAL"].includes(code))
    return new EntsError("usage", `cannot listen on ${host}: it is no address of this machine`, {
      cause,
      hint: "use another --host, such as 0.0.0.0 for all",
    });
  const reasons: Readonly<Record<string, string>> = { EADDRINUSE: "it is in use", EACCES: "permission denied" };
  return new EntsError("usage", `cannot listen on port ${port}: ${reasons[code] ?? messageOf(cause)}`, {
    cause,
    hint: "use another --port, or omit it for any free port",
  });
}
