/** README's lines for the real service work with a free key, today and next year. */
import { describe, expect, test } from "vitest";
import { QUOTAS } from "../../src/base/vocabulary.ts";
import { createHome } from "../support/run-ents.ts";
import { readPlainLine } from "../support/shell-words.ts";
import { listBlocks, readPage } from "./markdown.ts";

const DAY = 86_400_000;
const OFFSET = 10 * 3_600_000;

const lines = listBlocks(readPage("README.md"))
  .filter(({ language }) => language === "sh")
  .flatMap((block) => block.lines)
  .flatMap((line) => line.match(/\bents (?:network|facilities|market) .*/g) ?? [])
  .filter((line) => !line.includes("--sandbox"))
  .map((line) => line.replace(/ -[of] \S+/g, ""));

test("there are some", () => {
  expect(lines.length).toBeGreaterThanOrEqual(4);
});

describe.each(lines)("%s", (line) => {
  test("asks for nothing that is older than a community key's history", async () => {
    const { args = [] } = readPlainLine(line) ?? {};
    const { code, stdout } = await createHome().run([...args, "--dry-run", "-f", "json", "-q"]);
    expect(code).toBe(0);
    const { requests } = JSON.parse(stdout) as { requests: readonly { url: string }[] };
    const starts = requests.map(({ url }) => Date.parse(`${new URL(url).searchParams.get("date_start")}Z`));
    expect(Math.min(...starts)).toBeGreaterThan(Date.now() + OFFSET - QUOTAS.community.historyDays * DAY);
  });
});
