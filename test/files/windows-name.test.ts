/** Names that Windows does not take for files. */
import { expect, test } from "vitest";
import { findNameProblem } from "../../src/files/windows-name.ts";

test.each([
  ["aux.csv", "device"],
  ["con", "device"],
  ["data\\nul.csv", "device"],
  ["COM1.tar.gz", "device"],
  ["lpt\u00b9.csv", "device"],
  ["price.", "end with"],
  ["price.csv ", "end with"],
  ["data./price.csv", "end with"],
  ["ab:c.csv", '":"'],
  ["price.csv:stream", '":"'],
  ["price?.csv", '"?"'],
  [`${"x".repeat(252)}.csv`, "too long"],
  ['"price".csv', '"\\""'],
  ["a\tb.csv", '"\\t"'],
])("%j: %s", (path, problem) => {
  expect(findNameProblem(path)).toContain(problem);
});

test.each([
  "price.csv",
  "C:price.csv",
  "c:\\data\\price.csv",
  "\\\\server\\share\\price.csv",
  "\\\\?\\C:\\data\\price.csv",
  "..\\price.csv",
  "./auxiliary.csv",
  "console.csv",
  "com10.csv",
  ".hidden",
  "data/",
])("%j is none", (path) => {
  expect(findNameProblem(path)).toBeUndefined();
});
