/** The values of a list flag: separated by spaces or commas, repeated, or one per line in `@file`. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { addAbortSignal } from "node:stream";
import type { Context } from "../base/context.ts";
import { codeOf, messageOf, usageError } from "../base/errors.ts";

type ListContext = Pick<Context, "stdin" | "signal" | "cwd">;

/** @throws {EntsError} usage: a file that cannot be read. */
export async function expandList(values: readonly string[], context: ListContext): Promise<string[]> {
  const lists: string[][] = [];
  for (const value of values) lists.push(value.startsWith("@") ? splitLines(await readSource(value, context)) : splitCommas(value));
  return lists.flat();
}

async function readSource(value: string, { stdin, signal, cwd }: ListContext): Promise<string> {
  if (value === "@-") {
    const chunks: Buffer[] = [];
    for await (const chunk of addAbortSignal(signal, stdin.stream)) chunks.push(Buffer.from(chunk as Uint8Array));
    return Buffer.concat(chunks).toString("utf8");
  }
  try {
    return readFileSync(resolve(cwd, value.slice(1)), "utf8");
  } catch (error) {
    const reason = codeOf(error) === "ENOENT" ? "no such file" : messageOf(error);
    throw usageError(`cannot read ${value}: ${reason}`, "@file reads a file with one value per line; @- reads standard input");
  }
}

function splitLines(content: string): string[] {
  return content.split(/\r?\n/).flatMap((line) => splitCommas(line.replace(/#.*/, "")));
}

function splitCommas(value: string): string[] {
  return value
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
