/** Databases that read a dataset while other processes update it never see fewer rows than before. */
import { describe, expect, test } from "vitest";
import { askClickhouse, askDuckdb, DATABASES } from "../columnar/readers.ts";
import { envFor } from "../faults/world-service.ts";
import { FULL, isDue } from "../support/extent.ts";
import { createPlace, day, HOURLY, type Place } from "./datasets.ts";

const COMMAND = [
  "network",
  "NEM",
  "-m",
  "power",
  "-i",
  "1h",
  "-s",
  "2025-01-05",
  "-g",
  "region",
  "--max-window",
  "none",
];
const NIGHTS = 6;

/** The hours of two series in January and February. */
const countHours = (now: number) => (now - day(4) + (now - day(20))) / 3_600_000;

async function update({ home, service }: Place): Promise<void> {
  const run = await home.spawn([...COMMAND, "-o", "d", "--partition", "day", "--update", "-q"], {
    env: envFor(service),
  });
  expect(run).toMatchObject({ code: 0, stderr: "" });
}

/** The row counts that are read during the nights. */
async function readDuring(place: Place, count: () => number | Promise<number>): Promise<number[]> {
  await update(place);
  const counts = [await count()];
  let done = false;
  const nights = (async () => {
    for (let night = 1; night <= NIGHTS; night++) {
      place.now = day(40 + night);
      await update(place);
    }
    done = true;
  })();
  while (!done) {
    counts.push(await count());
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await nights;
  return [...counts, await count()];
}

function expectGrowth(counts: readonly number[]): void {
  expect(counts).toEqual(counts.toSorted((a, b) => a - b));
  expect([counts[0], counts.at(-1)]).toEqual([countHours(day(40)), countHours(day(40 + NIGHTS))]);
}

describe.runIf(FULL && isDue(DATABASES !== undefined))("with ENTS_TEST_DATABASES", () => {
  test("DuckDB", async () => {
    const place = await createPlace(HOURLY, day(40));
    const files = `read_parquet('${place.home.path("d")}/*/*/*/*.parquet', hive_partitioning = true)`;
    expectGrowth(await readDuring(place, async () => (await askDuckdb(`SELECT count(*) FROM ${files}`))[0] ?? 0));
    expect(await askDuckdb(`SELECT count(DISTINCT day), min(year) FROM ${files} WHERE month = 1`)).toEqual([27, 2025]);
  });

  test("ClickHouse", async () => {
    const place = await createPlace(HOURLY, day(40));
    const files = `file('${place.home.path("d")}/*/*/*/*.parquet', Parquet)`;
    expectGrowth(await readDuring(place, () => askClickhouse(`SELECT count() FROM ${files}`)[0] ?? 0));
    expect(askClickhouse(`SELECT count() FROM ${files} WHERE toMonth(timestamp_local) = 1`)).toEqual([
      27 * 24 + 11 * 24,
    ]);
  });
});
