import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import type { Context } from "../base/context.ts";
import { Interrupted, usageError } from "../base/errors.ts";

/**
 * A token from a prompt without echo on a terminal, else from the first line of standard input.
 * @throws {EntsError} usage: empty.
 */
export async function askToken(origin: string, { stdin, stderr, signal }: Pick<Context, "stdin" | "stderr" | "signal">): Promise<string> {
  if (stdin.isTerminal) stderr.stream.write(`Token for ${origin} (not shown): `);
  const line = await readLine(stdin, signal).finally(() => {
    if (stdin.isTerminal) stderr.stream.write("\n");
  });
  signal.throwIfAborted();
  const token = line?.trim();
  if (token) return token;
  throw usageError("no token was given", "type or paste it at the prompt, or use standard input: ents login < token.txt");
}

/** The first line, without echo; undefined where there is none or the signal aborts. */
function readLine({ stream, isTerminal }: Context["stdin"], signal: AbortSignal): Promise<string | undefined> {
  const noEcho = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stream, output: noEcho, terminal: isTerminal, signal });
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
