/** Gaps of a service that fills them, where the answers of a night do not show that it does, or the gap begins before them. */
import { rmSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { listNulls } from "../../src/job/destination/continue/nulls-before.ts";
import type { LoggedSeries } from "../../src/series/series-log.ts";
import { DAY, HOUR } from "../../src/time/local-time.ts";
import { planQuery } from "../../src/plan/plan.ts";
import { Gaps } from "../../src/series/gaps.ts";
import type { TimeSeries } from "../../src/series/time-series.ts";
import { createGaps } from "../../src/source/fetch-series.ts";
import { refusal } from "../e2e/envelopes.ts";
import { queryFor } from "../merge/cases.ts";
import { STEP } from "../merge/buckets.ts";
import type { ModelSeries } from "../merge/fake-service.ts";
import { createNights, FILE, type Nights, QUERY, REGIONS, START } from "./nights.ts";
import { subtract } from "./world.ts";

const [ONE, OTHER] = REGIONS as [ModelSeries, ModelSeries];
const at = (days: number) => (START + days * DAY) / STEP;

/** The first region, and the second one without data from and until so many days after the start. */
function away(...holes: readonly (readonly [from: number, until: number])[]): ModelSeries[] {
  return [
    ONE,
    { ...OTHER, present: holes.reduce((present, [from, until]) => subtract(present, [at(from), at(until)]), [...OTHER.present]) },
  ];
}

function readFacts(nights: Nights, name = FILE): { readonly fills_gaps?: boolean; readonly unfilled_since?: string } {
  return (JSON.parse(nights.read(`${name}.datapackage.json`)) as { ents: object }).ents;
}

const SHAPES = [
  ["--shape", "long"],
  ["--shape", "wide"],
  ["--pivot", "region"],
];

/** The last row of the first night is of day 9, 23:00: the second one replaces rows from day 2, 22:00 on. */
const AT_START = away([2.5, 3.2]);

test.each(SHAPES)("an earlier night has shown that it fills gaps: %s %s", async (...flags) => {
  const nights = await createNights(flags, AT_START);
  expect(readFacts(nights)).toMatchObject({ fills_gaps: true });
  expect(await nights.update()).toMatchObject({ code: 0 });
  expect(nights.read()).toBe(await nights.readWhole());
  expect(readFacts(nights)).toMatchObject({ fills_gaps: true });
});

test("without a description, the rows show it", async () => {
  const nights = await createNights([], AT_START);
  rmSync(nights.home.path(`${FILE}.datapackage.json`));
  expect(await nights.update()).toMatchObject({ code: 0 });
  expect(nights.read()).toBe(await nights.readWhole());
});

test("an earlier night has shown that it does not: no later one adds a null", async () => {
  const nights = await createNights([], AT_START);
  nights.world.model = { ...nights.world.model, fillsGaps: false };
  const command = [...QUERY, "-o", "sparse.csv", "--update"];
  await nights.run(...command);
  expect(readFacts(nights, "sparse.csv")).toMatchObject({ fills_gaps: false });
  nights.goTo(12);
  expect(await nights.run(...command)).toMatchObject({ code: 0 });
  expect(nights.read("sparse.csv")).toBe(await nights.readWhole());
});

test("what no night could know is added when one shows it", async () => {
  const nights = await createNights();
  nights.world.model = { ...nights.world.model, series: away([4.5, 9.5]) };
  const command = [...QUERY, "-o", "late.csv", "--update", "--max-window", "3d"];
  nights.goTo(20);
  expect((await nights.run(...command)).stderr).toContain("rows without a value may be missing where the window is split");
  expect(readFacts(nights, "late.csv")).toMatchObject({ unfilled_since: "2026-01-05T01:00:00Z" });
  nights.goTo(21);
  expect(await nights.run(...command)).toMatchObject({ code: 0, stderr: expect.not.stringContaining("note") as string });
  expect(readFacts(nights, "late.csv")).toMatchObject({ unfilled_since: "2026-01-05T01:00:00Z" });
  nights.world.model = { ...nights.world.model, series: away([4.5, 9.5], [20.1, 20.2]) };
  nights.goTo(22);
  expect((await nights.run(...command)).stderr).toContain(
    "note: the service fills gaps, as it has shown now; fetching all from 2026-01-05T01:00:00Z on again\n",
  );
  expect(nights.read("late.csv")).toBe(await nights.readWhole());
  expect(readFacts(nights, "late.csv")).toMatchObject({ fills_gaps: true });
});

const LONG = away([2, 2.1], [5, 30]);

test.each([[[]], [["--no-resume"]]])("a series that comes back after longer than --revise: its gap is fetched, %j", async (flags) => {
  const nights = await createNights(flags, LONG);
  for (const days of [14, 20, 29]) {
    nights.goTo(days);
    expect((await nights.update()).stderr).not.toContain("again");
  }
  nights.goTo(31);
  expect((await nights.update()).stderr).toMatch(/note: power_VIC1 is back after a gap; fetching all from 2026-01-05T13:00:00Z on again\n/);
  expect(nights.read()).toBe(await nights.readWhole());
  nights.goTo(32);
  expect((await nights.update()).stderr).not.toContain("again");
  expect(nights.read()).toBe(await nights.readWhole());
});

test("where the service refuses what is before, the update is done, and says what is missing", async () => {
  const nights = await createNights([], LONG);
  nights.goTo(29);
  await nights.update();
  nights.goTo(31);
  const refused = nights.service.requests.length + 1;
  nights.world.play = (request) => (request === refused ? refusal(400, "Your plan allows data from the last 10 days") : undefined);
  const { code, stderr } = await nights.update();
  expect(code).toBe(0);
  expect(stderr).toMatch(/note: .*Your plan allows data from the last 10 days/);
  expect(stderr).toContain(
    "warning: power.csv: power_VIC1 is back after a gap: rows without a value are missing from 2026-01-05T13:00:00Z on, because the service did not send earlier data\n",
  );
  const rows = (text: string) => text.split("\n").filter((line) => !line.endsWith(","));
  expect(rows(nights.read())).toEqual(rows(await nights.readWhole()));
  nights.goTo(32);
  expect(await nights.update("--revise", "40d")).toMatchObject({ code: 0 });
  expect(nights.read()).toBe(await nights.readWhole());
});

test.each([[[]], [["--partition", "day", "-f", "csv"]]])(
  "a gap that takes too many requests is told, with the command that fills it: %j",
  async (form) => {
    const name = form.length > 0 ? "folder" : FILE;
    const nights = await createNights([], LONG);
    const update = (...more: string[]) => nights.run(...QUERY, "-o", name, "--update", ...form, ...more);
    for (const days of [14, 29]) {
      nights.goTo(days);
      await update();
    }
    nights.goTo(31);
    const sent = nights.service.requests.length;
    expect((await update("--max-window", "12h")).stderr).toMatch(
      /warning: (?:power.csv|folder): power_VIC1 is back after a gap: rows without a value (?:are|may be) missing from 2026-01-05T13:00:00Z on, because fetching the rows again would take \d\d requests; to fix them, run the command once with --revise 33d\n/,
    );
    expect(nights.service.requests.length - sent).toBeLessThan(100);
    nights.goTo(32);
    expect(await update("--revise", "33d")).toMatchObject({ code: 0, stderr: expect.not.stringContaining("warning") as string });
  },
);

const SOMETIMES = away([4.5, 5], [26, 27]);

test.each([
  ["starts", false, "fills gaps now, which it did not"],
  ["stops", true, "does not fill gaps any more"],
] as const)("a service that %s to fill gaps: what is kept is fetched again, once", async (...[, before, told]) => {
  const nights = await createNights([], SOMETIMES, { fillsGaps: before });
  expect(readFacts(nights)).toMatchObject({ fills_gaps: before });
  nights.goTo(20);
  await nights.update();
  nights.world.model = { ...nights.world.model, fillsGaps: !before };
  nights.goTo(28);
  expect((await nights.update()).stderr).toContain(`note: the service ${told}; fetching all of it again\n`);
  expect(nights.read()).toBe(await nights.readWhole());
  expect(readFacts(nights)).toMatchObject({ fills_gaps: !before });
  nights.goTo(29);
  expect((await nights.update()).stderr).not.toContain("again");
  expect(nights.read()).toBe(await nights.readWhole());
});

test("a service that begins to fill gaps, as a long one shows", async () => {
  const nights = await createNights([], away([4.5, 5], [20, 33]), { fillsGaps: false });
  nights.goTo(19);
  await nights.update();
  nights.world.model = { ...nights.world.model, fillsGaps: true };
  nights.goTo(31);
  expect((await nights.update()).stderr).not.toContain("again");
  nights.goTo(34);
  const { stderr } = await nights.update();
  expect(stderr.match(/again\n/g)).toHaveLength(2);
  expect(stderr).not.toContain("warning");
  expect(nights.read()).toBe(await nights.readWhole());
});

test("a service that begins to fill gaps, and refuses what is old: it is told once", async () => {
  const nights = await createNights([], SOMETIMES, { fillsGaps: false });
  nights.goTo(20);
  await nights.update();
  nights.world.model = { ...nights.world.model, fillsGaps: true };
  nights.goTo(28);
  const refused = nights.service.requests.length + 1;
  nights.world.play = (request) => (request === refused ? refusal(400, "Your plan allows data from the last 10 days") : undefined);
  expect((await nights.update()).stderr).toContain(
    "warning: power.csv: the service fills gaps now, which it did not: rows without a value are missing from 2025-12-31T14:00:00Z on, because the service did not send earlier data\n",
  );
  expect(readFacts(nights)).toMatchObject({ fills_gaps: true, unfilled_since: "2025-12-31T14:00:00Z" });
  nights.goTo(29);
  expect((await nights.update()).stderr).not.toMatch(/warning|again/);
  expect(readFacts(nights)).toMatchObject({ fills_gaps: true, unfilled_since: "2025-12-31T14:00:00Z" });
});

test("nulls of a service that does not fill gaps are its own: all is fetched again for the first alone", async () => {
  const nights = await createNights([], away([4.5, 5]), { fillsGaps: false });
  const nullAt = (days: number) => {
    const [one, other] = nights.world.model.series as [ModelSeries, ModelSeries];
    const nulls = [...other.nulls, [at(days), at(days + 0.5)] as const];
    nights.world.model = { ...nights.world.model, series: [one, { ...other, nulls }] };
  };
  nights.goTo(20);
  await nights.update();
  const told: boolean[] = [];
  for (const days of [21, 25, 33]) {
    nullAt(days - 1.5);
    nights.goTo(days);
    told.push((await nights.update()).stderr.includes("again"));
    expect(nights.read()).toBe(await nights.readWhole());
    expect(readFacts(nights)).toMatchObject({ fills_gaps: false, sends_nulls: true });
  }
  expect(told).toEqual([true, false, false]);
});

test.each([
  ["the quota is spent", 401],
  ["one window fails", 500],
] as const)("where %s, the update is done with what it has, and three nights try again", async (_, status) => {
  const nights = await createNights([], LONG);
  nights.goTo(29);
  await nights.update();
  const fail = async (days: number) => {
    nights.goTo(days);
    const first = nights.service.requests.length + 1;
    nights.world.play = (request) => (request < first ? undefined : refusal(status, "Error executing query"));
    const { code, stderr } = await nights.update("--retries", "0");
    expect(code).toBe(0);
    expect(nights.read()).toContain(`2026-01-${days - 1}T23:00:00+10:00`);
    return /, because the service did not send earlier data; (.*)\n/.exec(stderr)?.[1];
  };
  await expect(fail(31)).resolves.toBe("the next run tries again");
  nights.world.play = () => undefined;
  const copy = nights.read();
  const description = nights.read(`${FILE}.datapackage.json`);
  expect((await nights.update()).stderr).toContain(
    "note: an earlier update was incomplete; fetching all from 2026-01-05T13:00:00Z on again\n",
  );
  expect(nights.read()).toBe(await nights.readWhole());
  writeFileSync(nights.home.path(FILE), copy);
  writeFileSync(nights.home.path(`${FILE}.datapackage.json`), description);
  await expect(fail(31)).resolves.toBe("the next run tries again");
  await expect(fail(31)).resolves.toBe("to fix them, run the command once with --revise 33d");
  nights.world.play = () => undefined;
  expect((await nights.update()).stderr).not.toMatch(/warning|again/);
});

test.each(SHAPES)("of two series of the same labels, each has its gaps: %s %s", async (...flags) => {
  const [, holed] = away([18, 26]) as [ModelSeries, ModelSeries];
  const twice = [{ ...OTHER, base: 1000 }, holed, ONE];
  const nights = await createNights(flags, twice);
  for (const days of [17, 19, 25, 27, 30]) {
    nights.goTo(days);
    expect(await nights.update()).toMatchObject({ code: 0 });
    expect({ days, text: nights.read() }).toEqual({ days, text: await nights.readWhole() });
  }
});

test("seasons without a gap: no word of one", async () => {
  const nights = await createNights();
  nights.world.model = { ...nights.world.model, interval: "season", seasonLabel: "middle" };
  for (const days of [1000, 1100, 1500]) {
    nights.goTo(days);
    const { stderr } = await nights.run(...QUERY.with(5, "season"), "-o", "seasons.csv", "--update");
    expect(stderr).not.toContain("missing");
  }
});

test("months of a network that ents does not know, in UTC: a gap in which the window begins", async () => {
  const nights = await createNights([], away([306, 480]));
  nights.world.model = { ...nights.world.model, network: "ZZ", offset: "+13:00", stamps: "Z", interval: "1M" };
  const command = QUERY.with(1, "ZZ")
    .with(5, "1M")
    .filter((flag) => flag !== "--complete");
  for (const days of [525, 535]) {
    nights.goTo(days);
    expect(await nights.run(...command, "-o", "months.csv", "--update", "--revise", "2M")).toMatchObject({ code: 0 });
    await nights.run(...command, "-o", "whole.csv");
    expect({ days, text: nights.read("months.csv") }).toEqual({ days, text: nights.read("whole.csv") });
  }
});

test("a series that begins a day before the window of a network whose offset may shift has its gap filled from its first point on", () => {
  const one = { network: "ZZ", metric: "power", unit: "MW", labels: {}, first: 0, last: 9 * DAY };
  const clock = { offset: 13 * HOUR, slack: DAY };
  const opening = { from: 2 * DAY, start: DAY + 13 * HOUR, clock, interval: "1h", spell: String } as const;
  const instants = (series: LoggedSeries) => listNulls([series], opening).map((item) => item.series[0]?.points.instants);
  expect(instants(one)).toEqual([[0]]);
  expect(instants({ ...one, first: -5 * HOUR })).toEqual([[-HOUR]]);
});

test("of a service that does not fill gaps, a long one is not fetched again where that takes more than a look", async () => {
  const nights = await createNights(["--max-window", "2d"], away([2.2, 2.5], [5, 30]), { fillsGaps: false });
  nights.goTo(29);
  await nights.update();
  nights.goTo(31);
  const before = nights.service.requests.length;
  expect((await nights.update()).stderr).not.toMatch(/warning|again/);
  expect(nights.service.requests.length - before).toBeLessThan(12);
  expect(nights.read()).toBe(await nights.readWhole());
});

test("what is filled after a point that is known from before is spelled as the service spells the point after it", () => {
  const item = (stamp: string, instant: number, value: string | null): TimeSeries => ({
    fields: {},
    network: "NEM",
    metric: "power",
    unit: "MW",
    series: [{ fields: {}, labels: {}, points: { stamps: [stamp], instants: [instant], values: [value] } }],
  });
  const gaps = new Gaps({ interval: "1h", fills: true, from: 2 * HOUR });
  gaps.fill([item("1970-01-01T10:00:00+10:00", 0, null)], { upcoming: [], from: 0, until: HOUR });
  const [filled] = gaps.fill([item("1970-01-01T04:00:00Z", 4 * HOUR, "1")], { upcoming: [], from: HOUR, until: 5 * HOUR });
  expect(filled?.series[0]?.points.stamps).toEqual([
    "1970-01-01T01:00:00Z",
    "1970-01-01T02:00:00Z",
    "1970-01-01T03:00:00Z",
    "1970-01-01T04:00:00Z",
  ]);
});

test("a gap may be a few buckets longer than the window", () => {
  const query = queryFor({ network: "NEM", interval: "7d" }, { start: 0, end: 42 * DAY }, ["power"]);
  const plan = planQuery(query, { now: 50 * DAY, maxWindow: undefined });
  expect(createGaps(plan, { collects: false }).longest).toBeGreaterThanOrEqual((42 + 2 * 7) * DAY);
});

test("a service that ceases to fill gaps has all fetched again, also where that takes more than a look", async () => {
  const nights = await createNights(["--max-window", "2d"], away([2.2, 2.5]));
  nights.goTo(30);
  await nights.update();
  nights.world.model = { ...nights.world.model, fillsGaps: false, series: away([2.2, 2.5], [29.2, 29.6]) };
  nights.goTo(31);
  expect((await nights.update()).stderr).toContain("note: the service does not fill gaps any more; fetching all of it again\n");
  expect(nights.read()).toBe(await nights.readWhole());
});
