/**
 * Each night, outputs of every format equal those of a new export; and any output can be made from the responses of
 * another.
 */
import { cpSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readFiles } from "../dataset/datasets.ts";
import { createHome } from "../support/run-ents.ts";
import { createNights, createSeries, expectWhole, type Nights, QUERY } from "./nights.ts";

const DAYS = QUERY.with(5, "1d");
const LONG = ["--shape", "long"];
const WIDE = ["--shape", "wide"];
const PIVOT = ["--pivot", "region"];

const FORMATS: readonly [file: string, ...flags: string[]][] = [
  ["power.csv", ...LONG, "--null", "-999", "--no-header"],
  ["power.parquet", ...LONG],
  ["power", "--partition", "month", "-f", "csv", ...PIVOT],
  ["power.xlsx"],
  ["power.csv.gz", ...PIVOT],
  ["power.json"],
  ["power.csv", ...WIDE, "--interval-end", "--time-format", "unix"],
  ["power.tsv", ...PIVOT, "--time-zone", "Australia/Sydney"],
  ["power.ndjson"],
  ["power.arrow", ...PIVOT],
  ["power.svg"],
  ["power.html"],
  ["power", "--partition", "day"],
];

/** One series appears, one disappears for longer than `--revise`, and values are restated. */
async function playNights(file: string, ...flags: string[]): Promise<Nights> {
  const [one, other] = [createSeries("NSW1", [4, 5], [7, 17.5]), createSeries("VIC1")] as const;
  const nights = await createNights([...flags, "--max-window", "4d"], [one, other], {
    file,
    query: DAYS,
    interval: "1d",
  });
  await nights.night(11);
  nights.change({ series: [one, { ...other, base: 9 }, createSeries('a\nb,"', [-10, 10.5])] });
  for (const days of [12, 18, 19, 34]) {
    await nights.night(days, "--revise", days === 12 ? "30d" : "7d");
    await expectWhole(nights);
  }
  return nights;
}

test.concurrent.for(FORMATS)("%s %s %s", async (form) => {
  const nights = await playNights(...form);
  expect((await remake(nights, form)).equals(readBytes(nights.home.path(form[0])))).toBe(true);
});

/** What the same command makes of the same answers in a new place. */
async function remake({ home, runIn, service }: Nights, [file, ...flags]: (typeof FORMATS)[number]): Promise<Buffer> {
  const place = createHome();
  const kept = flags.includes("--partition") ? `${file}/.ents` : `${file}.ents`;
  cpSync(home.path(kept), place.path(kept), { recursive: true });
  rmSync(place.path(join(kept, "journal.ndjson")));
  const requests = service.requests.length;
  const run = await runIn(place, [...DAYS, "-o", file, "--update", ...flags, "--max-window", "4d", "--revise", "7d"]);
  expect({ ...run, requests: service.requests.length }).toMatchObject({ code: 0, requests });
  return readBytes(place.path(file));
}

/** The hash of a file, or of all data in a folder. */
function readBytes(path: string): Buffer {
  if (/\.\w+$/.test(path)) return readFileSync(path);
  return Buffer.concat(
    Object.entries(readFiles(path)).flatMap(([name, bytes]) =>
      name.startsWith("year") ? [Buffer.from(name), bytes] : [],
    ),
  );
}

test("another zone, format, shape or pivot of the same answers asks for what any night asks", async () => {
  // In another zone, a date without an offset would be another time.
  const query = QUERY.map((word) => (word === "2026-01-01" ? "2026-01-01T00:00+10:00" : word));
  const nights = await createNights(["--max-window", "1d"], undefined, { query });
  await nights.night(30);
  const { requests } = await nights.night(30);
  expect(requests).toBeLessThanOrEqual(9);
  for (const flags of [
    ["--time-zone", "utc"],
    WIDE,
    PIVOT,
    ["--time-format", "unix"],
    ["-f", "ndjson"],
    ["--null", "NA", "--no-header"],
  ]) {
    expect((await nights.night(30, ...flags)).requests).toBe(requests);
    await expectWhole(nights, ...flags);
  }
});

test("a zone that is added later moves no start: dates stay those of the first run", async () => {
  const nights = await createNights();
  await nights.night(20);
  await nights.night(20, "--time-zone", "utc");
  expect((await nights.readOwn()).split("\n")[1]).toMatch(/^2025-12-31T14:00:00Z,/);
});
