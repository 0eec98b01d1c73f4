/** Whether others can write to a folder. */
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findExposure } from "../../src/files/own-folder.ts";
import { HAS_MODES } from "../support/platform.ts";

const OWN = process.getuid?.() ?? 0;
let root: string;

beforeAll(() => void (root = mkdtempSync(join(tmpdir(), "ents-folder-"))));
afterAll(() => rmSync(root, { recursive: true }));

function make(name: string, mode: number): string {
  const folder = join(root, name);
  mkdirSync(folder);
  chmodSync(folder, mode);
  return folder;
}

test.skipIf(!HAS_MODES).each([
  [0o700, undefined],
  [0o755, undefined],
  [0o775, "other users can write to it"],
  [0o707, "other users can write to it"],
])("a folder of mode %o", async (mode, exposure) => {
  expect((await findExposure(make(`mode-${mode}`, mode), OWN))?.why).toBe(exposure);
});

test.skipIf(!HAS_MODES)("another user's", async () => {
  expect((await findExposure(make("others", 0o755), OWN + 1))?.why).toBe("it belongs to another user");
});

test("one that looks like every new folder there, as on file systems without permissions", async () => {
  // Another user sees all new folders here as somebody else's.
  expect(await findExposure(make("any", 0o700), OWN + 1)).toBeUndefined();
  expect(readdirSync(root).filter((name) => name.startsWith("any"))).toEqual(["any"]);
});

test("without users, any real folder is fine", async () => {
  expect(await findExposure(make("windows", 0o777), undefined)).toBeUndefined();
});
