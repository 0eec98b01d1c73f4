/** What runs first, and loads only what it must: a version is told without reading the program. */
import { readVersion } from "./version.ts";

if (process.argv.length === 3 && process.argv[2] === "--version") process.stdout.write(`${readVersion()}\n`);
else void start();

async function start(): Promise<void> {
  keepCompiledCode();
  const { runProcess } = await import("./process.ts");
  process.exitCode = await runProcess();
}

/** Node 22 and later keep compiled code between runs. On Node 20, compiling undici's parser at once is cheaper than well. */
function keepCompiledCode(): void {
  const nodeModule: object = process.getBuiltinModule("node:module");
  if ("enableCompileCache" in nodeModule) (nodeModule as { enableCompileCache: () => void }).enableCompileCache();
  else process.getBuiltinModule("node:v8").setFlagsFromString("--liftoff-only");
}
