/** Renames over a file that another program has open, as on Windows: `rename` fails until it is closed. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { resolveTarget } from "../../src/export/destination/target.ts";
import { replaceFile } from "../../src/files/temporary.ts";
import { describeSystemError } from "../../src/files/system-error.ts";
import { ResponseFolder } from "../../src/store/response-folder.ts";
import { watchFileCalls } from "./file-calls.ts";
import { processOf } from "./processes.ts";

const folder = mkdtempSync(join(tmpdir(), "ents-replace-"));
const [from, to] = [join(folder, "new"), join(folder, "old")];
let failures: string[] = [];
let calls = 0;

beforeAll(async () => {
  await watchFileCalls(({ name }) => {
    if (name !== "rename" && name !== "rm") return;
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

test("a file that stays open is said to be open, and not that permissions are missing", () => {
  const held = (code: string, syscall: string) =>
    describeSystemError(Object.assign(new Error(code), { code, syscall }));
  for (const code of ["EPERM", "EACCES", "EBUSY"])
    expect(held(code, "rename")).toContain("another program has it open");
  expect(held("EACCES", "open")).toBe("permission denied");
});

test.each(["ENOENT", "ENOSPC", "EXDEV"])("%s fails at once", async (code) => {
  await expect(replaceWhile([code])).rejects.toMatchObject({ code });
  expect(calls).toBe(1);
});

test.each([true, false])(
  "a stored response that is open is removed once it is closed (to the history: %s)",
  async (isPast) => {
    const options = { output: "a.csv", isDataset: false, service: "http://127.0.0.1/", startedAt: 1 };
    const stored = new ResponseFolder(options, { cwd: folder, process: processOf(process.pid) });
    await stored.open();
    const response = { status: 200, receivedAt: 1, gzip: false, bytes: Buffer.from("{}"), retryAfter: undefined };
    const { name } = await stored.keep({ path: "/v4/data/network/NEM?date_start=2026-01-01T00%3A00%3A00", response });
    failures = ["EPERM", "EBUSY"];
    await stored.remove(() => true, new Set(isPast ? [name] : []));
    expect(failures).toEqual([]);
    expect(existsSync(join(folder, "a.csv.ents", name))).toBe(false);
    await stored.close(true);
  },
);

test("a disk that resolves no path, as some of Windows do, takes a file", async () => {
  const realpath = vi
    .spyOn(promises, "realpath")
    .mockRejectedValue(Object.assign(new Error("EISDIR"), { code: "EISDIR" }));
  syncBuiltinESMExports();
  expect(await resolveTarget(to, { cwd: folder, process: processOf(1) })).toMatchObject({ kind: "file", path: to });
  realpath.mockRestore();
  syncBuiltinESMExports();
});
