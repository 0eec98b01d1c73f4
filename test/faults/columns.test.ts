/** What only a later window reveals: a column that earlier ones lack, or another value for the same moment. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createHomeWithFile, expectUntouched } from "../e2e/old-file.ts";
import { hours, type World } from "./world.ts";
import { CUT, fetchWhole, OUT, PIECES, QUERY, runIn, startWorldService } from "./world-service.ts";

const COLUMNS: Readonly<Record<string, Partial<World>>> = {
  "a label": {
    series: [{ labels: { region: "NSW1" } }, { labels: { region: "NSW1", fueltech: "wind" }, from: hours(5) }],
  },
  "a label, and later one more": {
    series: [
      { labels: {} },
      { labels: { region: "NSW1" }, from: hours(2.5) },
      { labels: { region: "NSW1", fueltech: "wind" }, from: hours(5) },
    ],
  },
};

const FORMATS = [["csv"], ["tsv", "--shape", "wide"], ["ndjson"]] as const;
const CASES = Object.entries(COLUMNS).flatMap(([name, world]) =>
  FORMATS.map((flags) => [name, flags.join(" "), world, flags] as const),
);

test.concurrent.for(CASES)("%s that appears later, as %s into a file", async ([, , world, flags]) => {
  const service = await startWorldService({ world });
  const home = createHomeWithFile();
  const run = await runIn({ home, service }, [...QUERY, ...CUT, "-f", ...flags, "-o", OUT]);
  expect(run).toEqual({ code: 0, signal: null, stdout: "", stderr: "" });
  expect(readFileSync(home.path(OUT), "utf8")).toBe(await fetchWhole(QUERY, ["-f", ...flags], world));
  expect(readdirSync(home.folder)).toEqual([OUT]);
  // The restart reuses what is kept; requests that were in progress are sent again, at most three for each column.
  expect(service.requests.length).toBeLessThanOrEqual(PIECES + 3 * ((world.series?.length ?? 0) - 1));
});

test.concurrent.for(CASES)("%s that appears later, as %s on standard output", async ([, , world, flags]) => {
  const service = await startWorldService({ world });
  const run = await runIn({ service }, [...QUERY, ...CUT, "-f", ...flags]);
  expect(run).toMatchObject({
    code: 4,
    stderr: expect.stringMatching(/^ents: a later window has columns[^\n]*\n {6}[^\n]*-o/) as string,
  });
});

test.concurrent("without resume the header cannot be written again, and the message says so", async () => {
  const service = await startWorldService({ world: COLUMNS["a label"] ?? {} });
  const home = createHomeWithFile();
  const run = await runIn({ home, service }, [...QUERY, ...CUT, "-o", OUT, "--no-resume"]);
  expect(run).toMatchObject({ code: 4, stderr: expect.stringContaining("without --no-resume") as string });
  expectUntouched(home);
});

test.concurrent.for(["json", "table"])("%s holds the whole result, so a column may appear late", async (format) => {
  const world = COLUMNS["a label"] ?? {};
  const service = await startWorldService({ world });
  const run = await runIn({ service }, [...QUERY, ...CUT, "-f", format]);
  expect(run).toMatchObject({ code: 0, stdout: await fetchWhole(QUERY, ["-f", format], world), stderr: "" });
});

/** The third window has a point of the second, five minutes before its own start. */
function startDisagreeing(value: string) {
  return startWorldService({
    play: ({ piece, good }) =>
      piece === 2
        ? {
            ...good,
            body: String(good.body).replace('"data":[["', `"data":[["2025-01-01T01:55:00+10:00",${value}],["`),
          }
        : undefined,
  });
}

test.concurrent("two responses disagree away from their boundary: a warning names the series, the moment and both values", async () => {
  const before = await fetchWhole(QUERY, ["-f", "csv"]);
  const row = before.split("\n").find((line) => line.startsWith("2025-01-01T01:55:00+10:00,NEM,power,MW,NSW1,")) ?? "";
  const value = row.split(",").at(-1) ?? "";
  expect(value).toMatch(/^\d+\.\d\d$/);
  const run = await runIn({ service: await startDisagreeing("-12.50") }, [...QUERY, ...CUT, "-f", "csv"]);
  expect(run.stderr).toBe(
    `ents: warning: two responses disagree on power_NSW1_false at 2025-01-01T01:55:00+10:00: ${value} in the earlier, -12.50 in the later; using the later\n`,
  );
  expect(run).toMatchObject({ code: 0, stdout: before.replace(row, row.replace(value, "-12.50")) });
  const quiet = await runIn({ service: await startDisagreeing("-12.50") }, [...QUERY, ...CUT, "-f", "csv", "-q"]);
  expect(quiet).toEqual({ code: 0, signal: null, stdout: run.stdout, stderr: "" });
  expect(await runIn({ service: await startDisagreeing(value) }, [...QUERY, ...CUT, "-f", "csv"])).toEqual({
    code: 0,
    signal: null,
    stdout: before,
    stderr: "",
  });
});
