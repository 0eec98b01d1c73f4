/** Each promise of docs/promises.md names tests that exist. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readPage, ROOT } from "./markdown.ts";

const page = readPage("docs/promises.md");
const promises = page
  .slice(0, page.indexOf("## What is not promised"))
  .split("\n")
  .filter((line) => line.startsWith("- "));

/** `([test](../test/….test.ts "words of its name"))` */
function listTests(promise: string): { readonly path: string; readonly name: string }[] {
  return [...promise.matchAll(/\[test\]\(\.\.\/(test\/\S+) "([^"]+)"\)/g)].map(([, path = "", name = ""]) => ({ path, name }));
}

test("each promise names a test, and the test is there", () => {
  expect(promises.length).toBeGreaterThan(25);
  expect(promises.filter((promise) => listTests(promise).length === 0)).toEqual([]);
  expect(promises.flatMap(listTests).filter((named) => !isThere(named))).toEqual([]);
});

function isThere({ path, name }: { readonly path: string; readonly name: string }): boolean {
  return existsSync(join(ROOT, path)) && readFileSync(join(ROOT, path), "utf8").includes(name);
}
