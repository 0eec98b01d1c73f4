/** docs/promises-tests.md names existing tests for each promise of docs/promises.md. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listTableRows, readPage, ROOT } from "./markdown.ts";

const page = readPage("docs/promises.md");
const rows = listTableRows(readPage("docs/promises-tests.md"), "promise").map(
  ([promise = "", name = "", file = ""]) => ({
    promise,
    name: /^`(.+)`$/.exec(name)?.[1] ?? "",
    path: /\]\(\.\.\/(test\/\S+)\)$/.exec(file)?.[1] ?? "",
  }),
);

/** The bold words that begin each promise. */
function listPromises(): string[] {
  const promises = page.slice(0, page.indexOf("## What is not promised"));
  return Array.from(promises.matchAll(/^- (?:\*\*(.+?)\.?\*\*)?/gm), ([, words = ""]) => words);
}

test("each promise has its tests, and nothing else is listed", () => {
  expect(listPromises().length).toBeGreaterThan(25);
  expect(rows[0]?.promise).not.toBe("");
  expect(rows.map(({ promise }) => promise).filter((promise) => promise !== "")).toEqual(listPromises());
});

test("each test exists", () => {
  expect(rows.filter((row) => !isThere(row))).toEqual([]);
});

function isThere({ path, name }: { readonly path: string; readonly name: string }): boolean {
  return (
    path !== "" && name !== "" && existsSync(join(ROOT, path)) && readFileSync(join(ROOT, path), "utf8").includes(name)
  );
}
