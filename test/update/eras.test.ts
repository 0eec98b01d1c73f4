/**
 * The service has other units, timestamps, buckets, names or gaps from some night on: older answers are fetched again, and
 * no output has both.
 */
import { describe, expect, test } from "vitest";
import { DAY, HOUR } from "../../src/time/local-time.ts";
import { refusal } from "../e2e/envelopes.ts";
import { FULL, runs, some } from "../support/extent.ts";
import { at, createNights, createSeries, expectWhole, type Nights, QUERY, readOutput, type Service, SPENT } from "./nights.ts";

const SERIES = [createSeries("NSW1", [2.1, 2.3], [17.1, 17.3], [37.1, 37.3]), createSeries("VIC1", [39.1, 39.2])];
const DAYS: Service = { query: QUERY.with(5, "1d"), interval: "1d" };

const mark = (was: string | RegExp, now: string) => (nights: Nights) => {
  nights.world.mark = (text) => text.replaceAll(was, now);
};

const toKilowatts = mark('"unit":"MW"', '"unit":"kW"');
const toUtc = ({ change }: Nights) => change({ stamps: "Z" });

const TURNS: readonly [what: string, turn: (nights: Nights) => void, service?: Service][] = [
  ["a unit", toKilowatts],
  ["days that start at six", ({ change }) => change({ phase: 6 * HOUR }), DAYS],
  ["a service that ceases to fill gaps", ({ change }) => change({ fillsGaps: false })],
  ["timestamps in UTC", toUtc],
  ["another offset", mark(":00:00+10:00", ":30:00+10:30")],
  ["another name of a label", mark('"columns":{"region":', '"columns":{"network_region":')],
  ["another name of the network", mark('"network_code":"NEM"', '"network_code":"AEMO_NEM"')],
  ["a service that begins to fill gaps", ({ change }) => change({ fillsGaps: true }), { fillsGaps: false }],
];

const FORMS: readonly [Service, flags: readonly string[]][] = [
  [{}, []],
  [{ file: "power" }, ["--partition", "month", "-f", "csv"]],
  [{ file: "power.json" }, []],
];

const create = (flags: readonly string[] = [], service: Service = {}) => createNights(flags, SERIES, { first: 40, ...service });

describe.each(some(2, TURNS))("%s", (_, turn, service) => {
  test.concurrent.each(runs(FORMS.slice(0, 1), FORMS))("is that of all rows at once, and is fetched once: %j", async (form, flags) => {
    const nights = await create([...flags, "--max-window", "5d"], { ...service, ...form });
    await nights.night(41);
    turn(nights);
    await nights.night(42, "--recheck", "0");
    await expectWhole(nights);
    // The window in progress, those that may still change, and a recheck.
    expect((await nights.night(43)).requests).toBeLessThanOrEqual(5);
    await expectWhole(nights);
  });
});

describe("an era that takes more than 50 requests", () => {
  const flags = ["--max-window", "1d", "--concurrency", "1", "--retries", "0"];
  const createLong = () => create(flags, { first: 120 });

  test.concurrent("is fetched night by night, and the output stays until it has all", async () => {
    const nights = await createLong();
    const before = nights.read();
    toKilowatts(nights);
    const told: string[] = [];
    for (const days of [121, 122]) {
      nights.goTo(days);
      const sent = nights.service.requests.length;
      const { code, stderr } = await nights.update();
      told.push(/(\d+) older responses? still/.exec(stderr)?.[1] ?? stderr);
      expect(code).toBe(2);
      expect(nights.service.requests.length - sent).toBeLessThanOrEqual(50 + 10);
      expect(nights.read()).toBe(before);
    }
    expect(told).toEqual([expect.stringMatching(/^6\d$/), expect.stringMatching(/^[12]?\d$/)]);
    await nights.night(123);
    await expectWhole(nights);
  });

  test.runIf(FULL)("is fetched at once with --recheck all", { concurrent: true }, async () => {
    const nights = await createLong();
    toKilowatts(nights);
    await nights.night(121, "--recheck", "all");
    await expectWhole(nights);
  });

  test.runIf(FULL)("goes on where a quota ended it", { concurrent: true }, async () => {
    const nights = await createLong();
    const before = nights.read();
    toKilowatts(nights);
    const sent: number[] = [];
    for (const days of [121, 122, 123, 124]) {
      nights.fail(SPENT, (request) => request >= 45);
      nights.goTo(days);
      const first = nights.service.requests.length;
      const { code } = await nights.update();
      sent.push(nights.service.requests.length - first);
      if (code === 0) break;
      expect(nights.read()).toBe(before);
    }
    nights.recover();
    await nights.night(125);
    await expectWhole(nights);
    expect(sent.reduce((sum, requests) => sum + requests, 0)).toBeLessThan(121 + 4 * 15);
  });

  test.runIf(FULL)("is over when the service is as before", { concurrent: true }, async () => {
    const nights = await createLong();
    toUtc(nights);
    nights.goTo(121);
    expect(await nights.update()).toMatchObject({ code: 2 });
    nights.change({ stamps: "offset" });
    for (const days of [122, 123, 124]) {
      nights.goTo(days);
      await nights.update();
    }
    await nights.night(125);
    await expectWhole(nights);
  });
});

test.concurrent.each(runs(FORMS.slice(0, 1), FORMS))(
  "where the service refuses what is older, nothing is changed: %j",
  async (form, flags) => {
    const nights = await create([...flags, "--max-window", "5d"], form);
    const read = () => readOutput(nights.home.path(form.file ?? "power.csv"));
    const before = await read();
    toUtc(nights);
    nights.fail(refusal(400, "Your plan allows data from the last 10 days"), (_, url) => url.includes("date_start=2026-01"));
    nights.goTo(41);
    const { code, stderr } = await nights.update();
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/units or timestamps are no longer those .* refuses the older data .*last 10 days/),
    ]);
    expect(await read()).toBe(before);
    nights.recover();
    await nights.night(42);
    await expectWhole(nights);
  },
);

test.concurrent("the unit of a night without one, and another one after it", async () => {
  const nights = await create();
  mark('"unit":"MW"', '"unit":""')(nights);
  await nights.night(41);
  toKilowatts(nights);
  await nights.night(43);
  await expectWhole(nights);
});

test.concurrent("a network that ents does not know may have daylight saving: nothing old is asked for", async () => {
  const query = QUERY.with(1, "XX").filter((flag) => flag !== "--complete");
  const nights = await create(["--max-window", "5d"], { query, network: "XX" });
  for (const [days, offset] of [
    [41, "+09:00"],
    [44, "+09:00"],
    [47, "+10:00"],
  ] as const) {
    mark(/(?<=2026-02-1\dT\d\d:00:00)\+10:00/g, offset)(nights);
    expect((await nights.night(days)).requests).toBeLessThan(6);
  }
});

test.concurrent("a service that spells its series differently is not fetched again and again", async () => {
  const nights = await create(["--max-window", "5d"]);
  nights.world.mark = (text) => {
    const place = text.indexOf('"VIC1"');
    const spell = (_: string, stamp: string) => `["${new Date(stamp).toISOString().slice(0, 19)}Z"`;
    return text.slice(0, place) + text.slice(place).replaceAll(/\["([^"]+\+10:00)"/g, spell);
  };
  await nights.night(41);
  expect((await nights.night(42)).requests).toBeLessThan(6);
});

test.concurrent.each(runs(["season"], ["season", "1M", "3M", "1y", "fy"] as const))("stamps that move inside of a %s", async (interval) => {
  const query = QUERY.with(5, interval);
  const nights = await createNights([], SERIES.slice(1), { query, interval: interval as "season", seasonLabel: "start", first: 2000 });
  await nights.night(2080);
  nights.world.mark = (text) =>
    text.replaceAll(/\["(\d{4}-\d\d-\d\d)T/g, (_, day: string) => `["${new Date(Date.parse(day) + 14 * DAY).toISOString().slice(0, 10)}T`);
  await nights.night(2100);
  await expectWhole(nights);
});

test.concurrent("buckets that start at another time, as a series shows that was not there before", async () => {
  const [one, other] = SERIES as [(typeof SERIES)[0], (typeof SERIES)[0]];
  const series = [
    { ...one, present: [[at(-10), at(20)] as const] },
    { ...other, present: [[at(36), at(3000)] as const] },
  ];
  const nights = await createNights(["--max-window", "10d"], series, { ...DAYS, first: 40 });
  nights.change({ phase: 6 * HOUR });
  await nights.night(41);
  await expectWhole(nights);
});
