/** Whatever borders of windows and nights a gap crosses, a night has the same nulls as a single response. */
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { planQuery } from "../../src/plan/plan.ts";
import { createGaps } from "../../src/source/fetch-series.ts";
import { DAY } from "../../src/time/local-time.ts";
import { queryFor } from "../merge/cases.ts";
import { some } from "../support/extent.ts";
import { at, createNights, createSeries, expectWhole, FILE, QUERY, type Service } from "./nights.ts";

type Days = [from: number, until: number];

/** The nights, and the days on which the second series has no data. */
const GAPS: readonly [what: string, holes: readonly Days[], nights: readonly number[], windows?: string, Service?][] = [
  ["at the start of what is fetched again", [[2.5, 3.2]], [10, 11]],
  [
    "of more than --revise",
    [
      [2, 2.1],
      [5, 30],
    ],
    [14, 20, 29, 31, 32],
  ],
  ["of a year", [[9.5, 400]], [10, 405]],
  [
    "of half a window, and two windows",
    [
      [4.2, 4.4],
      [5, 9.1],
    ],
    [7, 12, 20],
    "2d",
  ],
  [
    "one after another",
    [
      [1.1, 1.2],
      [8, 31.2],
      [33, 34.4],
    ],
    [29, 30.5, 31.5, 33, 34, 36],
    "5d",
  ],
  [
    "that a night begins and ends in",
    [
      [2.2, 2.4],
      [9.9, 10.1],
      [11.4, 11.6],
    ],
    [9.95, 10.05, 10.5, 11.5, 12],
    "3d",
  ],
  [
    "between windows without any",
    [
      [6, 9],
      [12, 18],
    ],
    [20, 21],
    "4d",
  ],
  [
    "that none fills",
    [
      [4.5, 5],
      [8, 26],
    ],
    [10, 20, 28, 29],
    "5d",
    { fillsGaps: false },
  ],
];

test.concurrent.each(some(5, GAPS))("a gap %s", async (...world) => {
  const [, holes, [first = 0, ...nights], window = "none", service = {}] = world;
  const series = [createSeries("NSW1"), createSeries("VIC1", ...holes), createSeries("QLD1")];
  const kept = await createNights(["--max-window", window], series, { ...service, first });
  for (const days of nights) {
    await kept.night(days);
    await expectWhole(kept);
  }
});

test("what no night could know is there when one shows it", async () => {
  const series = (...holes: Days[]) => [createSeries("NSW1"), createSeries("VIC1", [4.5, 9.5], ...holes)];
  const nights = await createNights(["--max-window", "3d"], series(), { first: 20 });
  await nights.night(21);
  nights.change({ series: series([20.1, 20.2]) });
  for (const days of [22, 23]) await nights.night(days);
  await expectWhole(nights);
});

test("nulls of a service that does not fill gaps are its own", async () => {
  const [one, other] = [createSeries("NSW1"), createSeries("VIC1", [4.5, 5])];
  const nights = await createNights(["--max-window", "5d"], [one, other], { fillsGaps: false, first: 20 });
  for (const days of [21, 25, 33]) {
    other.nulls.at(0);
    nights.change({ series: [one, { ...other, nulls: [[at(days - 1.5), at(days - 1)]] }] });
    // What is null now is held back for a night.
    for (const night of [days, days + 0.5]) await nights.night(night, "--recheck", "all");
    await expectWhole(nights);
  }
});

test("seasons, and months of a network that ents does not know, in UTC", async () => {
  for (const [interval, network, offset] of [
    ["season", "NEM", "+10:00"],
    ["1M", "ZZ", "+13:00"],
  ] as const) {
    const query = QUERY.with(1, network)
      .with(5, interval)
      .slice(0, network === "ZZ" ? -1 : undefined);
    const series = [createSeries("NSW1"), createSeries("VIC1", [306, 480])];
    const kept = await createNights([], series, { query, interval, network, offset, first: 525 });
    for (const days of [535, 640]) {
      await kept.night(days, "--revise", "2M");
      await expectWhole(kept);
    }
  }
});

test("a gap may be a few intervals longer than the window", () => {
  const query = queryFor({ network: "NEM", interval: "7d" }, { start: 0, end: 42 * DAY }, ["power"]);
  const plan = planQuery(query, { now: 50 * DAY, maxWindow: undefined });
  expect(createGaps(plan, { collects: false }).longest).toBeGreaterThanOrEqual((42 + 2 * 7) * DAY);
});

test("the request across a gap is evidence, and no response: what is restated beside it is found", async () => {
  const [one, other] = [createSeries("NSW1"), createSeries("VIC1", [6, 10])];
  const nights = await createNights(["--max-window", "8d"], [one, other], { first: 40 });
  const names = readdirSync(nights.home.path(`${FILE}.ents`)).filter((name) => name.endsWith(".json.gz"));
  expect([names.length, nights.service.requests.length]).toEqual([6, 7]);
  nights.change({ series: [{ ...one, base: 8 }, other] });
  await nights.night(41, "--recheck", "all");
  await expectWhole(nights);
});
