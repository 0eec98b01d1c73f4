/** A night on which the service has lost something, or is a different one, takes nothing away for good. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { HOUR } from "../../src/time/local-time.ts";
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
  readOutput,
  type Service,
  SPENT,
} from "./nights.ts";

/** The first series has a gap that shows that the service fills gaps. */
const SERIES = [createSeries("NSW1", [2.1, 2.3]), createSeries("VIC1")];
const [NSW, VIC] = SERIES as [(typeof SERIES)[0], (typeof SERIES)[0]];

/** One request after the other, so that the same ones always fail. */
const WINDOWS = ["--max-window", "1d", "--concurrency", "1", "--retries", "0"];

const FORMS: readonly [name: string, Service, flags: readonly string[]][] = [
  ["a file", {}, []],
  ["a folder", { file: "power" }, ["-f", "csv", "--partition", "month"]],
];

const createKept = (flags: readonly string[] = [], service: Service = {}, series = SERIES) =>
  createNights([...WINDOWS, ...flags], series, { first: 40, ...service });

const DAY_5_TO_8 = /date_start=2026-01-0[5-8]/;

const SPOILT = [
  ["windows without data", (nights: Nights) => nights.fail(NO_DATA, (_, url) => DAY_5_TO_8.test(url))],
  ["a series", ({ change }: Nights) => change({ series: [createSeries("NSW1", [2.1, 2.3], [4.5, 8.2]), VIC] })],
  ["a series of all windows", ({ change }: Nights) => change({ series: [NSW] })],
  ["values", ({ change }: Nights) => change({ series: SERIES.map((one) => ({ ...one, nulls: [[at(3.1), at(9)]] })) })],
  ["digits", ({ world }: Nights) => (world.mark = (text) => text.replace(/(?<=T12:00:00\+10:00",)\d/, "9"))],
] as const;

describe.each(some(1, SPOILT))("a first night on which %s were missing", (name, spoil) => {
  const create = async () => {
    const nights = await createNights(WINDOWS, SERIES, { first: 0 });
    spoil(nights);
    await nights.night(30);
    nights.recover();
    nights.change({ series: SERIES });
    delete nights.world.mark;
    return nights;
  };

  test.runIf(FULL || name === "windows without data")("is repaired by --recheck all, at once", { concurrent: true }, async () => {
    const nights = await create();
    await nights.night(31, "--recheck", "all");
    await expectWhole(nights);
    // Which answer was the first to change can be read afterwards.
    expect(nights.read("power.csv.ents/journal.ndjson")).toMatch(/^\{"doubt":\d+,"because":"2026-01-0\dT.*\.json\.gz"\}$/m);
  });

  test.runIf(FULL)("is repaired by a recheck a night", { concurrent: true }, async () => {
    const nights = await create();
    const whole = await nights.readWhole();
    for (let day = 31; !nights.read().startsWith(whole); day++) {
      // 30 windows, and one more each night: the bad answer is found at the latest when all were rechecked.
      expect(day).toBeLessThan(31 + 30);
      expect((await nights.night(day)).requests).toBeLessThan(10 + 30);
    }
    await nights.night(62);
    await expectWhole(nights);
  });
});

const EMPTY: readonly [string, (nights: Nights) => void][] = [
  ["404", ({ fail }) => fail(NO_DATA)],
  ["an empty list", ({ change }) => change({ series: [], noData: 200 })],
  ["nulls", ({ change }) => change({ series: SERIES.map((one) => ({ ...one, nulls: [[at(20), at(60)]] })) })],
  ["404 for a window", ({ fail }) => fail(NO_DATA, (request) => request === 4)],
];

describe.each(FORMS)("%s", (_form, service, flags) => {
  test.concurrent.each(some(1, EMPTY))(
    "a night without data (%s) ends with 5 and leaves it as it is; the next is right",
    async (_, spoil) => {
      const nights = await createKept(flags, service);
      const read = () => readOutput(nights.home.path(service.file ?? "power.csv"));
      const before = await read();
      for (const days of [41, 60]) {
        spoil(nights);
        nights.goTo(days);
        const { code, stderr } = await nights.update("-q");
        expect([code, stderr]).toEqual([5, expect.stringMatching(/has no data from 2026-.* is unchanged\n.*later\n.*--overwrite/)]);
      }
      expect(await read()).toBe(before);
      nights.recover();
      nights.change({ series: SERIES });
      await nights.night(60.01);
      await expectWhole(nights);
    },
  );

  test.concurrent("--overwrite accepts that data are gone", async () => {
    const nights = await createKept(flags, service);
    nights.change({ series: [createSeries("NSW1", [2.1, 2.3], [38, 90]), createSeries("VIC1", [38, 90])] });
    nights.goTo(41);
    expect(await nights.update()).toMatchObject({ code: 5 });
    await nights.night(41, "--overwrite", "--changes", "log.csv");
    await expectWhole(nights);
    expect(nights.read("log.csv").split("\n")).toHaveLength(1 + 2 * 2 * 24 + 1);
    await nights.night(42);
  });
});

test.concurrent("a recheck that finds nothing, or is refused, is a note: what is kept stays", async () => {
  const nights = await createKept();
  const before = nights.read();
  const old = (_: number, url: string) => /date_start=2026-01/.test(url);
  nights.fail(NO_DATA, old);
  expect((await nights.night(41, "--recheck", "2")).stderr).toMatch(
    /note: could not recheck 2026-01-.* and 1 older response: the service has no data any more; keeping the stored data\n/,
  );
  nights.fail(refusal(400, "Your plan allows data from the last 10 days"), old);
  expect((await nights.night(42, "--recheck", "2")).stderr).toMatch(
    /note: could not recheck 2026-01-.*last 10 days; keeping the stored data\n/,
  );
  expect(nights.read().startsWith(before)).toBe(true);
  nights.recover();
  await nights.night(43);
  await expectWhole(nights);
});

test.runIf(FULL)("a service that has the last days alone takes nothing away", { concurrent: true }, async () => {
  const nights = await createNights(WINDOWS, SERIES);
  const before = nights.read();
  for (let day = 11; day < 20; day++) {
    nights.change({ series: [createSeries("NSW1", [2.1, 2.3], [-20, day - 9]), createSeries("VIC1", [-20, day - 9])] });
    await nights.night(day);
  }
  expect(nights.read().startsWith(before)).toBe(true);
});

test.concurrent("what is withdrawn is told, and asked for again the next night", async () => {
  const nights = await createKept();
  nights.change({ series: [NSW, createSeries("VIC1", [33.5, 34.25], [35.125, 36])] });
  await nights.night(41, "--changes", "log.csv");
  await expectWhole(nights);
  expect(nights.read("log.csv").match(/VIC1,[\d.]+,\n/g)).toHaveLength(12 + 6 + 21);
  nights.change({ series: SERIES });
  // By then, nothing else makes these windows due.
  await nights.night(60, "--recheck", "0", "--changes", "log.csv");
  await expectWhole(nights);
  expect(nights.read("log.csv").split("\n")).toHaveLength(1 + 39 + 1);
});

test.concurrent.each(some(1, [5, 1]))("a series that was away for %i nights is back in all of its rows", async (away) => {
  const nights = await createKept();
  nights.change({ series: [NSW] });
  for (let day = 41; day < 41 + away; day++) await nights.night(day);
  nights.change({ series: SERIES });
  await nights.night(41 + away);
  if (away > 1) await nights.night(41 + away, "--recheck", "all");
  await expectWhole(nights);
});

test.runIf(FULL)("data that stop for two weeks, and are published all at once", { concurrent: true }, async () => {
  const nights = await createKept();
  nights.change({ series: [createSeries("NSW1", [2.1, 2.3], [40.5, 90]), createSeries("VIC1", [40.5, 90])] });
  nights.fail(DOWN, (request) => request >= 19);
  nights.goTo(55);
  expect(await nights.update()).toMatchObject({ code: 5 });
  nights.recover();
  await nights.night(56);
  nights.change({ series: SERIES });
  // One of the answers received on both nights is rechecked.
  for (const days of [57, 58]) await nights.night(days, "--changes", "log.csv");
  await expectWhole(nights);
});

const BROKEN: readonly [string, Answer][] = [
  ["a page of a proxy", { status: 200, body: "<html>" }],
  ["success: false", { status: 200, body: { version: "4", success: false, error: "Error" } }],
  ["a body that is no JSON", { status: 200, body: '{"success":true,"data":[{NaN}]}' }],
  ["a count of records that does not fit", { status: 200, body: { version: "4", success: true, data: [], total_records: 5 } }],
  ["425", refusal(425, "too early")],
  ["500", refusal(500, "Error executing query")],
  ["a quota that ends", SPENT],
];

test.concurrent.each(some(1, BROKEN))("an answer that is broken once is asked for again by the next run: %s", async (_, answer) => {
  const nights = await createKept();
  const before = nights.read();
  nights.fail(answer, (request) => request === 3);
  nights.goTo(41);
  expect([3, 4, 5]).toContain((await nights.update()).code);
  expect(nights.read()).toBe(before);
  nights.recover();
  // All but one or two are at hand.
  expect((await nights.night(41)).requests).toBeLessThan(10);
  await expectWhole(nights);
});

describe("a first run that failed", () => {
  test.concurrent.each(some(1, [14, 0.01, 1]))(
    "is gone on with after %d days: nothing is stale, and little paid for twice",
    async (later) => {
      const nights = await createNights(WINDOWS, SERIES, { first: 0 });
      nights.fail(SPENT, (request) => request >= 20);
      nights.goTo(24);
      expect(await nights.update()).toMatchObject({ code: 3 });
      // Everything that may change has changed.
      nights.change({ series: [createSeries("NSW1", [2.1, 2.3], [18, 18.2]), VIC] });
      nights.recover();
      const { requests } = await nights.night(24 + later);
      expect(requests).toBeLessThanOrEqual(4 + later + (later < 0.1 ? 1 : 5));
      if (later > 0.1) await expectWhole(nights);
    },
  );

  test.concurrent.each(some(1, [14, 1]))("is gone on with after %d days, of a service with other units then", async (later) => {
    let unit = "MW";
    const mark = (text: string) => text.replaceAll('"unit":"MW"', `"unit":"${unit}"`);
    const nights = await createNights(WINDOWS, SERIES, { first: 0, mark });
    nights.fail(SPENT, (request) => request >= 20);
    nights.goTo(24);
    expect(await nights.update()).toMatchObject({ code: 3 });
    unit = "kW";
    nights.recover();
    await nights.night(24 + later);
    await expectWhole(nights);
  });
});

const ANOTHER = {
  "the network": ['"network_code":"NEM"', '"network_code":"AEMO_NEM"'],
  "the unit": ['"unit":"MW"', '"unit":"kW"'],
  "a label": ['"columns":{"region":', '"columns":{"network_region":'],
} as const;

test.concurrent.each(some(1, Object.entries(ANOTHER)))(
  "what is left of a night that failed, with another name of %s, is not mixed in",
  async (_, [was, now]) => {
    const nights = await createKept([], { first: 30 });
    nights.world.mark = (text) => text.replaceAll(was, now);
    nights.fail(SPENT, (request) => request >= 25);
    nights.goTo(31);
    await nights.update("--recheck", "20");
    nights.recover();
    nights.world.mark = (text) => text;
    await nights.night(32);
    await nights.night(33, "--recheck", "all");
    await expectWhole(nights);
  },
);

test.runIf(FULL)("a clock that is behind, or was ahead, loses nothing", { concurrent: true }, async () => {
  const nights = await createKept(["--revise", "1d"]);
  for (const days of [38.5, 41, 45, 42, 43.2]) {
    nights.goTo(days);
    const ahead = days === 45;
    if (ahead) nights.change({ series: SERIES.map((one) => ({ ...one, present: [[at(-10), at(42)]] })) });
    await nights.update("--overwrite");
    nights.change({ series: SERIES });
  }
  await expectWhole(nights);
});

test.runIf(FULL)("a point of the future that a service sends once is gone the next night", { concurrent: true }, async () => {
  const nights = await createKept();
  nights.world.mark = (text) => text.replaceAll(/("data":\[\[[^\]]*\](?:,\[[^\]]*\])*)/g, `$1,["2027-06-01T00:00:00+10:00",5.00]`);
  nights.goTo(41);
  await nights.update();
  nights.world.mark = (text) => text;
  await nights.night(42, "--recheck", "all");
  await expectWhole(nights);
  expect(QUERY).toContain("--complete");
});

test.runIf(FULL)("of another phase of its days, with a series that begins in the first", { concurrent: true }, async () => {
  const late = { ...VIC, present: [[at(3.25), at(3.5)] as const, [at(8), at(3000)] as const] };
  const query = QUERY.with(5, "1d");
  const nights = await createNights([], [createSeries("NSW1", [2, 4]), late], { query, interval: "1d", phase: 6 * HOUR, first: 14 });
  await nights.night(15);
  await expectWhole(nights);
});

test.concurrent("a recheck that the service does not answer is a note: the night goes on", async () => {
  const nights = await createKept();
  for (const [days, answer] of [
    [41, SPENT],
    [42, DOWN],
  ] as const) {
    nights.fail(answer, (request) => request === 0);
    expect((await nights.night(days)).stderr).toMatch(/note: could not recheck 2026-01-/);
    nights.recover();
    await expectWhole(nights);
  }
});

test.concurrent("an answer is confirmed by one of another day", async () => {
  const nights = await createKept();
  const readConfirmed = () =>
    (JSON.parse(nights.read("power.csv.ents/journal.ndjson").trimEnd().split("\n").at(-1) ?? "") as { confirmed: string[] }).confirmed;
  await nights.night(40.1);
  expect(readConfirmed()).toEqual([]);
  await nights.night(41.5);
  expect(readConfirmed()).not.toEqual([]);
});

test.concurrent("first those are rechecked that look doubtful, until they are confirmed", async () => {
  const lacking = [createSeries("NSW1", [2.1, 2.3]), createSeries("VIC1", [20.9, 22.1])];
  const nights = await createNights([...WINDOWS, "--recheck", "2"], lacking, { first: 0 });
  nights.fail(NO_DATA, (_, url) => url.includes("date_start=2026-01-11"));
  await nights.night(40);
  const rechecked: string[] = [];
  for (const days of [42, 43, 44]) {
    const sent = nights.service.requests.length;
    await nights.night(days);
    rechecked.push(...nights.service.requests.slice(sent, sent + 2).map(({ url }) => /date_start=2026-01-(\d\d)/.exec(url)?.[1] ?? url));
  }
  expect(rechecked).toEqual(["11", "22", "01", "02", "03", "04"]);
});

test.concurrent("rechecks go on where the service refuses old windows", async () => {
  const nights = await createKept();
  nights.fail(refusal(400, "Your plan allows data from the last 35 days"), (_, url) => /date_start=2026-01-0[1-3]/.test(url));
  const rechecked: string[] = [];
  for (const days of [41, 42, 43]) {
    const sent = nights.service.requests.length;
    await nights.night(days, "-q");
    // Each night asks for seven windows and the one in progress.
    rechecked.push(...nights.service.requests.slice(sent, -8).map(({ url }) => /date_start=2026-01-(\d\d)/.exec(url)?.[1] ?? url));
  }
  expect(rechecked).toEqual(["01", "02", "03", "04", "05"]);
});

test.concurrent.each([[[]], [["--recheck", "0"]], [["--overwrite"]]])(
  "what the service refuses stays, although an answer of the same run has changed: %j",
  async (flags) => {
    const nights = await createKept();
    // The first of all windows is rechecked first. It has changed, so all others of its run are in question.
    nights.change({ series: [{ ...NSW, base: 8 }, VIC] });
    nights.fail(refusal(400, "Your plan allows data from the last 20 days"), (_, url) => /date_start=2026-01-(?!01)/.test(url));
    const { stderr } = await nights.night(41);
    expect(
      stderr.match(/note: could not recheck 2026-01-02.* and 29 older responses: .*last 20 days; keeping the stored data\n/g),
    ).toHaveLength(1);
    // Seven windows, the one in progress, and a recheck: what was refused once is not requested every night.
    const next = await nights.night(42, ...flags);
    expect(next.requests).toBeLessThanOrEqual(10);
    nights.recover();
    await nights.night(43, "--recheck", "all");
    await expectWhole(nights);
  },
);

test.concurrent("what has no data any more stays, although an answer of the same run has changed", async () => {
  const nights = await createKept();
  const rows = nights.read().split("\n").length;
  nights.change({ series: [{ ...NSW, base: 8 }, VIC] });
  nights.fail(NO_DATA, (_, url) => /date_start=2026-01-(?!01)/.test(url));
  expect((await nights.night(41)).stderr).toMatch(
    /note: could not recheck 2026-01-02.* older responses: the service has no data any more; keeping the stored data\n/,
  );
  expect(nights.read().split("\n").length).toBe(rows + 2 * 24);
  nights.recover();
  await nights.night(42, "--recheck", "all");
  await expectWhole(nights);
});

test.concurrent("a clock that is set back for one night, and answers that a killed run did not delete: nothing is told to be withdrawn", async () => {
  const nights = await createNights(["--changes", "log.csv", "--max-window", "8d"], SERIES, { first: 40 });
  const folder = nights.home.path("power.csv.ents");
  for (const days of [41, 42, 42 - 40 / 1440, 43, 50, 51]) {
    const names = readdirSync(folder).filter((name) => name.endsWith(".gz"));
    const contents = names.map((name) => readFileSync(`${folder}/${name}`));
    await nights.night(days);
    for (const [index, name] of names.entries()) writeFileSync(`${folder}/${name}`, contents[index] ?? "");
  }
  expect(existsSync(nights.home.path("log.csv"))).toBe(false);
  await expectWhole(nights);
});

test.concurrent("the answers of a network that ents does not know are compared: what is restated is told, and a night of nulls refused", async () => {
  const query = QUERY.with(1, "XX").slice(0, -1);
  const nights = await createNights(["--changes", "log.csv"], SERIES, { query, network: "XX" });
  expect((await nights.night(11)).stderr).toMatch(/: 48 values added, 0 restated, 0 withdrawn, 1 request/);
  nights.change({ series: [{ ...NSW, base: 8 }, VIC] });
  await nights.night(12);
  expect(nights.read("log.csv").split("\n").length).toBeGreaterThan(200);
  const before = nights.read();
  nights.change({ series: SERIES.map((one) => ({ ...one, nulls: [[at(-1), at(60)]] })) });
  nights.goTo(13);
  expect(await nights.update()).toMatchObject({ code: 5, stderr: expect.stringContaining("has no data from") as string });
  expect(nights.read()).toBe(before);
});
