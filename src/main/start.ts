/** The entry point. TAB and `--version` are answered without the program. */
import { statSync, writeFileSync, readFileSync, renameSync, rmSync } from "node:fs";
import { resolve, basename, dirname, join } from "node:path";
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
  // Node 20: baseline-compile undici's wasm; optimising it costs 80 ms more.
  if (Number.parseInt(process.versions.node, 10) < 22)
    process.getBuiltinModule("node:v8").setFlagsFromString("--liftoff-only");
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

/** Keeps compiled code for the next run, in a folder that no other user may write to. */
function keepCompiledCode(): void {
  const cache = findCacheDirectory(process.env, process.platform);
  if (cache === undefined || process.env["NODE_DISABLE_COMPILE_CACHE"]) return;
  const folder = resolve(cache, "code");
  makeFolder(folder);
  const { uid, mode } = statSync(folder);
  if (process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0)) keepCompiled(folder);
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
  const { runProcess } = await import("./main.ts");
  const code = await runProcess(warnings);
  process.exitCode = code;
  return code === EXIT_CODES.SIGINT.code || code === EXIT_CODES.SIGTERM.code;
}

interface CompiledModule {
  readonly exports: unknown;
  _compile: (this: CompiledModule, source: string, file: string) => unknown;
}

/**
 * Keeps the compiled code of the modules in this folder for the next run. A small request then starts in 0.8 of the time
 * with Node's own cache (`module.enableCompileCache`, from 22.1 on). V8 refuses what another version of it has compiled,
 * or with other flags. `cache`: a folder that no other user may write to.
 */
function keepCompiled(cache: string): void {
  const { Script, constants } = process.getBuiltinModule("node:vm");
  const { Module } = process.getBuiltinModule("node:module");
  const { prototype } = Module as unknown as { readonly prototype: CompiledModule };
  const compile = prototype._compile;
  const options = {
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    // The lines of a stack lead to src by columns without the wrapper.
    columnOffset: -Module.wrap("").indexOf("\n"),
  };
  const compiled: (() => void)[] = [];
  prototype._compile = function compileOnce(source, file) {
    if (dirname(file) !== __dirname) return compile.call(this, source, file);
    const path = join(cache, `${basename(file)}.${process.version}`);
    const cachedData = attempt(() => readCompiled(path));
    const script = new Script(Module.wrap(source), { ...options, filename: file, cachedData });
    if (!cachedData || script.cachedDataRejected) compiled.push(() => writeCompiled(path, script.createCachedData()));
    const module = script.runInThisContext() as (...values: unknown[]) => unknown;
    return module.call(this.exports, this.exports, Module.createRequire(file), this, file, dirname(file));
  };
  // Functions are compiled when they are called first.
  process.once("exit", () => {
    for (const write of compiled) write();
  });
}

/** Written twice, so that damage is noticed: V8 ends the process on damaged code. To compare takes less than a sum. */
function writeCompiled(path: string, code: Buffer): void {
  const temporary = `${path}.${process.pid}`;
  try {
    writeFileSync(temporary, Buffer.concat([code, code]), { mode: 0o600 });
    renameSync(temporary, path);
  } catch {
    rmSync(temporary, { force: true });
  }
}

function readCompiled(path: string): Buffer | undefined {
  const bytes = readFileSync(path);
  const code = bytes.subarray(0, bytes.length / 2);
  return code.equals(bytes.subarray(bytes.length / 2)) ? code : undefined;
}
