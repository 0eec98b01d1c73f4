/** The entry point; `--version` and help print without loading the program. */
import { isBrokenPipe } from "../base/errors.ts";
import { EXIT_CODES } from "../cli/exit-codes.ts";
import { keepCompiledCode } from "./compiled-code.ts";
import { findHelp, readVersion, writeAtOnce } from "./at-once.ts";

/** Whether a signal stopped the run: then nothing else may keep the process alive, such as output that nobody reads. */
export const stopped = choose(process.argv.slice(2))();

function choose(argv: readonly string[]): () => Promise<boolean> {
  const [first, ...rest] = argv;
  if (first === "__complete") return () => completeLine(rest);
  const text = first === "--version" && rest.length === 0 ? `${readVersion()}\n` : findHelp(argv);
  return text === undefined ? start : () => print(text);
}

async function print(text: string): Promise<boolean> {
  try {
    writeAtOnce(text);
  } catch (error) {
    if (isBrokenPipe(error)) return false;
    const { describeSystemError } = await import("../files/system-error.ts");
    process.stderr.write(`ents: cannot write to standard output: ${describeSystemError(error)}\n`);
    process.exitCode = EXIT_CODES.output.code;
  }
  return false;
}

/** For the completion of a shell. */
async function completeLine(args: readonly string[]): Promise<boolean> {
  keepCompiledCode(process.env);
  const { runCompletion } = await import("./complete.ts");
  await runCompletion(args);
  return false;
}

async function start(): Promise<boolean> {
  // Node 20: baseline-compile undici's wasm; optimising it costs 80 ms more.
  if (Number.parseInt(process.versions.node, 10) < 22) process.getBuiltinModule("node:v8").setFlagsFromString("--liftoff-only");
  keepCompiledCode(process.env);
  const { runProcess } = await import("./process.ts");
  const code = await runProcess();
  process.exitCode = code;
  return code === EXIT_CODES.SIGINT.code || code === EXIT_CODES.SIGTERM.code;
}
