/** The commands for the real service, in README and on other pages, work with a free key, now and next year. */
import { basename } from "node:path/posix";
import { describe, expect, test } from "vitest";
import { QUOTAS } from "../../src/base/vocabulary.ts";
import { createHome } from "../support/run-ents.ts";
import { readPlainLine } from "../support/shell-words.ts";
import { listBlocks, readPage } from "./markdown.ts";

const DAY = 86_400_000;
const NEXT_YEAR = Date.UTC(2027, 10, 25);
const OFFSET = 10 * 3_600_000;
/** Languages of blocks that the other tests do not run. */
const LANGUAGES = ["sh", "crontab", "ini", "yaml"];

const lines = ["README.md", "docs/every-night.md", "docs/follow-live.md", "docs/recipes.md", "docs/scripts.md"]
  .flatMap((page) => listBlocks(readPage(page)))
  .filter(({ language }) => LANGUAGES.includes(language))
  .flatMap((block) => block.lines)
  .flatMap((line) => line.match(/\bents (?:network|facilities|market) .*/g) ?? [])
  .filter((line) => !line.includes("--sandbox"))
  .map((line) =>
    line.replace(/ -o (\S+)/, (_, path: string) => ` -o ${basename(path)}${path.endsWith("/") ? "/" : ""}`),
  );

test("there are some commands", () => {
  expect(lines.length).toBeGreaterThanOrEqual(10);
});

describe.each([...new Set(lines)])("%s", (line) => {
  test("needs no data older than a community key's history", async () => {
    const { args = [] } = readPlainLine(line) ?? {};
    const { code, stdout, stderr } = await createHome().run([...args, "--dry-run", "-q"], {
      clock: { now: () => NEXT_YEAR },
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const starts = Array.from(stdout.matchAll(/date_start=([^&,]+)/g), ([, start = ""]) =>
      Date.parse(`${decodeURIComponent(start)}Z`),
    );
    expect(starts.length).toBeGreaterThan(0);
    expect(Math.min(...starts)).toBeGreaterThan(NEXT_YEAR + OFFSET - QUOTAS.community.historyDays * DAY);
  });
});

describe("docs/find-codes.md, with the list of the sandbox", () => {
  const found = listBlocks(readPage("docs/find-codes.md"))
    .filter(({ language }) => language === "sh")
    .flatMap(({ lines: all }) => all);

  test.each(found)("%s", async (line) => {
    const { args = [] } = readPlainLine(line) ?? {};
    const { code, stdout } = await createHome().run([...args, "--sandbox", "-f", "csv"]);
    expect(code).toBe(0);
    const rows = stdout.split("\n");
    expect(rows[0]).toBe("timestamp,network,metric,unit,unit_code,facility_name,capacity,value");
    expect(new Set(rows.slice(1, -1).map((row) => row.split(",")[5]))).toContain("Hornsdale");
  });
});
