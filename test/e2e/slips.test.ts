/** A slip loses nothing: whatever the flags, a file with rows still has rows afterwards, or is unchanged. */
import { readFileSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { draws } from "../support/extent.ts";
import { createHome } from "../support/run-ents.ts";
import { createVirtualClock } from "../support/virtual-clock.ts";

const NOW = Date.UTC(2025, 1, 10, 2);
const OLD = "timestamp,network,metric,unit,value\n2025-01-01T00:00:00+10:00,NEM,power,MW,1\n";
/** The least that any row format holds besides its header. */
const DATA = /\d{4}-\d\d-\d\d|"data": \[\n/;

const flag = (name: string, ...values: readonly string[]) =>
  fc.constantFrom(...values).map((value) => `${name} ${value}`);
/** None, one or several of them. */
const someOf = (...flags: readonly fc.Arbitrary<string>[]) =>
  fc.tuple(...flags.map((one) => fc.option(one, { nil: "", freq: 2 }))).map((words) => words.join(" "));

const REGION = flag("-r", "NSW1", "NSW", "nsw1", "QLD1 SA1", "WEM", "XX", "queensland");
/** Short windows, among them reversed ones and ones without data: before the records begin, or in the future. */
const WINDOWS =
  "2025-02-09|yesterday|-3h|2025-01-31 -e 2025-02-01|2025-02-09 -e 2025-02-01|1995-01-01 -e 1995-01-02|2026-01-01 -e now";
const COMMON = [
  flag("-s", ...WINDOWS.split("|")),
  flag("-i", "1h", "1d", "5m", "1M"),
  flag("-f", "csv", "ndjson", "json"),
  flag("--pivot", "region", "fueltech", "unit_code"),
  fc.constantFrom("--complete", "--shape wide", "--require-complete", "--no-header", "--no-resume"),
];
const LINES = fc.oneof(
  someOf(
    REGION,
    flag("--fueltech", "wind", "solar", "Wind", "coal", "nuclear"),
    flag("-g", "region", "fueltech", "network"),
    ...COMMON,
  ).map((flags) => `network NEM -m power ${flags}`),
  someOf(REGION, flag("-g", "region", "network"), ...COMMON).map((flags) => `market NEM -m price ${flags}`),
  someOf(
    REGION,
    flag("--facility-code", "BAYSW", "baysw", "bayswater", "ALBANY", "BAYSW XX"),
    flag("--unit-code", "BW01", "bw01", "BW1", "ARWF1"),
    flag("--facility", "hornsdale", "hornsdle", "xyzzy"),
    ...COMMON,
  ).map((flags) => `facilities NEM -m energy ${flags}`),
);

test("an export that succeeds has data in its file; any other leaves the file unchanged", async () => {
  const ends = new Map<number | null, number>();
  await fc.assert(
    fc.asyncProperty(LINES, async (line) => {
      const home = createHome();
      writeFileSync(home.path("p.csv"), OLD);
      const args = [...line.split(" ").filter((word) => word !== ""), "-o", "p.csv", "--sandbox"];
      const { code, stderr } = await home.run(args, { clock: { ...createVirtualClock(), now: () => NOW } });
      ends.set(code, (ends.get(code) ?? 0) + 1);
      const text = readFileSync(home.path("p.csv"), "utf8");
      const isWhole = code === 0 ? text !== OLD && DATA.test(text) : text === OLD || (code === 7 && DATA.test(text));
      expect(isWhole, `${line}\n${code} ${stderr}`).toBe(true);
    }),
    { numRuns: draws(40, 100) },
  );
  // All three ends occurred: done, refused, and without data.
  expect([...ends.keys()].filter((code) => code === 0 || code === 2)).toHaveLength(2);
});
