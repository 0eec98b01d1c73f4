/** README's quick start has exactly the two commands that .ci/run takes from it. */
import { expect, test } from "vitest";
import { listBlocks, readPage } from "./markdown.ts";

test("the first block after '## Quick start' has two commands", () => {
  const page = readPage("README.md");
  const [block] = listBlocks(page.slice(page.indexOf("\n## Quick start\n")));
  expect(block?.language).toBe("sh");
  expect(block?.lines.filter((line) => line.trim() !== "" && !line.trim().startsWith("#"))).toEqual([
    "npm ci && ./bin/ents network NEM --metrics power energy --sandbox",
    "npm ci && npm test",
  ]);
});
