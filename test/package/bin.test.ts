/** If ents cannot run, bin/ents prints one clear line. */
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BIN, createFolder, ROOT, runAs, runCommand } from "./process.ts";

test.each(["0.10.48", "18.20.8", "20.9.0", "20.18.0"])("on Node %s it says which one it needs", (version) => {
  expect(runAs(version, [BIN, "--version"])).toEqual({
    code: 2,
    stdout: "",
    stderr: `ents: Node 20.18.1 or later is needed; this is v${version}\n`,
  });
});

test.each(["20.18.1", "20.19.0", "22.0.0", "24.1.0"])("on Node %s it runs", (version) => {
  expect(runAs(version, [BIN, "--version"]).code).toBe(0);
});

test("it names the Node of package.json, in syntax that every Node reads", () => {
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
