/**
 * A night on which the service has lost something, or is another one, takes nothing away for good, and stops no later
 * night.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { DAY, HOUR, MINUTE } from "../../src/time/local-time.ts";
import { refusal } from "../e2e/envelopes.ts";
import type { Answer } from "../support/scripted-service.ts";
import { FULL, some } from "../support/extent.ts";
import {
  at,
  createNights,
  createSeries,
  DOWN,
  expectWhole,
  type Nights,
  NO_DATA,
  QUERY,
  readAsked,
  readChanges,
  readOutput,
  type Service,
  SPENT,
} from "./nights.ts";

/** The first series has a gap that shows that the service fills gaps. */
const SERIES = [createSeries("NSW1", [2.1, 2.3]), createSeries("VIC1")];
const [NSW, VIC] = SERIES as [(typeof SERIES)[0], (typeof SERIES)[0]];

/** A segment a day; one request after the other, so that the same ones always fail. */
const CELLS = ["--max-window", "1d", "--concurrency", "1", "--retries", "0"];
const createKept = (flags: readonly string[] = [], service: Service = {}) =>
  createNights([...CELLS, ...flags], SERIES, { first: 20, ...service });
const isOf = (days: RegExp) => (_: number, url: string) =>
  new RegExp(`date_start=2026-01-(?:${days.source})T`).test(url);
const FORGOTTEN = refusal(400, "Your plan allows data from the last 10 days");

const SPOILT = [
  ["segments without data", ({ fail }: Nights) => fail(NO_DATA, isOf(/0[5-8]/))],
  [
    "a series in some segments",
    ({ change }: Nights) => change({ series: [createSeries("NSW1", [2.1, 2.3], [4.5, 8.2]), VIC] }),
  ],
  ["a series", ({ change }: Nights) => change({ series: [NSW] })],
  ["values", ({ change }: Nights) => change({ series: SERIES.map((one) => ({ ...one, nulls: [[at(3.1), at(9)]] })) })],
  ["digits", ({ world }: Nights) => (world.mark = (text) => text.replace(/(?<=T12:00:00\+10:00",)\d/, "9"))],
] as const;

test.concurrent.each(some(1, SPOILT))(
  "a first night on which %s were missing is repaired by rechecks",
  async (_, spoil) => {
    const nights = await createNights(CELLS, SERIES, { first: 0 });
    spoil(nights);
    await nights.night(20);
    nights.recover();
    nights.change({ series: SERIES });
    delete nights.world.mark;
    await nights.night(21);
    for (let day = 22; day < 44 && !readAsked(nights).some((one) => one.endsWith("recheck changed")); day++)
      await nights.night(day);
    await expectWhole(nights);
  },
);

const FORMS: readonly [name: string, Service, flags: readonly string[]][] = [
  ["a file", {}, []],
  ["a folder", { file: "power" }, ["-f", "csv", "--partition", "month"]],
];
const EMPTY: readonly [string, (nights: Nights) => void][] = [
  ["404", ({ fail }) => fail(NO_DATA)],
  ["an empty list", ({ change }) => change({ series: [], noData: 200 })],
  ["nulls", ({ change }) => change({ series: SERIES.map((one) => ({ ...one, nulls: [[at(-1), at(60)]] })) })],
  ["404 for a segment", ({ fail }) => fail(NO_DATA, isOf(/18/))],
];

describe.each(FORMS)("%s", (_form, service, flags) => {
  test.concurrent.each(some(1, EMPTY))(
    "a night without data (%s) is exit 5, and leaves it as it is; the next is right",
    async (_, spoil) => {
      const nights = await createKept(flags, service);
      const read = () => readOutput(nights.home.path(service.file ?? "power.csv"));
      const before = await read();
      spoil(nights);
      nights.goTo(21);
      const { code, stderr } = await nights.update("-q");
      expect([code, stderr]).toEqual([
        5,
        expect.stringMatching(/has no data from 2026-.* is unchanged\n.*later\n.*--overwrite/),
      ]);
      expect(await read()).toBe(before);
      nights.recover();
      nights.change({ series: SERIES });
      await nights.night(22);
      await expectWhole(nights);
    },
  );

  test.concurrent("--overwrite accepts that data are gone", async () => {
    const nights = await createKept(flags, service);
    nights.change({ series: [createSeries("NSW1", [2.1, 2.3], [18, 90]), createSeries("VIC1", [18, 90])] });
    nights.goTo(21);
    expect(await nights.update()).toMatchObject({ code: 5 });
    await nights.night(21, "--overwrite");
    await expectWhole(nights);
    await nights.night(22, "--overwrite");
    await nights.night(30);
  });
});

test.concurrent("what a night lacks stays for another one; then it is withdrawn, once in the journal", async () => {
  const nights = await createKept();
  const before = nights.read();
  nights.change({ series: [NSW, createSeries("VIC1", [13.5, 14.25], [15.125, 16])] });
  expect((await nights.night(21)).stderr).toMatch(/ 0 withdrawn, 39 held back for a second night, /);
  expect(nights.read().startsWith(before)).toBe(true);
  // Too soon to confirm it.
  expect((await nights.night(21.2)).stderr).toMatch(/ 0 withdrawn, 39 held back/);
  expect(readChanges(nights.kept)).toEqual([]);
  expect((await nights.night(22)).stderr).toMatch(/ 39 withdrawn, 2 older/);
  await expectWhole(nights);
  expect(readChanges(nights.kept).filter(([, , , , , now]) => now === null)).toHaveLength(39);
  nights.change({ series: SERIES });
  await nights.night(23, "--recheck", "all");
  await expectWhole(nights);
  expect(readChanges(nights.kept)).toHaveLength(39);
});

test.concurrent("a recheck that is refused, has no data or is not answered is a note, and goes last; the data stay", async () => {
  const nights = await createKept();
  const before = nights.read();
  const asked: string[] = [];
  for (const [days, answer, why] of [
    [21, NO_DATA, "the service has no data any more"],
    [22, FORGOTTEN, ".*last 10 days"],
    [23, DOWN, ".*down"],
    [24, SPENT, ".*Authentication failed"],
  ] as const) {
    nights.fail(answer, isOf(/0\d/));
    const { stderr } = await nights.night(days, "--recheck", "2");
    expect(stderr).toMatch(new RegExp(`note: could not fetch 2026-01-0\\d.*: ${why}.*; keeping the stored data\n`));
    asked.push(...readAsked(nights).filter((one) => one.includes("recheck")));
  }
  expect(asked).toEqual(
    ["0 empty", "1 empty", "2 out of reach", "3 out of reach", "4 unanswered", "5 unanswered"].map((one) =>
      one.replace(" ", " recheck "),
    ),
  );
  expect(nights.read().startsWith(before)).toBe(true);
  nights.recover();
  await nights.night(25, "--recheck", "all");
  await expectWhole(nights);
});

test.concurrent("a service that forgets what it had stops no night: what has changed since is found where it still is", async () => {
  const nights = await createKept();
  const rows = nights.read().split("\n").length;
  // A recheck finds it, so that all others are asked for, too.
  nights.change({ series: [{ ...NSW, base: 8 }, VIC] });
  nights.fail(FORGOTTEN, isOf(/0[2-9]/));
  for (let day = 21; day < (FULL ? 60 : 26); day++) await nights.night(day);
  expect(nights.read().split("\n").length).toBeGreaterThan(rows);
  const restated = new Set(readChanges(nights.kept).map(([timestamp]) => timestamp.slice(8, 10)));
  expect([restated.has("01"), restated.has("05"), restated.has("12")]).toEqual([true, false, true]);
  nights.recover();
  await nights.night(61, "--recheck", "all");
  await expectWhole(nights);
});

const BROKEN: readonly [string, Answer][] = [
  ["a page of a proxy", { status: 200, body: "<html>" }],
  ["success: false", { status: 200, body: { version: "4", success: false, error: "Error" } }],
  ["a body that is no JSON", { status: 200, body: '{"success":true,"data":[{NaN}]}' }],
  [
    "a count of records that does not fit",
    { status: 200, body: { version: "4", success: true, data: [], total_records: 5 } },
  ],
  ["a quota that ends", SPENT],
];

test.concurrent.each(some(1, BROKEN))(
  "a response that is broken once is asked for again by the next run: %s",
  async (_, answer) => {
    const nights = await createKept();
    const before = nights.read();
    nights.fail(answer, (request) => request === 3);
    nights.goTo(21);
    expect([3, 4, 5]).toContain((await nights.update()).code);
    expect(nights.read()).toBe(before);
    nights.recover();
    await nights.night(21);
    await expectWhole(nights);
  },
);

test.concurrent.each(some(1, [0.01, 14]))("a first run that failed is continued after %d days", async (later) => {
  const nights = await createNights(CELLS, SERIES, { first: 0 });
  nights.fail(SPENT, (request) => request >= 20);
  nights.goTo(24);
  expect(await nights.update()).toMatchObject({ code: 3 });
  nights.recover();
  expect((await nights.night(24 + later)).requests).toBeLessThanOrEqual(6 + Math.ceil(later));
  await nights.night(25 + later, "--recheck", "all");
  await expectWhole(nights);
});

const ANOTHER = {
  "the network": ['"network_code":"NEM"', '"network_code":"AEMO_NEM"'],
  "the unit": ['"unit":"MW"', '"unit":"kW"'],
  "a label": ['"columns":{"region":', '"columns":{"network_region":'],
  timestamps: [/(?<=T\d\d:\d\d):00\+10:00/g, ":00.000+10:00"],
} as const;

describe.each(some(1, Object.entries(ANOTHER)))("a service with another form of %s", (_, [was, now]) => {
  const turn = ({ world }: Nights) => (world.mark = (text) => text.replaceAll(was, now));

  test.concurrent("is asked again for everything, fifty a night; until then, the output stays", async () => {
    const nights = await createNights(CELLS, SERIES, { first: 65 });
    const before = nights.read();
    turn(nights);
    nights.goTo(66);
    const { code, stderr } = await nights.update();
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(
        /power.csv is unchanged: the service's units, labels or timestamps .* \d older responses are still as before\n.*--recheck all/,
      ),
    ]);
    expect(nights.read()).toBe(before);
    await nights.night(67);
    await expectWhole(nights);
    expect(readChanges(nights.kept)).toEqual([]);
  });

  test.concurrent("is not mixed with what a run that failed received", async () => {
    const nights = await createNights(CELLS, SERIES, { first: 0 });
    nights.fail(SPENT, (request) => request >= 12);
    nights.goTo(20);
    expect(await nights.update()).toMatchObject({ code: 3 });
    turn(nights);
    nights.recover();
    await nights.night(21);
    await expectWhole(nights);
  });
});

test.concurrent("a service with two units, each for a part of time, is no failure: a note says so", async () => {
  const nights = await createNights(CELLS, SERIES, { first: 0 });
  nights.world.mark = (text, request) =>
    isOf(/0\d/)(0, nights.service.requests[request]?.url ?? "") ? text.replaceAll('"unit":"MW"', '"unit":"kW"') : text;
  for (const days of [20, 21, 22])
    expect((await nights.night(days)).stderr).toContain("the unit of power changes (kW, then MW)");
  const countRows = (unit: string) => nights.read().split(`,${unit},`).length - 1;
  expect([countRows("kW"), countRows("MW")]).toEqual([2 * 9 * 24, 2 * 13 * 24]);
});

test.concurrent("what the service lacks since it has another unit is withdrawn once a second response lacks it", async () => {
  const nights = await createKept();
  const before = nights.read();
  nights.world.mark = (text) => text.replaceAll('"unit":"MW"', '"unit":"kW"');
  nights.change({ series: [NSW, createSeries("VIC1", [5.25, 5.5])] });
  nights.goTo(21);
  const { code, stderr } = await nights.update();
  const says =
    /power.csv is unchanged: the service has changed its units .* now lacks 6 values that power.csv has\n.*six hours.*\n.*--overwrite/;
  expect([code, stderr]).toEqual([2, expect.stringMatching(says)]);
  expect(nights.read()).toBe(before);
  expect((await nights.night(21.5)).stderr).toMatch(/ 6 withdrawn, /);
  await expectWhole(nights);
});

test.concurrent("where the service refuses what is older, another unit is exit 2, which names a new output", async () => {
  const nights = await createKept();
  nights.world.mark = (text) => text.replaceAll('"unit":"MW"', '"unit":"kW"');
  nights.fail(FORGOTTEN, isOf(/0\d/));
  nights.goTo(21);
  expect(await nights.update()).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("start a new output with -o") as string,
  });
});

test.concurrent("days that start at eleven in the evening, or on another day of the month, are exit 4, and the file stays", async () => {
  const nights = await createNights(["--max-window", "4d"], SERIES, {
    query: QUERY.with(5, "1d"),
    interval: "1d",
    first: 20,
  });
  nights.world.mark = (text) => text.replaceAll(/(2026-01-\d\d)T00/g, "$1T23");
  nights.goTo(21);
  const before = nights.read();
  expect(await nights.update()).toMatchObject({
    code: 4,
    stderr: expect.stringMatching(
      /cannot join several requests: the service sent an interval of 1d that starts at 2026-01-\d\dT23:00:00/,
    ) as string,
  });
  expect(nights.read()).toBe(before);
  nights.world.mark = (text) => text;
  await nights.night(22);
});

describe("a service that takes less than a segment", () => {
  const isLong = (url: string) => {
    const [start, end] = ["date_start", "date_end"].map((name) =>
      Date.parse(`${new URL(url, "http://x").searchParams.get(name)}Z`),
    );
    return (end ?? 0) - (start ?? 0) > 4 * DAY;
  };
  const TOO_LONG = refusal(400, "Date range too large for 1h interval. Maximum range is 4 days.");

  test.concurrent("a segment that one batch of codes has in halves, and another has whole", async () => {
    const units = ["A1", "B1"].map((unit_code) => ({ ...createSeries("NSW1"), labels: { unit_code } }));
    const query = "facilities NEM -m power -i 1h -s 2026-01-01 --complete --max-window 8d --recheck 0".split(" ");
    const nights = await createNights([], units, { query, first: 0 });
    await nights.night(40, "--unit-code", "A1");
    nights.fail(TOO_LONG, (_, url) => isLong(url));
    await nights.night(40, "--unit-code", "A1", "B1");
    nights.recover();
    const whole = query.slice(0, query.indexOf("--max-window"));
    expect(
      await nights.run(...whole, "--unit-code", "A1", "B1", "-o", "whole.csv", "--max-window", "none"),
    ).toMatchObject({ code: 0 });
    expect(nights.read()).toBe(nights.read("whole.csv"));
  });

  test.concurrent("what only the response to the whole segment has stays, where one of its halves is refused", async () => {
    const nights = await createNights([], SERIES, { first: 0 });
    await nights.night(40, "--max-window", "8d");
    const folder = nights.home.path("power.csv.ents");
    const starts = readdirSync(folder).map((name) => name.slice(0, 10));
    const startOf = (url: string) => /date_start=([\d-]{10})/.exec(url)?.[1] ?? "";
    // Of segments that are settled.
    nights.fail(FORGOTTEN, (_, url) => startOf(url) < "2026-01-20" && !starts.includes(startOf(url)));
    await nights.night(41, "--max-window", "4d", "--recheck", "all");
    nights.recover();
    await nights.night(42, "--recheck", "0");
    expect(readAsked(nights).filter((one) => one.includes("missing new")).length).toBeLessThanOrEqual(1);
    await expectWhole(nights);
  });
});

test.concurrent("what is withdrawn in the night that halves its segment is in the journal", async () => {
  const nights = await createNights([], SERIES, { first: 0 });
  await nights.night(40, "--max-window", "8d");
  // An hour a day, so that both halves of each segment lack some.
  const nulls = Array.from({ length: 12 }, (_, day) => [at(10 + day), at(10 + day) + HOUR / MINUTE] as const);
  nights.change({ series: [NSW, { ...VIC, nulls }] });
  expect((await nights.night(41, "--max-window", "8d", "--recheck", "all")).stderr).toMatch(
    / 0 withdrawn, 12 held back/,
  );
  expect((await nights.night(42, "--max-window", "4d", "--recheck", "all")).stderr).toMatch(/ 12 withdrawn, /);
  expect(readChanges(nights.kept)).toHaveLength(12);
});

test.concurrent("a clock that is set back for one night, and responses that a killed run did not delete: nothing is withdrawn", async () => {
  const nights = await createNights(["--max-window", "8d"], SERIES, { first: 40 });
  const folder = nights.home.path("power.csv.ents");
  for (const days of [41, 42, 42 - 40 / 1440, 43, 50, 51]) {
    const names = readdirSync(folder).filter((name) => name.endsWith(".json.gz"));
    const contents = names.map((name) => readFileSync(`${folder}/${name}`));
    await nights.night(days);
    for (const [index, name] of names.entries()) writeFileSync(`${folder}/${name}`, contents[index] ?? "");
  }
  expect(readChanges(nights.kept)).toEqual([]);
  await expectWhole(nights);
});

test.concurrent("a network that ents does not know: what a night has beyond the end of its last segment is in the next one later", async () => {
  const nights = await createNights([...CELLS, "--recheck", "0"], SERIES, {
    query: QUERY.with(1, "XX").slice(0, -1),
    network: "XX",
  });
  for (const days of [11.8, 12.6, 13.4]) await nights.night(days);
  await expectWhole(nights);
});

test.concurrent("a network that ents does not know: what is restated is told, a night of nulls refused, and daylight saving is no other form", async () => {
  const query = QUERY.with(1, "XX").slice(0, -1);
  const nights = await createNights([], SERIES, { query, network: "XX" });
  expect((await nights.night(11)).stderr).toMatch(/: 48 values added, 0 restated, 0 withdrawn, 1 request/);
  nights.change({ series: [{ ...NSW, base: 8 }, VIC] });
  await nights.night(12);
  expect(readChanges(nights.kept).length).toBeGreaterThan(200);
  const before = nights.read();
  nights.change({ series: SERIES.map((one) => ({ ...one, nulls: [[at(-1), at(60)]] })) });
  nights.goTo(13);
  expect(await nights.update()).toMatchObject({
    code: 5,
    stderr: expect.stringContaining("has no data from") as string,
  });
  expect(nights.read()).toBe(before);
  nights.change({ series: [{ ...NSW, base: 8 }, VIC], offset: "+11:00" });
  await nights.night(14);
});
