/** Renames over a file that another program has open, as on Windows: `rename` fails until it is closed. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { replaceFile } from "../../src/files/replace-file.ts";
import { watchFileCalls } from "./file-calls.ts";

const folder = mkdtempSync(join(tmpdir(), "ents-replace-"));
const [from, to] = [join(folder, "new"), join(folder, "old")];
let failures: string[] = [];
let calls = 0;

beforeAll(async () => {
  await watchFileCalls(({ name }) => {
    if (name !== "rename") return;
    calls++;
    const code = failures.shift();
    if (code !== undefined) throw Object.assign(new Error(code), { code });
  });
});

afterAll(() => rmSync(folder, { recursive: true }));

async function replaceWhile(codes: readonly string[]): Promise<void> {
  writeFileSync(from, "new");
  writeFileSync(to, "old");
  failures = [...codes];
  calls = 0;
  await replaceFile(from, to);
}

test("waits until the file is closed", async () => {
  await replaceWhile(["EPERM", "EACCES", "EBUSY"]);
  expect(calls).toBe(4);
  expect(readFileSync(to, "utf8")).toBe("new");
  expect(existsSync(from)).toBe(false);
});

test("after a second, it fails, and both files are unchanged", async () => {
  const started = performance.now();
  await expect(replaceWhile(Array<string>(100).fill("EPERM"))).rejects.toMatchObject({ code: "EPERM" });
  expect(performance.now() - started).toBeGreaterThan(900);
  expect([from, to].map((path) => readFileSync(path, "utf8"))).toEqual(["new", "old"]);
});

test.each(["ENOENT", "ENOSPC", "EXDEV"])("%s fails at once", async (code) => {
  await expect(replaceWhile([code])).rejects.toMatchObject({ code });
  expect(calls).toBe(1);
});
