/** The values of a list flag: separated by spaces, commas or semicolons, repeated, or one per line in `@file`. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { addAbortSignal } from "node:stream";
import type { Context } from "../base/context.ts";
import { codeOf, messageOf, usageError } from "../base/errors.ts";

type ListContext = Pick<Context, "stdin" | "signal" | "cwd">;

/** @throws {EntsError} usage: a file that cannot be read, or has no values. */
export async function expandList(values: readonly string[], context: ListContext): Promise<string[]> {
  const lists: string[][] = [];
  for (const value of values) lists.push(value.startsWith("@") ? await readList(value, context) : splitValues(value));
  return lists.flat();
}

async function readList(source: string, context: ListContext): Promise<string[]> {
  const text = decodeText(await readSource(source, context));
  const name = source === "@-" ? "standard input" : source;
  // Other than white space: a workbook, or a text in another encoding.
  if (/(?!\s)\p{Cc}/u.test(text)) throw usageError(`${name} is not text`, "save it as a text file (UTF-8) with one value per line");
  const values = splitLines(text);
  if (values.length > 0) return values;
  throw usageError(`${name} has no values`, HINT);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "no such file",
  EISDIR: "it is a directory",
  EACCES: "permission denied",
};

const HINT = "@file reads a file with one value per line; @- reads standard input";

async function readSource(source: string, { stdin, signal, cwd }: ListContext): Promise<Buffer> {
  if (source === "@-") {
    if (stdin.stream.readableEnded) throw usageError("@- can only be used once", "use @file for the other list");
    const chunks: Buffer[] = [];
    for await (const chunk of addAbortSignal(signal, stdin.stream)) chunks.push(Buffer.from(chunk as Uint8Array));
    return Buffer.concat(chunks);
  }
  try {
    return readFileSync(resolve(cwd, source.slice(1)));
  } catch (error) {
    throw usageError(`cannot read ${source}: ${REASONS[codeOf(error) ?? ""] ?? messageOf(error)}`, HINT);
  }
}

/** UTF-8, or UTF-16 as PowerShell and spreadsheets on Windows write it. */
function decodeText(bytes: Buffer): string {
  return bytes.toString(bytes[0] === 0xff && bytes[1] === 0xfe ? "utf16le" : "utf8");
}

/** A `#` inside a word is part of a code (`W/HOE#1`). Cells of a spreadsheet are separated by tabs, or semicolons where a comma is the decimal mark, and may be quoted. */
function splitLines(content: string): string[] {
  const lines = content.split(/\r\n?|\n/).map((line) => line.replace(/(?:^|\s)#.*/, ""));
  return lines
    .flatMap((line) => line.split("\t").flatMap(splitValues))
    .map((cell) => cell.replace(/^"(.*)"$/, "$1").trim())
    .filter((code) => code !== "");
}

function splitValues(value: string): string[] {
  return value
    .split(/[,;]/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
