/** No test reaches the network: a stray connection, even of a child process, fails the test that made it. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { threadId } from "node:worker_threads";
import { afterAll, afterEach, expect } from "vitest";

const PRELOAD = fileURLToPath(new URL("no-network-preload.cjs", import.meta.url));
createRequire(import.meta.url)(PRELOAD);

/** NODE_OPTIONS of child processes to watch. */
export const NO_NETWORK = `--require "${PRELOAD.replaceAll("\\", "/")}"`;

/** Further variables that a watched child process needs; children that inherit the environment have them. */
export function noNetworkEnv(): { NODE_OPTIONS: string; ENTS_STRAY_CONNECTIONS: string } {
  return { NODE_OPTIONS: NO_NETWORK, ENTS_STRAY_CONNECTIONS: strayFile() };
}

/** The stray connections since the last call, one per line, for a test that makes one on purpose. */
export function takeStrayConnections(): string[] {
  const file = strayFile();
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  rmSync(file);
  return lines.filter((line) => line !== "");
}

function strayFile(): string {
  return join(tmpdir(), `ents-stray-connections-${process.pid}-${threadId}`);
}

/** Watches the tests of the current file. */
export function watchNetwork(): void {
  Object.assign(process.env, noNetworkEnv());
  rmSync(strayFile(), { force: true });
  afterEach(expectNoStrayConnections);
  afterAll(expectNoStrayConnections);
}

function expectNoStrayConnections(): void {
  // Runs after every test, so it does nothing else if there are none.
  if (!existsSync(strayFile())) return;
  expect(takeStrayConnections(), "connections beyond loopback").toEqual([]);
}
