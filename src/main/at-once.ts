/** Writes to standard output without loading the program: the version and help. */
import { fstatSync, readFileSync, writeSync } from "node:fs";
import { findHelpWidth } from "../cli/help-width.ts";
import { attempt, codeOf } from "../base/errors.ts";
import { findAccess } from "../files/descriptors.ts";

/** Standard output; if it is closed (`>&-`), a stream on which every write fails. */
export function openStandardOutput(): typeof process.stdout {
  if (!isClosed()) return process.stdout;
  // Loaded late: streams take 4 ms to load, and --version needs none.
  const { Writable } = process.getBuiltinModule("node:stream");
  return new Writable({
    write: (chunk: Buffer, _encoding, done) => done(chunk.length === 0 ? undefined : closedError()),
  }) as typeof process.stdout;
}

/** Writes without a stream, which takes 2 to 6 ms to load. @throws the system's error. */
export function writeSynchronously(text: string): void {
  if (isClosed()) throw closedError();
  const bytes = Buffer.from(text);
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(1, bytes, written);
  } catch (error) {
    // Another program that has it open made it non-blocking: Node's stream waits.
    if (codeOf(error) !== "EAGAIN") throw error;
    process.stdout.write(bytes.subarray(written));
  }
}

function closedError(): Error {
  return Object.assign(new Error("it is closed"), { code: "EBADF" });
}

/**
 * At startup, Node replaces a closed descriptor by the null device, open for reading and writing. Programs that discard both
 * outputs of another may open the null device in the same way: then standard output is not closed.
 */
function isClosed(): boolean {
  const isReplaced = (fd: number) => findAccess(fd) === "both" && fstatSync(fd).rdev === NULL_DEVICE;
  return isReplaced(1) && !isReplaced(2);
}

/** The device number of /dev/null: major 1, minor 3. */
const NULL_DEVICE = 0x103;

/** From package.json, two folders above this module both in src and in the bundle. */
export function readVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as { readonly version: string };
  return manifest.version;
}

/** Help printed by the build (scripts/bundle/help.mjs); undefined at other widths, and for more than a command and `--help`. */
export function findHelp(argv: readonly string[]): string | undefined {
  const words = argv.slice(0, -1);
  if (!["-h", "--help"].includes(argv.at(-1) ?? "") || !words.every((word) => /^[a-z]+$/.test(word))) return undefined;
  // Loads the stream only for a terminal: that takes longer than everything else.
  const columns = process.getBuiltinModule("node:tty").isatty(1) ? process.stdout.columns : undefined;
  const name = ["ents", ...words].join("-");
  const read = (file: string) =>
    attempt(() => readFileSync(new URL(`help/${file}.${findHelpWidth(columns)}.txt`, import.meta.url), "utf8"));
  // `-h` has its own file if it is shorter.
  return (argv.at(-1) === "-h" ? read(`${name}-h`) : undefined) ?? read(name);
}
