/** The entry point; `--version` and help print without loading the program. */
import { isBrokenPipe } from "../base/errors.ts";
import { EXIT_CODES } from "../cli/exit-codes.ts";
import { unsetRelativeFolders } from "../files/folders.ts";
import { enableCodeCache } from "./compiled-code.ts";
import { findHelp, readVersion, writeSynchronously } from "./at-once.ts";

/** True if a signal stopped the run; then nothing else, such as unread output, may keep the process alive. */
export const stopped = run(process.argv.slice(2));

async function run(argv: readonly string[]): Promise<boolean> {
  unsetRelativeFolders(process.env);
  const [first, ...rest] = argv;
  const text = first === "--version" && rest.length === 0 ? `${readVersion()}\n` : findHelp(argv);
  if (first === "__complete") await completeLine(rest);
  else if (text === undefined) return runProgram();
  else await print(text);
  return false;
}

async function print(text: string): Promise<void> {
  try {
    writeSynchronously(text);
  } catch (error) {
    if (isBrokenPipe(error)) return;
    const { describeSystemError } = await import("../files/system-error.ts");
    process.stderr.write(`ents: cannot write to standard output: ${describeSystemError(error)}\n`);
    process.exitCode = EXIT_CODES.output.code;
  }
}

/** `ents __complete`, which a shell's completion script runs on TAB: fast, and silent on errors. */
async function completeLine(args: readonly string[]): Promise<void> {
  enableCodeCache();
  try {
    const [{ answerShell }, { COMMANDS }] = await Promise.all([import("../cli/completion/answer.ts"), import("../commands/all.ts")]);
    writeSynchronously(await answerShell(args, { commands: COMMANDS, env: process.env, cwd: process.cwd(), uid: process.getuid?.() }));
  } catch {
    // A message would appear in the middle of the command line.
  }
}

async function runProgram(): Promise<boolean> {
  // Node 20: baseline-compile undici's wasm; optimising it costs 80 ms more.
  if (Number.parseInt(process.versions.node, 10) < 22) process.getBuiltinModule("node:v8").setFlagsFromString("--liftoff-only");
  enableCodeCache();
  const { runProcess } = await import("./main.ts");
  const code = await runProcess();
  process.exitCode = code;
  return code === EXIT_CODES.SIGINT.code || code === EXIT_CODES.SIGTERM.code;
}
