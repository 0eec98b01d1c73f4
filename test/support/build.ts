/** Builds `dist` before the tests if it is older than `src`, so that the end-to-end tests run the real binary. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SRC = join(ROOT, "src");
const DIST = join(ROOT, "dist");
/** One file of each build step; a step rewrites all of its files. */
const LIBRARY = join(DIST, "index.js");
const BUNDLE = join(DIST, "command", "start.cjs");

export function setup(): void {
  const changedMs = Math.max(...listFiles(SRC).map((name) => statSync(name).mtimeMs));
  const isBuilt = (output: string) => existsSync(output) && statSync(output).mtimeMs >= changedMs;
  if (isBuilt(LIBRARY) && isBuilt(BUNDLE)) return;
  rmSync(DIST, { recursive: true, force: true });
  compile();
  execFileSync(process.execPath, [join("scripts", "bundle", "build.mjs")], { cwd: ROOT, stdio: ["ignore", 2, 2] });
}

/** Type errors are only printed: the build emits despite them, and `npm run types` rejects them. */
function compile(): void {
  const tsc = join(ROOT, "node_modules", "typescript", "bin", "tsc");
  try {
    execFileSync(process.execPath, [tsc, "-p", join(ROOT, "tsconfig.build.json")], {
      cwd: ROOT,
      stdio: ["ignore", 2, 2],
    });
  } catch (error) {
    if (!existsSync(LIBRARY)) throw error;
    process.stderr.write("test/support/build.ts: the build has errors\n");
  }
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true, encoding: "utf8" })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
