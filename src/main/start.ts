/** What runs first, and loads only what it must: a version is told without reading the program. */
import { keepCompiledCode } from "./compiled-code.ts";
import { readVersion } from "./version.ts";

if (process.argv.length === 3 && process.argv[2] === "--version") process.stdout.write(`${readVersion()}\n`);
else void start();

async function start(): Promise<void> {
  // On Node 20, compiling undici's parser at once is cheaper than well: 80 ms of a small request.
  if (Number.parseInt(process.versions.node, 10) < 22) process.getBuiltinModule("node:v8").setFlagsFromString("--liftoff-only");
  keepCompiledCode(process.env);
  const { runProcess } = await import("./process.ts");
  process.exitCode = await runProcess();
}
