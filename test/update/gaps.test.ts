/** Gaps of a service that fills them, where the answers of a night do not show that it does, or the gap begins before them. */
import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { GapWatch } from "../../src/job/destination/continue/gap-watch.ts";
import { toItems } from "../../src/job/destination/continue/known-columns.ts";
import { NeedsMore } from "../../src/job/destination/needs-more.ts";
import { DAY, HOUR } from "../../src/time/local-time.ts";
import { refusal } from "../e2e/envelopes.ts";
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

/** The last row of the first night is of day 9, 23:00: the second one replaces rows from day 2, 22:00 on. */
const AT_START = away([2.5, 3.2]);

test.each([
  ["--shape", "long"],
  ["--shape", "wide"],
  ["--pivot", "region"],
])("an earlier night has shown that it fills gaps: %s %s", async (...flags) => {
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
    "warning: power_VIC1 is back after a gap: rows without a value are missing from 2026-01-05T13:00:00Z on, as the service refuses to go back so far\n",
  );
  const rows = (text: string) => text.split("\n").filter((line) => !line.endsWith(","));
  expect(rows(nights.read())).toEqual(rows(await nights.readWhole()));
  nights.goTo(32);
  expect(await nights.update("--revise", "40d")).toMatchObject({ code: 0 });
  expect(nights.read()).toBe(await nights.readWhole());
});

test("a gap that takes too many requests is told, with the command that fills it", () => {
  const one = { network: "NEM", metric: "power", unit: "MW", labels: { region: "VIC1" }, first: 0, last: HOUR };
  const [item] = toItems([one]);
  const end = 2000 * DAY;
  const series = item?.series.map((same) => ({ ...same, points: { stamps: [""], instants: [end], values: ["1"] } })) ?? [];
  const watch = (interval: "5m" | "1d") => {
    const gaps = new GapWatch({ descriptor: { series: [one] }, from: end - 7 * DAY, interval, isRefused: false });
    gaps.add(item ? [{ ...item, series }] : []);
    return gaps;
  };
  expect(watch("5m").settle({ fills: true })).toBe(
    '{"region":"VIC1"} is back after a gap: rows without a value are missing from 1970-01-01T01:00:00Z on; to add them, run the command once with --revise 2007d',
  );
  expect(watch("5m").settle({ fills: false })).toBeUndefined();
  expect(() => watch("1d").settle({ fills: true })).toThrow(NeedsMore);
});
