/** The entry point. TAB and `--version` are answered without the program. */
import { statSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { attempt } from "../base/errors.ts";
import { EXIT_CODES } from "../base/exit-codes.ts";
import { isOutputClosed } from "../files/descriptors.ts";
import { findCacheDirectory, makeFolder, unsetRelativeFolders } from "../files/folders.ts";
import { readVersion } from "./version.ts";

/**
 * For a Node that was built without Intl: texts are split into code points, and only time zones and their names are
 * missing.
 */
class PlainSegmenter {
  readonly segment = (text: string) => Array.from(text, (segment) => ({ segment }));
}

/** True if a signal stopped the run; then nothing else, such as unread output, may keep the process alive. */
export const stopped = run(process.argv.slice(2));

async function run(argv: readonly string[]): Promise<boolean> {
  if (!("Intl" in globalThis)) Object.assign(globalThis, { Intl: { Segmenter: PlainSegmenter } });
  const warnings = keepWarnings();
  unsetRelativeFolders(process.env);
  const [first, ...rest] = argv;
  if (first === "--version" && rest.length === 0 && printVersion()) return false;
  attempt(keepCompiledCode);
  if (first !== "__complete") return runProgram(warnings);
  await completeLine(rest);
  return false;
}

/**
 * Keeps Node's warnings, such as that certificates are not checked, for the end: it would print them with `--quiet`,
 * and as text.
 */
function keepWarnings(): readonly Error[] {
  const warnings: Error[] = [];
  // None with NODE_NO_WARNINGS.
  const isPrinted = process.listenerCount("warning") > 0;
  if (isPrinted) process.removeAllListeners("warning").on("warning", (warning) => void warnings.push(warning));
  return warnings;
}

/** False if it cannot be written: the program reports that. */
function printVersion(): boolean {
  return (
    attempt(() => {
      if (isOutputClosed()) return false;
      writeFileSync(1, `${readVersion()}\n`);
      return true;
    }) ?? false
  );
}

/** Node 22.1 and later keep compiled code for the next run, here in a folder that no other user may write to. */
function keepCompiledCode(): void {
  const cache = findCacheDirectory(process.env, process.platform);
  // TypeScript knows the oldest Node alone.
  const { enableCompileCache } = process.getBuiltinModule("node:module") as {
    readonly enableCompileCache?: (folder: string) => void;
  };
  if (cache === undefined || enableCompileCache === undefined) return;
  const folder = resolve(cache, "code");
  makeFolder(folder);
  const { uid, mode } = statSync(folder);
  if (process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0)) enableCompileCache(folder);
}

/** `ents __complete`, which a shell's completion script runs on TAB: fast, and silent on errors. */
async function completeLine(args: readonly string[]): Promise<void> {
  try {
    const [{ answerShell }, { COMMANDS }] = await Promise.all([
      import("../cli/completion/answer.ts"),
      import("../commands/all.ts"),
    ]);
    // Without a stream, which takes 2 to 6 ms to load.
    writeFileSync(
      1,
      await answerShell(args, {
        commands: COMMANDS,
        env: process.env,
        cwd: attempt(() => process.cwd()) ?? "",
        uid: process.getuid?.(),
      }),
    );
  } catch {
    // A message would appear in the middle of the command line.
  }
}

async function runProgram(warnings: readonly Error[]): Promise<boolean> {
  // Node 20: baseline-compile undici's wasm; optimising it costs 80 ms more.
  if (Number.parseInt(process.versions.node, 10) < 22)
    process.getBuiltinModule("node:v8").setFlagsFromString("--liftoff-only");
  const { runProcess } = await import("./main.ts");
  const code = await runProcess(warnings);
  process.exitCode = code;
  return code === EXIT_CODES.SIGINT.code || code === EXIT_CODES.SIGTERM.code;
}
