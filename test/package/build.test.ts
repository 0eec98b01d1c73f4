/** The build of a clean checkout, apart from the one that other tests use. */
import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFolder, ROOT, runCommand } from "./process.ts";

const NEEDED = ["bin", "scripts", "src", "package.json", "rolldown.config.mjs", "tsconfig.json", "tsconfig.build.json"];

test("it says nothing, and what it makes runs", () => {
  const checkout = createFolder();
  for (const name of NEEDED) cpSync(join(ROOT, name), join(checkout, name), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(checkout, "node_modules"), "dir");
  expect(runCommand(["npm", "run", "--silent", "build"], checkout)).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(existsSync(join(checkout, "dist", "THIRD-PARTY-NOTICES"))).toBe(true);
  expect(runCommand([process.execPath, join(checkout, "bin", "ents"), "metrics", "--help"], checkout).code).toBe(0);
});

test("the command imports nothing dynamically: compiled code that is kept cannot", () => {
  const folder = join(ROOT, "dist/command");
  const chunks = readdirSync(folder).filter((name) => name.endsWith(".cjs"));
  expect(chunks.length).toBeGreaterThan(10);
  expect(chunks.filter((name) => /\bimport\(/.test(readFileSync(join(folder, name), "utf8")))).toEqual([]);
});

test("the entry point loads one small chunk before compiled code is kept", () => {
  const folder = join(ROOT, "dist/command");
  const entry = readFileSync(join(folder, "start.cjs"), "utf8");
  const [atOnce = ""] = entry.split("function ");
  expect(atOnce.match(/require\("[^"]+"\)/g)).toEqual([expect.stringMatching(/^require\("\.\/first-/)]);
});
