/** What is said without loading the program: the version, and help. */
import { fstatSync, readFileSync, writeSync } from "node:fs";
import { findHelpWidth } from "../cli/help-width.ts";
import { codeOf } from "../base/errors.ts";
import { findAccess } from "../files/descriptors.ts";

/** Standard output; where it is closed (`>&-`), a stream on which every write fails. */
export function openStandardOutput(): typeof process.stdout {
  if (!isClosed()) return process.stdout;
  // Streams take 4 ms to load, which --version does without.
  const { Writable } = process.getBuiltinModule("node:stream");
  return new Writable({ write: refuse }) as typeof process.stdout;
}

/** Writes without a stream, which takes 2 to 6 ms to load. @throws the system's error. */
export function writeAtOnce(text: string): void {
  if (isClosed()) throw closedError();
  const bytes = Buffer.from(text);
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(1, bytes, written);
  } catch (error) {
    // Another program that has it open does not want to wait: then Node does.
    if (codeOf(error) !== "EAGAIN") throw error;
    process.stdout.write(bytes.subarray(written));
  }
}

function refuse(chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
  done(chunk.length === 0 ? undefined : closedError());
}

function closedError(): Error {
  return Object.assign(new Error("it is closed"), { code: "EBADF" });
}

/**
 * Node opens the null device in place of a closed stream, to read and to write; `> /dev/null` is to write only. Programs
 * that discard both outputs of another (Node's `stdio: "ignore"`) may open it as Node does.
 */
function isClosed(): boolean {
  return isReplaced(1) && !isReplaced(2);
}

/** Major 1, minor 3. */
const NULL_DEVICE = 0x103;

function isReplaced(fd: number): boolean {
  return findAccess(fd) === "both" && fstatSync(fd).rdev === NULL_DEVICE;
}

/** From package.json, two folders above this module, compiled or bundled. */
export function readVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as { readonly version: string };
  return manifest.version;
}

const HELP = new Set(["-h", "--help"]);

/**
 * Help as the build has printed it (scripts/bundle/help.mjs), without loading the program; undefined for a command line that
 * is more than a command and `--help`, and on a terminal of another width.
 */
export function findHelp(argv: readonly string[]): string | undefined {
  const words = argv.slice(0, -1);
  if (!HELP.has(argv.at(-1) ?? "") || !words.every((word) => /^[a-z]+$/.test(word))) return undefined;
  const name = `help/${["ents", ...words].join("-")}.${findHelpWidth(findColumns())}.txt`;
  try {
    return readFileSync(new URL(name, import.meta.url), "utf8");
  } catch {
    return undefined;
  }
}

/** A stream takes longer to load than the rest. */
function findColumns(): number | undefined {
  return process.getBuiltinModule("node:tty").isatty(1) ? process.stdout.columns : undefined;
}
