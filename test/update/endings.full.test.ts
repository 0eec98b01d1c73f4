/**
 * No night ends in the same failure for ever: what a clock, a spelling, a plan or a lost file has done ends by itself,
 * or as the message says.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { DAY, HOUR } from "../../src/time/local-time.ts";
import { refusal } from "../e2e/envelopes.ts";
import { some } from "../support/extent.ts";
import {
  at,
  createNights,
  createSeries,
  expectWhole,
  type Nights,
  QUERY,
  readAsked,
  readChanges,
  REGIONS,
  START,
} from "./nights.ts";

/** A segment a day. */
const CELLS = ["--max-window", "1d", "--concurrency", "1", "--retries", "0"];
const [NSW, VIC] = REGIONS as [(typeof REGIONS)[0], (typeof REGIONS)[0]];

/** The service refuses what begins before a day, as a plan's history does. */
function forget(nights: Nights, day: () => number, isSo: (url: string) => boolean = () => true): void {
  nights.fail(
    refusal(400, "Date start is too far in the past. Your plan allows data from the last 730 days."),
    (_, url) => {
      const start = Date.parse(`${new URL(url, "http://x").searchParams.get("date_start")}Z`);
      return start < START + day() * DAY && isSo(url);
    },
  );
}

describe("timestamps without seconds", () => {
  const shorten = ({ world }: Nights) => (world.mark = (text) => text.replaceAll(/(?<=T\d\d:\d\d):00(?=\+)/g, ""));

  test.concurrent("have all rows in an update, too", async () => {
    const nights = await createNights(CELLS, REGIONS, { first: 0 });
    shorten(nights);
    await nights.night(10);
    expect(nights.read().split("\n").length).toBeGreaterThan(480);
    await expectWhole(nights);
    await nights.night(11);
    await expectWhole(nights);
  });

  test.concurrent("from one night on are another form: older responses are asked for again, and the same values are no change", async () => {
    const nights = await createNights(CELLS, REGIONS, { first: 20 });
    shorten(nights);
    await nights.night(21);
    await expectWhole(nights);
    expect(readChanges(nights.kept)).toEqual([]);
  });
});

test.concurrent.each(some(1, [1, 3]))(
  "what updates every %d hours lack for six hours is withdrawn then",
  async (hours) => {
    const nights = await createNights(CELLS);
    nights.change({ series: [NSW, createSeries("VIC1", [9.25, 9.5])] });
    const told: string[] = [];
    for (let time = 0; time <= 6; time += hours) told.push((await nights.night(11 + time / 24)).stderr);
    expect(told.slice(0, -1).every((one) => / 0 withdrawn, 6 held back/.test(one))).toBe(true);
    expect(told.at(-1)).toMatch(/ 6 withdrawn, /);
    await expectWhole(nights);
  },
);

test.concurrent("what was lacking at different times is withdrawn at different times", async () => {
  const nights = await createNights(CELLS);
  nights.change({ series: [NSW, createSeries("VIC1", [9.25, 9.5])] });
  await nights.night(11);
  nights.change({ series: [NSW, createSeries("VIC1", [9.25, 9.75])] });
  await nights.night(11 + 4 / 24);
  expect((await nights.night(11 + 7 / 24)).stderr).toMatch(/ 6 withdrawn, 6 held back/);
  expect((await nights.night(11 + 11 / 24)).stderr).toMatch(/ 6 withdrawn, \d/);
  await expectWhole(nights);
});

test.concurrent("monthly values go on once their start has passed the key's history", async () => {
  const query = QUERY.with(5, "1M");
  const nights = await createNights([], REGIONS, { query, interval: "1M", first: 400 });
  forget(nights, () => (nights.world.now - START) / DAY - 730);
  for (const day of [700, 800, 1200]) await nights.night(day);
  nights.recover();
  await expectWhole(nights);
});

test.concurrent("with --max-window none, the message proposes a new output with a later start", async () => {
  const query = QUERY.with(5, "1M");
  const nights = await createNights(["--max-window", "none"], REGIONS, { query, interval: "1M", first: 400 });
  forget(nights, () => (nights.world.now - START) / DAY - 730);
  nights.goTo(800);
  const { code, stderr } = await nights.update();
  const says =
    /last 730 days\.\n.*power\.csv stays as it is, .*\n.*for newer data, start a new output with -o and -s 2026-04-01 or later/;
  expect([code, stderr]).toEqual([4, expect.stringMatching(says)]);
  expect(
    await nights.run(...query.with(7, "2026-04-01"), "--max-window", "none", "--update", "-o", "new.csv"),
  ).toMatchObject({ code: 0 });
});

test.concurrent("a value beyond -e, which the output never had, may go", async () => {
  const nights = await createNights(CELLS, REGIONS, { query: QUERY.slice(0, -1), first: 0 });
  await nights.night(10.9, "-e", "2026-01-10T12:00");
  nights.change({ series: [NSW, createSeries("VIC1", [9.75, 10])] });
  for (const day of [11.5, 12, 13]) await nights.night(day, "-e", "2026-01-10T12:00");
  await nights.night(14);
  await expectWhole(nights);
});

describe("a clock", () => {
  test.concurrent("that was ahead by more than a segment: --overwrite ends it, as the message says", async () => {
    const nights = await createNights(CELLS);
    nights.skew = 4 * DAY;
    await nights.night(11);
    nights.skew = 0;
    nights.goTo(12);
    const { code, stderr } = await nights.update();
    expect([code, stderr]).toEqual([6, expect.stringMatching(/from the future.*\n.*clock.*\n.*--overwrite/)]);
    await nights.night(12, "--overwrite");
    for (const day of [12.5, 13, 14, 16, 17]) await nights.night(day);
    await expectWhole(nights);
  });

  test.concurrent("that was slow by more than a segment: what --overwrite accepts then stays accepted, though older responses have more", async () => {
    const nights = await createNights([...CELLS, "--recheck", "0"]);
    await nights.night(11.5);
    nights.skew = -30 * HOUR;
    nights.goTo(11.6);
    expect((await nights.update("--overwrite")).code).toBe(0);
    nights.skew = 0;
    nights.change({
      series: REGIONS.map((one) => ({
        ...one,
        present: [[at(-3000), at(10.25)] as const, [at(10.5), at(11)] as const],
      })),
    });
    nights.goTo(11.7);
    expect(await nights.update()).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(/no data from 2026-01-12.*--overwrite/s) as string,
    });
    await nights.night(11.7, "--overwrite");
    for (const day of [11.8, 11.9, 13, 14]) await nights.night(day);
    await expectWhole(nights);
  });

  test.concurrent("that was two hours slow: what was restated in these hours is in the log, and not added", async () => {
    const nights = await createNights(CELLS, REGIONS, { query: QUERY.slice(0, -1) });
    const { now } = nights.world;
    nights.skew = -2 * HOUR;
    await nights.update();
    nights.skew = 0;
    nights.change({ series: [{ ...NSW, base: 8 }, VIC] });
    nights.world.now = now + HOUR;
    const { stderr } = await nights.update("--recheck", "all");
    // The newest hour may have been in progress: it is not added again.
    expect(stderr).toMatch(/: 2 values added, 263 restated/);
    expect(readChanges(nights.kept)).toHaveLength(263);
  });
});

test.concurrent("a new unit's years beyond the key's history are out of reach: said once, and asked for again with another plan", async () => {
  const units = ["A1", "B1"].map((unit_code) => ({ ...createSeries("NSW1"), labels: { unit_code } }));
  const query = "facilities NEM -m power -i 1h -s 2026-01-01 --complete".split(" ");
  const nights = await createNights([...CELLS, "--unit-code", "A1"], units, { query, first: 20 });
  forget(nights, () => 12);
  const night = (day: number, ...flags: string[]) => nights.night(day, "--unit-code", "A1", "B1", ...flags);
  const says =
    /note: could not fetch 2026-01-01 to 2026-01-02 and 11 other parts: .*last 730 days.*; out of reach until the plan changes \(or --recheck all\)/;
  expect((await night(21)).stderr).toMatch(says);
  const { stderr, requests } = await night(22);
  expect([stderr.includes("out of reach"), requests]).toEqual([false, expect.any(Number)]);
  expect(requests).toBeLessThan(25);
  expect(readAsked(nights).some((one) => one.startsWith("0 "))).toBe(false);
  const rows = nights.read().split("\n").length;
  nights.recover();
  const journal = `${nights.kept}/journal.ndjson`;
  writeFileSync(journal, readFileSync(journal, "utf8").replaceAll('"plan":"community"', '"plan":"another"'));
  await night(23);
  expect(nights.read().split("\n").length).toBe(rows + 24 + 24 + 12 * 24);
});

describe("a series that has ended, whose last segments lose their only values", () => {
  const spoil = ({ change }: Nights) => change({ series: [createSeries("NSW1", [7, 3000])] });

  test.concurrent("is exit 5 while a segment is open; after that, a second such response is believed for all", async () => {
    const nights = await createNights(CELLS, [createSeries("NSW1", [9.5, 3000])]);
    spoil(nights);
    const codes: (number | null)[] = [];
    for (const day of [12, 16.5, 17.5, 18, 19]) {
      nights.goTo(day);
      codes.push((await nights.update()).code);
    }
    expect(codes).toEqual([5, 5, 0, 0, 0]);
    expect(readChanges(nights.kept)).toHaveLength(60);
    await expectWhole(nights);
  });

  test.concurrent("is a note if it was rechecked, and believed the second time", async () => {
    const nights = await createNights(CELLS, [createSeries("NSW1", [9.5, 3000])], { first: 30 });
    spoil(nights);
    expect((await nights.night(31, "--recheck", "all")).stderr).toMatch(
      /note: .*the service has no data any more; keeping/,
    );
    expect((await nights.night(32)).stderr).toMatch(/ 60 withdrawn/);
    expect(readChanges(nights.kept)).toHaveLength(60);
    await expectWhole(nights);
    await nights.night(33);
  });
});

test.concurrent.each(["lost", "cut"])("a dataset whose description is %s is updated as a file is", async (how) => {
  const nights = await createNights([...CELLS, "-f", "csv", "--partition", "month"], REGIONS, {
    file: "power",
    first: 40,
  });
  const description = nights.home.path("power/_datapackage.json");
  if (how === "lost") rmSync(description);
  else writeFileSync(description, nights.read("power/_datapackage.json").slice(0, 1000));
  // February is gone from the output by now.
  const before = readdirSync(nights.home.path("power/year=2026"));
  expect(before).toEqual(["month=01", "month=02"]);
  await nights.night(41);
  await expectWhole(nights);
  expect(nights.read("power/_datapackage.json")).toContain("--update");
});

test.concurrent("--recheck all asks for what a failed run received, too", async () => {
  const nights = await createNights(CELLS, REGIONS, { first: 0 });
  nights.fail(refusal(401, "Authentication failed"), (request) => request >= 20);
  nights.goTo(24);
  expect(await nights.update()).toMatchObject({ code: 3 });
  nights.recover();
  nights.change({ series: [{ ...NSW, base: 8 }, VIC] });
  await nights.night(29, "--recheck", "all");
  await expectWhole(nights);
});

test.concurrent("each view of the log is one JSON document", async () => {
  const nights = await createNights(CELLS);
  const show = async (...flags: string[]) =>
    JSON.parse((await nights.run("log", "power.csv", "-f", "json", ...flags)).stdout) as unknown[];
  expect(await show("--changes")).toEqual([]);
  for (const [day, base] of [
    [11, 8],
    [12, 9],
  ] as const) {
    nights.change({ series: [{ ...NSW, base }, VIC] });
    await nights.night(day);
  }
  expect((await show("--changes")).length).toBe(readChanges(nights.kept).length);
  expect([(await show()).length, (await show("--last", "1m")).length]).toEqual([3, 1]);
});

test.concurrent("a workbook made with --complete is shown byte for byte; a part of it has no interval in progress", async () => {
  const nights = await createNights([], REGIONS, { file: "power.xlsx" });
  expect(await nights.run("show", "power.xlsx", "-o", "shown.xlsx")).toMatchObject({ code: 0 });
  const [own, shown] = ["power.xlsx", "shown.xlsx"].map((name) => nights.read(name));
  expect(own === shown).toBe(true);
  const { stderr, stdout } = await nights.run("show", "power.xlsx", "--last", "3h", "-f", "csv");
  expect(stderr).not.toContain("in progress");
  expect(stdout.split("\n").length).toBeGreaterThan(5);
});

test.concurrent("a start inside an interval is moved to its start, with a note; an earlier start has lost nothing", async () => {
  const nights = await createNights([], REGIONS, { query: QUERY.with(5, "1d").slice(0, 6), interval: "1d", first: 0 });
  const says = "the start 2026-01-03T07:00 is inside an interval of 1d; --";
  for (const [flags, uses] of [
    [[], "update uses 2026-01-03"],
    [["--complete"], "complete uses 2026-01-04"],
  ] as const) {
    expect((await nights.night(20, "-s", "2026-01-03T07:00", "--overwrite", ...flags)).stderr).toContain(says + uses);
    expect(nights.read().split("\n")[1]).toContain(uses.slice(-10));
  }
  expect((await nights.night(21, "-s", "2025-12-20")).stderr).not.toContain("are lost");
});
