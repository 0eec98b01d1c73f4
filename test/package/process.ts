/** The real program as a process, in a folder that is its home. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { atEndOfFile } from "../support/cleanup.ts";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
export const BIN = join(ROOT, "bin", "ents");

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "ents-package-"));
  atEndOfFile(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs a command whose environment is only `home`, `env` and the path. */
export function runCommand(
  [file = "", ...args]: readonly string[],
  home: string,
  env: Readonly<Record<string, string>> = {},
): Ended {
  const whole = { PATH: process.env["PATH"], HOME: home, ENTS_CONFIG_DIR: join(home, "config"), ...env };
  const { status, stdout, stderr } = spawnSync(file, args, { cwd: home, env: whole, encoding: "utf8" });
  return { code: status, stdout, stderr };
}

/** Runs a program on a Node that pretends to be another version. */
export function runAs(version: string, args: readonly string[]): Ended {
  const home = createFolder();
  const preload = join(home, "old.cjs");
  writeFileSync(
    preload,
    `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } });
Object.defineProperty(process, "version", { value: "v${version}" });\n`,
  );
  return runCommand([process.execPath, ...args], home, { NODE_OPTIONS: `--require=${preload}` });
}
