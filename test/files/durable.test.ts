/**
 * Files are synced before they are renamed into place: after a power cut, there is the old file or the complete new
 * one.
 */
import { readdirSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";
import { createHome } from "../support/run-ents.ts";
import { type FileCall, watchFileCalls } from "./file-calls.ts";

const DAY = [
  "market",
  "NEM",
  "-m",
  "price",
  "-i",
  "1h",
  "-s",
  "2025-01-01",
  "-e",
  "2025-01-01",
  "--max-window",
  "12h",
  "--sandbox",
];

test("a response and the output are written, synced and renamed, and then the output's directory is synced", async () => {
  const calls: FileCall[] = [];
  await watchFileCalls((call) => calls.push(call));
  const home = createHome();
  expect(await home.run([...DAY, "-o", "out.csv"])).toMatchObject({ code: 0 });
  expect(readdirSync(home.folder)).toEqual(["out.csv"]);
  const renames = calls.filter(({ name }) => name === "rename");
  expect(renames.map(({ to }) => basename(to).replace(/^[^.]+[.][0-9a-f]+[.][0-9]+/, "*"))).toEqual([
    "*.json.gz",
    "*.json.gz",
    "out.csv",
  ]);
  for (const { path } of renames) {
    const names = calls.filter((call) => call.path === path).map(({ name }) => name);
    expect(names.length).toBeGreaterThan(2);
    expect(names.slice(0, -2)).not.toContain("sync");
    expect(names.slice(-2)).toEqual(["sync", "rename"]);
  }
  const after = calls.slice(calls.findLastIndex(({ name }) => name === "rename") + 1);
  expect(after.filter(({ name, path }) => name !== "open" && path === home.folder).map(({ name }) => name)).toEqual([
    "sync",
  ]);
});
