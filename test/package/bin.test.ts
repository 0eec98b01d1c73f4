/** bin/ents where ents cannot run: one clear line. */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BIN, createFolder, type Ended, ROOT, runCommand } from "./process.ts";

/** Runs `ents` on a Node that says it is another. */
function runAs(version: string): Ended {
  const home = createFolder();
  const preload = join(home, "old.cjs");
  writeFileSync(
    preload,
    `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } });
Object.defineProperty(process, "version", { value: "v${version}" });\n`,
  );
  return runCommand([process.execPath, BIN, "--version"], home, { NODE_OPTIONS: `--require=${preload}` });
}

test.each(["0.10.48", "18.20.8", "20.9.0", "20.18.0"])("on Node %s it says which one it needs", (version) => {
  expect(runAs(version)).toEqual({ code: 2, stdout: "", stderr: `ents: Node 20.18.1 or later is needed; this is v${version}\n` });
});

test.each(["20.18.1", "20.19.0", "22.0.0", "24.1.0"])("on Node %s it runs", (version) => {
  expect(runAs(version).code).toBe(0);
});

test("it needs the Node that package.json names, and is written for any", () => {
  const { engines } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { engines: { node: string } };
  const program = readFileSync(BIN, "utf8");
  expect(program).toContain(`Node ${engines.node.replace(">=", "")} or later`);
  expect(program).not.toMatch(/=>|\b(const|let|class|async|import)\b|`|[?][.]/);
});

test("before a build it says how to build", () => {
  const home = createFolder();
  const bin = join(home, "bin", "ents");
  mkdirSync(join(home, "bin"));
  copyFileSync(BIN, bin);
  const ended = runCommand([process.execPath, bin, "--version"], home);
  expect(ended).toEqual({ code: 2, stdout: "", stderr: `ents: not built yet: run 'npm run build' in ${home}\n` });
});
