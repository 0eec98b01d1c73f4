/** The entry point; `--version` prints without loading the program. */
import { keepCompiledCode } from "./compiled-code.ts";
import { readVersion } from "./version.ts";

if (process.argv.length === 3 && process.argv[2] === "--version") process.stdout.write(`${readVersion()}\n`);
else void start();

async function start(): Promise<void> {
  // Node 20: baseline-compile undici's wasm; optimising it costs 80 ms more.
  if (Number.parseInt(process.versions.node, 10) < 22) process.getBuiltinModule("node:v8").setFlagsFromString("--liftoff-only");
  keepCompiledCode(process.env);
  const { runProcess } = await import("./process.ts");
  process.exitCode = await runProcess();
}
