/** Builds `dist` before the tests where it is older than `src`, so that the end-to-end tests run the real binary. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { dirname, join } from "node:path";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SRC = join(ROOT, "src");
const DIST = join(ROOT, "dist");
const BUNDLE = join(DIST, "command", "start.cjs");

export function setup(): void {
  const sources = listFiles(SRC, ".ts");
  const outputs = listFiles(DIST, ".js");
  for (const name of outputs) if (!sources.includes(name)) removeOutput(name);
  if (!sources.every(isBuilt)) compile();
  if (!sources.every((name) => isOlder(name, BUNDLE))) bundle();
}

function isBuilt(name: string): boolean {
  return isOlder(name, join(DIST, `${name}.js`));
}

function isOlder(name: string, output: string): boolean {
  return existsSync(output) && statSync(output).mtimeMs >= statSync(join(SRC, `${name}.ts`)).mtimeMs;
}

function bundle(): void {
  rmSync(dirname(BUNDLE), { recursive: true, force: true });
  execFileSync(process.execPath, [join("scripts", "bundle", "build.mjs")], { cwd: ROOT, stdio: ["ignore", 2, 2] });
}

/** Type errors are `npm run types`' to refuse: like vitest, the build emits in spite of them, so they are only shown. */
function compile(): void {
  const tsc = join(ROOT, "node_modules", "typescript", "bin", "tsc");
  try {
    execFileSync(process.execPath, [tsc, "-p", join(ROOT, "tsconfig.build.json")], { cwd: ROOT, stdio: ["ignore", 2, 2] });
  } catch (error) {
    if (!existsSync(DIST)) throw error;
    process.stderr.write("test/support/build.ts: the build has errors\n");
  }
}

/** The names of the files below `folder`, without their `ending`. */
function listFiles(folder: string, ending: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, -ending.length));
}

function removeOutput(name: string): void {
  for (const ending of [".js", ".d.ts"]) rmSync(join(DIST, name + ending), { force: true });
}
