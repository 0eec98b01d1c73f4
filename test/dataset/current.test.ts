/** Files made from the same answers as the night before are left alone, and their answers are not even read. */
import { appendFileSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { some } from "../support/extent.ts";
import { createNights, createSeries, expectWhole, type Nights, REGIONS } from "../update/nights.ts";

const MONTHS = ["--partition", "month", "-f", "csv"];

/** A dataset whose first update is on day 70. */
function createDataset(recheck = "0", service: Parameters<typeof createNights>[2] = {}, series = REGIONS): Promise<Nights> {
  return createNights([...MONTHS, "--max-window", "8d", "--recheck", recheck], series, { file: "power", first: 70, ...service });
}

const JANUARY = "year=2026/month=01/data.csv";

function listAnswers({ home }: Nights): string[] {
  return readdirSync(home.path("power/.ents"))
    .filter((name) => name.endsWith(".gz"))
    .toSorted()
    .map((name) => home.path(`power/.ents/${name}`));
}

/** A modification time for files that must not change. */
const TIME = new Date("2026-01-01");

function spoil(path: string): void {
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0, Math.floor(bytes.length * 0.7)));
}

test("answers are read only for files that change", async () => {
  const nights = await createDataset();
  const [first = "", ...others] = listAnswers(nights).filter((path) => path.includes("/2026-01"));
  expect(others.length).toBeGreaterThan(2);
  for (const path of others) utimesSync(path, TIME, TIME);
  const { requests } = await nights.night(71, "-e", "2026-03-11");
  for (const path of others) {
    spoil(path);
    utimesSync(path, TIME, TIME);
  }
  const night = await nights.night(72, "-e", "2026-03-12");
  expect(night).toMatchObject({
    requests,
    stderr: expect.stringContaining("wrote 1 partition (year=2026/month=03), 2 unchanged") as string,
  });
  await expectWhole(nights, "-e", "2026-03-12");
  // A changed modification time forces a read; the first answer is always read, as it shows where intervals start.
  for (const path of [first, ...others]) spoil(path);
  expect((await nights.night(73)).requests).toBe(requests + 1 + others.length);
  await expectWhole(nights);
});

test("a file that was edited or deleted is written again, whatever its size and time", async () => {
  const nights = await createDataset();
  const path = nights.home.path(`power/${JANUARY}`);
  utimesSync(path, TIME, TIME);
  await nights.night(71);
  spoil(path);
  utimesSync(path, TIME, TIME);
  expect((await nights.night(72)).stderr).toContain("wrote 2 partitions (year=2026/month=01 to year=2026/month=03), 1 unchanged");
  await expectWhole(nights);
  rmSync(path);
  expect((await nights.night(73)).stderr).toContain("wrote 2 partitions");
  await expectWhole(nights);
});

test.each(some(1, ["digests", "files"]))("what is remembered in %s may be lost, or damaged", async (name) => {
  const nights = await createDataset();
  for (const [index, change] of [rmSync, (path: string) => appendFileSync(path, "x"), spoil].entries()) {
    change(nights.home.path(`power/.ents/${name}`));
    const { requests } = await nights.night(71 + index);
    expect(requests).toBe(2);
    await expectWhole(nights);
  }
});

test.each(some(1, [[["--time-zone", "UTC"]], [["--shape", "wide"]], [["--no-header"]]]))("with %j, all files are others", async (flags) => {
  const nights = await createDataset();
  await nights.night(71);
  expect((await nights.night(72, ...flags)).stderr).toContain("wrote 3 partitions");
  await expectWhole(nights, ...flags);
});

test("a restated value of January is in the file of January, and in no other one that is written", async () => {
  const nights = await createDataset("all");
  await nights.night(71);
  nights.world.mark = (text) => text.replace(/("2026-01-10T05:00:00[^"]*",)[^\]]*/, "$1 7");
  const { stderr } = await nights.night(72);
  expect(stderr).toContain("1 unchanged");
  await expectWhole(nights);
});

test("what is required of the fetched part is looked for in all of its points, also where no file changes", async () => {
  const nights = await createDataset("0", {}, [createSeries("NSW1", [30, 31], [70, 71])]);
  nights.goTo(73);
  const [first, second] = [await nights.update("--require-complete"), await nights.update("--require-complete")];
  expect(second.stderr).toContain("wrote 0 partitions, 3 unchanged");
  for (const run of [first, second])
    expect(run).toMatchObject({ code: 7, stderr: expect.stringMatching(/\b24 of .* have no value/) as string });
});

test("a gap over a whole month is filled once its series is back", async () => {
  const series = [createSeries("NSW1", [3, 3.25]), createSeries("VIC1", [20, 72])];
  const nights = await createDataset("0", { fillsGaps: true }, series);
  await nights.night(71);
  await expectWhole(nights);
  await nights.night(75);
  await expectWhole(nights);
});
