/** ents as users have it: packed, unpacked into an empty project, with its declared dependencies only. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

export interface Installed {
  /** The empty project with ents installed. */
  readonly project: string;
  readonly bin: string;
  readonly version: string;
  /** The paths of the packed files. */
  readonly files: readonly string[];
}

/**
 * Links the dependencies from this repository instead of installing them, as no test reaches the network. What ents
 * does not declare is missing, so a forgotten dependency shows.
 */
export function installPacked(): Installed {
  const project = mkdtempSync(join(tmpdir(), "ents-package-"));
  const home = join(project, "node_modules", "ents");
  mkdirSync(home, { recursive: true });
  execFileSync("tar", ["-xzf", pack(project), "-C", home, "--strip-components=1"]);
  const manifest = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as Manifest;
  for (const name of Object.keys(manifest.dependencies)) link(project, name);
  writeFileSync(join(project, "package.json"), '{ "private": true, "type": "module" }\n');
  const files = readdirSync(home, { recursive: true, withFileTypes: true, encoding: "utf8" })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(home.length + 1));
  return { project, bin: join(home, "bin", "ents"), version: manifest.version, files };
}

/** `--ignore-scripts`: the build exists already (test/support/build.ts), and other tests are running it. */
function pack(folder: string): string {
  const args = ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder];
  const env = { ...process.env, npm_config_update_notifier: "false" };
  const name = execFileSync("npm", args, { cwd: ROOT, env, encoding: "utf8" }).trim().split("\n").at(-1) ?? "";
  return join(folder, name);
}

function link(project: string, name: string): void {
  const path = join(project, "node_modules", name);
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(join(ROOT, "node_modules", name), path, "dir");
}

/** Compiles test/package/consumer in the project; returns the path of the program. */
export function compileConsumer(project: string): string {
  link(project, "@types/node");
  cpSync(fileURLToPath(new URL("consumer", import.meta.url)), project, { recursive: true });
  const tsc = join(ROOT, "node_modules", "typescript", "bin", "tsc");
  try {
    execFileSync(process.execPath, [tsc, "-p", project], { encoding: "utf8" });
  } catch (error) {
    throw new Error(`the consumer does not compile:\n${(error as { stdout: string }).stdout}`, { cause: error });
  }
  return join(project, "out", "program.js");
}
