/** A night on which the service has lost something, or is another one, takes nothing away for good. */
import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { DAY, HOUR } from "../../src/time/local-time.ts";
import { readData } from "../dataset/datasets.ts";
import { refusal } from "../e2e/envelopes.ts";
import { STEP } from "../merge/buckets.ts";
import type { ModelSeries, ServiceModel } from "../merge/fake-service.ts";
import { runs } from "../support/extent.ts";
import { createNights, type Nights, QUERY, START } from "./nights.ts";
import { SERIES, subtract } from "./world.ts";

const NO_DATA = refusal(404, "No data available for the given parameters");
const FOLDER = ["-f", "csv", "--partition", "month"];

type Days = readonly [from: number, to: number];

/** From ten days before the start on, without the days of the holes. */
function createSeries(region: string, ...holes: readonly Days[]): ModelSeries {
  const toSteps = ([from, to]: Days) => [(START + from * DAY) / STEP, (START + to * DAY) / STEP] as const;
  const present = holes.map(toSteps).reduce((rest, hole) => subtract(rest, hole), [toSteps([-10, 3000])]);
  return { ...SERIES, labels: { region }, present };
}

/** The second has a gap that shows that the service fills them. */
const [NSW, VIC] = [createSeries("NSW1", [2.1, 2.3]), createSeries("VIC1")];

/** One request after the other, so that those that fail are always the same. */
const WINDOWS = ["--max-window", "1d", "--concurrency", "1", "--retries", "0"];

interface Kept {
  readonly nights: Nights;
  /** To a night, and what it tells. */
  readonly update: (day: number, ...more: string[]) => Promise<string>;
  readonly read: () => unknown;
  /** What a whole new export has. */
  readonly readWhole: () => Promise<unknown>;
}

/** A file or folder with `days` of data. */
async function createKept(flags: readonly string[], { days = 40, series = [NSW, VIC], ...service }: Service = {}): Promise<Kept> {
  const { mark, interval = "1h", ...model } = service;
  const nights = await createNights([], series, { ...model, ...(mark ? { mark } : {}) });
  nights.world.model = { ...nights.world.model, interval };
  const [name, whole] = flags.includes("--partition") ? ["folder", "whole"] : ["kept.csv", "whole.csv"];
  const command = [...QUERY.with(5, interval), ...flags];
  const read = (of: string): unknown => (of.endsWith(".csv") ? nights.read(of) : readData(nights.home.path(of)));
  const kept: Kept = {
    nights,
    update: async (day, ...more) => {
      nights.goTo(day);
      return (await nights.run(...command, ...more, "-o", name, "--update")).stderr;
    },
    read: () => read(name),
    readWhole: async () => {
      await nights.run(...command.filter((flag) => !["--cache", "90d"].includes(flag)), "-o", whole);
      return read(whole);
    },
  };
  for (const day of [days - 1, days]) await kept.update(day);
  return kept;
}

interface Service {
  readonly days?: number;
  readonly series?: readonly ModelSeries[];
  readonly fillsGaps?: boolean;
  readonly interval?: ServiceModel["interval"];
  readonly mark?: (text: string) => string;
}

/** Requests from now on, counted from 0, that are answered so. */
function play({ nights }: Kept, answer: ReturnType<typeof refusal>, isSo: (request: number) => boolean): void {
  const first = nights.service.requests.length;
  nights.world.play = (request) => (isSo(request - first) ? answer : undefined);
}

/** All is well again. */
function recover({ nights }: Kept): void {
  nights.world.play = () => undefined;
}

test.each([
  ["a file", []],
  ["a folder", FOLDER],
] as const)("no data for the first windows of what is revised: %s", async (_, flags) => {
  const kept = await createKept([...WINDOWS, ...flags]);
  play(kept, NO_DATA, (request) => request < 4);
  await kept.update(41);
  recover(kept);
  await kept.update(42);
  expect(kept.read()).toEqual(await kept.readWhole());
});

test("a month of a folder without data, on a night of the next month", async () => {
  const kept = await createKept([...FOLDER, "--max-window", "10d"], { days: 38 });
  const { nights } = kept;
  nights.world.play = (request) => (/date_end=2026-0(1-|2-0[01])/.test(nights.service.requests[request]?.url ?? "") ? NO_DATA : undefined);
  expect(await kept.update(39)).toContain("624 rows (1,824 before)");
  recover(kept);
  expect(await kept.update(40)).toContain("note: withdrawn values may be back; fetching all from 2025-12-31T15:00:00Z on again\n");
  expect(kept.read()).toEqual(await kept.readWhole());
});

test("all values null", async () => {
  const kept = await createKept([]);
  const { world } = kept.nights;
  const { model } = world;
  const nulls = [[(START + 20 * DAY) / STEP, (START + 41 * DAY) / STEP]] as const;
  world.model = { ...model, series: model.series.map((one) => ({ ...one, nulls })) };
  await kept.update(41);
  world.model = model;
  await kept.update(42);
  expect(kept.read()).toEqual(await kept.readWhole());
});

test("what stays withdrawn is asked for on three more nights", async () => {
  const kept = await createKept([]);
  const { nights } = kept;
  nights.world.model = { ...nights.world.model, series: [NSW] };
  await kept.update(41);
  const notes: boolean[] = [];
  for (const day of [42, 43, 44, 45]) notes.push((await kept.update(day)).includes("withdrawn values may be back"));
  expect(notes).toEqual([true, true, true, false]);
});

test("no data in the middle of a gap that is fetched again", async () => {
  const kept = await createKept(WINDOWS, { days: 29, series: [NSW, createSeries("VIC1", [5, 30])] });
  play(kept, NO_DATA, (request) => request > 12 && request < 17);
  expect(await kept.update(31)).toContain("power_VIC1 is back after a gap; fetching all from");
  recover(kept);
  await kept.update(32);
  expect(kept.read()).toEqual(await kept.readWhole());
});

test.each([
  ["a checkpoint", []],
  ["a cache", ["--cache", "90d"]],
] as const)("no data is not taken from %s, where there are rows", async (what, flags) => {
  const kept = await createKept([...WINDOWS, ...FOLDER, ...flags], { days: 54 });
  const isLast = (request: number) => what === "a checkpoint" && request >= 8;
  play(kept, NO_DATA, (request) => !isLast(request));
  const { nights } = kept;
  const first = nights.service.requests.length;
  const noData = nights.world.play;
  nights.world.play = (request) => (isLast(request - first) ? refusal(503, "down") : noData(request, ""));
  await kept.update(55);
  recover(kept);
  await kept.update(56);
  expect(kept.read()).toEqual(await kept.readWhole());
});

const OFTEN: [string, readonly string[]][] = [
  ["a file", WINDOWS],
  ["a folder", [...WINDOWS, ...FOLDER]],
  ["a folder, with a cache", [...WINDOWS, ...FOLDER, "--no-resume", "--cache", "90d"]],
];

test.each(runs(OFTEN.slice(1), OFTEN))("answers of a night with another unit are not put among others: %s", async (_, flags) => {
  const service = { unit: "MW" };
  const kept = await createKept(flags, { days: 54, mark: (text) => text.replaceAll('"unit":"MW"', `"unit":"${service.unit}"`) });
  service.unit = "kW";
  play(kept, refusal(401, "Authentication failed"), (request) => request >= 30);
  expect(await kept.update(59)).toContain("the unit of power changed from MW to kW");
  recover(kept);
  service.unit = "MW";
  await kept.update(60);
  expect(kept.read()).toEqual(await kept.readWhole());
});

test.each([1, 12])("a series of a service that does not fill gaps, away for %d nights", async (away) => {
  const kept = await createKept(["--max-window", "12h"], { fillsGaps: false });
  const { world } = kept.nights;
  const { model } = world;
  world.model = { ...model, series: [NSW] };
  for (const day of away === 1 ? [41] : [41, 42, 43, 44, 52]) await kept.update(day);
  world.model = model;
  await kept.update(41 + away);
  expect(kept.read()).toEqual(await kept.readWhole());
});

test("values of such a series that take too many requests are told as missing", async () => {
  const kept = await createKept(["--max-window", "12h"]);
  const { world } = kept.nights;
  const { model } = world;
  world.model = { ...model, series: [NSW] };
  for (const day of [41, 42, 43, 44, 70]) await kept.update(day);
  world.model = model;
  expect(await kept.update(71)).toMatch(
    /power_VIC1 is back after a gap: rows are missing from \S+ on, because fetching the rows again would take \d+ requests; to fix them/,
  );
});

test("where the service lacks the first years by now, all years stay", async () => {
  const service = { unit: "MW" };
  const kept = await createKept([], {
    days: 2000,
    interval: "1y",
    mark: (text) => text.replaceAll('"unit":"MW"', `"unit":"${service.unit}"`),
  });
  const before = kept.nights.read("kept.csv");
  service.unit = "kW";
  kept.nights.world.model = { ...kept.nights.world.model, series: [createSeries("NSW1", [-10, 730]), createSeries("VIC1", [-10, 730])] };
  expect(await kept.update(2001)).toContain("fetching the rows again would remove those from 2025-12-31T14:00:00Z on, because");
  expect(kept.nights.read("kept.csv")).toBe(before);
});

test("an interval that the service does not heed", async () => {
  const kept = await createKept([]);
  const { world } = kept.nights;
  const before = kept.nights.read("kept.csv");
  world.mark = (text) => text.replaceAll(/\["([^"]*T\d\d):00:00\+10:00",([^\]]*)\]/g, `$&,["$1:30:00+10:00",$2]`);
  expect(await kept.update(41)).toBe(
    `ents: kept.csv is unchanged: 1h was asked for, but the service sent values 30m apart\n      run the command again later; if this persists, use another file with -o\n`,
  );
  expect(kept.nights.read("kept.csv")).toBe(before);
  world.mark = (text) => text;
  await kept.update(42);
  expect(kept.read()).toEqual(await kept.readWhole());
});

test.each([
  ["a label", ['"columns":{"region":', '"columns":{"network_region":']],
  ["the network", ['"network_code":"NEM"', '"network_code":"AEMO_NEM"']],
] as const)("a service that names %s otherwise from a night on", async (_, [was, now]) => {
  const kept = await createKept([]);
  kept.nights.world.mark = (text) => text.replaceAll(was, now);
  expect(await kept.update(41)).toContain("note: the service now labels its series differently; fetching all of it again\n");
  expect(kept.read()).toEqual(await kept.readWhole());
});

test("another gap, found when an earlier one is tried for the last time, has nights of its own", async () => {
  const series = [NSW, createSeries("VIC1", [5, 30]), createSeries("SA1", [8, 31.2]), createSeries("QLD1", [3, 32.4])];
  const kept = await createKept(WINDOWS, { days: 29, series });
  for (const day of [30.5, 31.5, 32.6, 33]) {
    play(kept, refusal(503, "down"), (request) => request >= 14);
    await kept.update(day);
  }
  recover(kept);
  await kept.update(34);
  expect(kept.read()).toEqual(await kept.readWhole());
});

test("data that stop for two weeks, and are published all at once", async () => {
  const kept = await createKept(WINDOWS, { days: 31 });
  const { world } = kept.nights;
  const { model } = world;
  world.model = { ...model, series: [createSeries("NSW1", [31, 3000]), createSeries("VIC1", [31, 3000])] };
  play(kept, refusal(503, "down"), (request) => request >= 19);
  await kept.update(45);
  recover(kept);
  world.model = model;
  await kept.update(46);
  expect(kept.read()).toEqual(await kept.readWhole());
});

test.each(runs([3], [1, 2, 3, 4]))(
  "a series that begins in the bucket in which the window opens, and has a gap then: day %d",
  async (first) => {
    const late = {
      ...createSeries("VIC1"),
      present: [[first + 0.25, first + 0.5] as Days, [first + 5, 3000] as Days].map(
        ([from, to]) => [(START + from * DAY) / STEP, (START + to * DAY) / STEP] as const,
      ),
    };
    const nights = await createNights([], [createSeries("NSW1", [2, 4]), late]);
    nights.world.model = { ...nights.world.model, interval: "1d", phase: 6 * HOUR };
    const command = QUERY.with(5, "1d");
    for (const day of [14, 15]) {
      nights.goTo(day);
      await nights.run(...command, "-o", "days.csv", "--update");
    }
    await nights.run(...command, "-o", "whole.csv");
    expect(nights.read("days.csv")).toBe(nights.read("whole.csv"));
  },
);

test("a service that keeps two days more than what is revised, and withdraws a few values once", async () => {
  const kept = await createKept(["--max-window", "1d"]);
  const { world } = kept.nights;
  const { model } = world;
  const before = kept.read() as string;
  for (let day = 41; day < 50; day++) {
    const old: Days = [-20, day - 9];
    world.model = {
      ...model,
      series: [createSeries("NSW1", [2.1, 2.3], old), createSeries("VIC1", old, ...(day === 41 ? [[33, 33.2] as Days] : []))],
    };
    await kept.update(day);
  }
  expect((kept.read() as string).startsWith(before)).toBe(true);
});

test.each([
  ["the network", ['"network_code":"NEM"', '"network_code":"AEMO_NEM"']],
  ["the unit", ['"unit":"MW"', '"unit":"kW"']],
  ["a label", ['"columns":{"region":', '"columns":{"network_region":']],
] as const)("what is left of a night that failed, with another name of %s, is not used the next", async (_, [was, now]) => {
  const kept = await createKept([...WINDOWS, ...FOLDER], { days: 30 });
  const { world } = kept.nights;
  world.mark = (text) => text.replaceAll(was, now);
  play(kept, refusal(401, "Authentication failed"), (request) => request >= 25);
  expect(await kept.update(31)).toContain("HTTP 401");
  recover(kept);
  world.mark = (text) => text;
  expect(await kept.update(32)).not.toContain("resuming");
  expect(kept.read()).toEqual(await kept.readWhole());
});

test("where the service refuses what is before, names that are other leave the file as it is", async () => {
  const kept = await createKept([]);
  const before = kept.read();
  kept.nights.world.mark = (text) => text.replaceAll('"network_code":"NEM"', '"network_code":"AEMO_NEM"');
  play(kept, refusal(400, "too far in the past"), (request) => request > 0);
  expect(await kept.update(41)).toContain(
    "cannot update kept.csv: the service now labels its series differently, and the service did not send",
  );
  expect(kept.read()).toBe(before);
});

test("a series that a night left out, of which that failed too, is asked for anew", async () => {
  const kept = await createKept(WINDOWS, { days: 30 });
  const { world } = kept.nights;
  const { model } = world;
  world.model = { ...model, series: [NSW, createSeries("VIC1", [30, 3000])] };
  play(kept, refusal(401, "Authentication failed"), (request) => request >= 20);
  await kept.update(50);
  recover(kept);
  world.model = model;
  await kept.update(51);
  expect(kept.read()).toEqual(await kept.readWhole());
});

test("where asking again for what was withdrawn fails, it is from there that the next night asks", async () => {
  const kept = await createKept(WINDOWS);
  play(kept, NO_DATA, (request) => request < 2);
  await kept.update(41);
  play(kept, refusal(401, "Authentication failed"), (request) => request >= 9);
  await kept.update(42);
  recover(kept);
  await kept.update(43);
  expect(kept.read()).toEqual(await kept.readWhole());
});

test("a folder that a first run did not finish goes on from an earlier night", async () => {
  const { nights } = await createKept([...WINDOWS, ...FOLDER], { days: 30 });
  const description = nights.home.path("folder/datapackage.json");
  writeFileSync(description, readFileSync(description, "utf8").replace('"ents": {', '"ents": { "unfinished": { "from": null },'));
  const write = () => nights.run(...QUERY, ...WINDOWS, ...FOLDER, "-o", "folder");
  const first = nights.service.requests.length;
  nights.world.play = (request) => (request - first >= 20 ? refusal(503, "down") : undefined);
  expect(await write()).toMatchObject({ code: 5 });
  nights.world.play = () => undefined;
  nights.goTo(31);
  expect((await write()).stderr).toContain("note: resuming: 20 of 31 requests are already done");
});
