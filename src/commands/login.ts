import { createInterface } from "node:readline";
import { addAbortSignal, type Readable, Writable } from "node:stream";
import { defineCommand } from "../cli/command.ts";
import { EntsError, Interrupted, usageError } from "../base/errors.ts";
import { decodeText } from "../base/text-encoding.ts";
import { FETCH_OPTIONS } from "../options/fetch-options.ts";
import { flagOf, type OptionTable } from "../options/spec.ts";
import type { Context } from "../base/context.ts";

const { baseUrl, timeout, retries } = FETCH_OPTIONS;
const OPTIONS = {
  verify: { negated: true, help: "store the token without checking it", schema: "flag" },
  baseUrl,
  timeout,
  retries,
} as const satisfies OptionTable;

export const login = defineCommand({
  argumentsHint:
    "run 'ents login', which asks for the token; or use standard input: ents login < token.txt\na token on the command line stays in the shell's history",
  options: { Login: OPTIONS },
  examples: [
    { command: "ents login", does: "prompts for the token without showing it" },
    { command: "pass show openelectricity | ents login", does: "reads the token from another program" },
  ],
  run: async ({ options, context, report }) => {
    const [{ findBaseUrl, loadSettings }, { checkToken, checkTransport }, { storeToken }] = await Promise.all([
      import("../settings/settings.ts"),
      import("../settings/token.ts"),
      import("../settings/store-token.ts"),
    ]);
    const settings = await loadSettings(context);
    const address = findBaseUrl(options.baseUrl, settings);
    checkTransport(address);
    const value = checkToken(await askToken(address.origin, context), "from standard input");
    let plan: string | undefined;
    if (options.verify) {
      const { fetchPlanLimits, readAccount } = await import("../source/account.ts");
      const token = { value, source: "", replace: "run 'ents login' again and paste the token in full" };
      const account = await readAccount({ baseUrl: address, token }, { context, report, fetch: options }).catch(
        explainUnchecked,
      );
      const { origin } = address;
      if (account)
        report.note(`token accepted by ${origin}${account.plan ? ` (plan: ${account.plan.toLowerCase()})` : ""}`);
      else report.note(`token not checked: ${origin} does not answer /v4/me`);
      plan = (await fetchPlanLimits(account?.plan, address, { context, report }))?.plan;
    }
    await storeToken(address, { value, plan }, { settings, context, report });
  },
});

/** @throws the error; if the service is unavailable, with a hint that the token was not stored. */
function explainUnchecked(error: unknown): never {
  if (!(error instanceof EntsError) || error.kind !== "unavailable") throw error;
  const outcome = `the token was not stored; to store it without checking it, use ${flagOf("verify", OPTIONS.verify)}`;
  throw error.withHint([error.hint, outcome].filter(Boolean).join("\n"));
}

/**
 * From a prompt without echo on a terminal, else from the first line of standard input. @throws {EntsError} usage:
 * empty.
 */
async function askToken(origin: string, { stdin, stderr, signal }: Context): Promise<string> {
  const reading = readLine(stdin, signal);
  // Only now, as the terminal shows what is typed before that.
  if (stdin.isTerminal) stderr.stream.write(`Token for ${origin} (not shown): `);
  const line = await reading.finally(() => {
    if (stdin.isTerminal) stderr.stream.write("\n");
  });
  signal.throwIfAborted();
  const token = line?.trim();
  if (token) return token;
  throw usageError(
    "no token was given",
    "type or paste it at the prompt, or use standard input: ents login < token.txt",
  );
}

/** The first line, without echo; undefined if there is none or the signal aborts. */
function readLine({ stream, isTerminal }: Context["stdin"], signal: AbortSignal): Promise<string | undefined> {
  return isTerminal ? readTyped(stream, signal) : readFirstLine(stream, signal);
}

async function readFirstLine(stream: Readable, signal: AbortSignal): Promise<string> {
  let bytes = Buffer.alloc(0);
  for await (const chunk of addAbortSignal(signal, stream)) {
    bytes = Buffer.concat([bytes, chunk as Uint8Array]);
    if (bytes.includes("\n")) break;
  }
  return (decodeText(bytes) ?? bytes.toString("latin1")).split(/\r?\n/, 1).join("");
}

function readTyped(stream: Readable, signal: AbortSignal): Promise<string | undefined> {
  const noEcho = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stream, output: noEcho, terminal: true, signal });
  return new Promise((resolve, reject) => {
    lines.once("line", (line) => {
      resolve(line);
      lines.close();
    });
    lines.once("SIGINT", () => {
      reject(new Interrupted("SIGINT"));
      lines.close();
    });
    lines.once("close", () => resolve(undefined));
  });
}
