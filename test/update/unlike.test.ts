/** What comes cannot stand behind the rows that are kept: another unit, or buckets that start at another time. */
import { existsSync, rmSync } from "node:fs";
import { expect, test } from "vitest";
import { DAY, HOUR } from "../../src/time/local-time.ts";
import { readData } from "../dataset/datasets.ts";
import { refusal } from "../e2e/envelopes.ts";
import { STEP } from "../merge/buckets.ts";
import type { ModelSeries } from "../merge/fake-service.ts";
import { runs } from "../support/extent.ts";
import { createNights, FILE, type Nights, QUERY, REGIONS, START } from "./nights.ts";
import { subtract } from "./world.ts";

type Form = readonly [name: string, flags: readonly string[]];

const FORMS: readonly Form[] = [
  ["long.csv", ["--shape", "long"]],
  ["wide.csv", ["--shape", "wide"]],
  ["folder", ["--partition", "month", "-f", "csv"]],
];

/** `npm test` takes one of them: the way is the same. */
const FIRST = FORMS.slice(0, runs(1, 3));
const LAST = FORMS.slice(-runs(1, 3));

const DAYS = QUERY.with(5, "1d");

/** With rows of 40 days, of a service that changes then. */
async function createKept([name, flags]: Form, query = QUERY) {
  const service = { unit: "MW" };
  const mark = (text: string) => text.replaceAll('"unit":"MW"', `"unit":"${service.unit}"`);
  const nights = await createNights([], REGIONS, { mark });
  if (query === DAYS) nights.world.model = { ...nights.world.model, interval: "1d" };
  const update = (...more: string[]) => nights.run(...query, "-o", name, ...flags, "--update", ...more);
  const read = (): unknown => (name === "folder" ? readData(nights.home.path(name)) : nights.read(name));
  for (const days of [35, 40]) {
    nights.goTo(days);
    await update();
  }
  nights.goTo(41);
  return { nights, service, update, read };
}

function shift({ world }: Nights): void {
  world.model = { ...world.model, phase: 6 * HOUR };
}

/** Why all of it was fetched again on the first night of two: on the second, it is not. */
async function fetchTwice({ nights, update, read }: Awaited<ReturnType<typeof createKept>>, name: string): Promise<string | undefined> {
  const { stderr } = await update();
  nights.goTo(42);
  expect((await update()).stderr).not.toContain("again");
  const own = read();
  for (const old of [name, `${name}.datapackage.json`]) rmSync(nights.home.path(old), { recursive: true, force: true });
  await update();
  expect(own).toEqual(read());
  return /note: (.*); fetching all of it again\n/.exec(stderr)?.[1];
}

test.each(LAST)("a unit that changes: %s", async (...form) => {
  const kept = await createKept(form);
  kept.service.unit = "kW";
  await expect(fetchTwice(kept, form[0])).resolves.toBe("the unit of power changed from MW to kW");
});

test.each(FIRST)("buckets that start at another time: %s", async (...form) => {
  const kept = await createKept(form, DAYS);
  shift(kept.nights);
  await expect(fetchTwice(kept, form[0])).resolves.toBe("buckets now start 6h later");
});

test.each(FIRST)("where the service refuses what is before, nothing is changed: %s", async (...form) => {
  const { nights, update, read } = await createKept(form, DAYS);
  const before = read();
  shift(nights);
  const refused = nights.service.requests.length + 1;
  nights.world.play = (request) => (request === refused ? refusal(400, "Your plan allows data from the last 10 days") : undefined);
  expect(await update()).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      `cannot update ${form[0]}: buckets now start 6h later, and the service did not send earlier data\n      use another file with -o`,
    ) as string,
  });
  expect(read()).toEqual(before);
});

test.each(FIRST)("a unit that changes after a night without one: %s", async (...form) => {
  const kept = await createKept(form);
  kept.service.unit = "";
  await kept.update();
  kept.nights.goTo(43);
  kept.service.unit = "kW";
  expect((await kept.update()).stderr).toContain("note: the unit of power changed from MW to kW; fetching all of it again\n");
});

test.each(FIRST)("where no row stays, nothing is fetched twice and nothing refused: %s", async (...form) => {
  const kept = await createKept(form, QUERY.with(7, "2025-01-01"));
  kept.service.unit = "kW";
  const { nights } = kept;
  const before = nights.service.requests.length;
  expect(await kept.update("--revise", "80d")).toMatchObject({ code: 0, stderr: expect.not.stringContaining("note") as string });
  expect(nights.service.requests.length - before).toBeLessThan(5);
});

test.each([
  ["season", "NEM"],
  ...runs([], [
    ["1M", "NEM"],
    ["3M", "NEM"],
    ["1y", "NEM"],
    ["fy", "NEM"],
    ["season", "XX"],
  ] as const),
] as const)("stamps that move inside of a %s of %s", async (interval, network) => {
  const service = { days: 0 };
  const mark = (text: string) =>
    service.days === 0
      ? text
      : text.replaceAll(/\["(\d{4}-\d\d-\d\d)T00:00:00\+10:00"/g, (_, day: string) => `["${later(day, service.days)}T00:00:00+10:00"`);
  const nights = await createNights([], REGIONS, { mark });
  nights.world.model = { ...nights.world.model, interval, seasonLabel: "start" };
  // Without an offset, ents does not know which bucket is under way.
  const query = QUERY.with(5, interval)
    .with(1, network)
    .slice(0, network === "XX" ? -1 : undefined);
  const update = () => nights.run(...query, "-o", "long.csv", "--update");
  for (const day of [2000, 2080, 2090]) {
    nights.goTo(day);
    expect((await update()).stderr).not.toContain("again");
  }
  service.days = 14;
  nights.goTo(2100);
  expect((await update()).stderr).toContain("note: buckets now start at another time; fetching all of it again\n");
  nights.goTo(2101);
  expect((await update()).stderr).not.toContain("again");
  await nights.run(...query, "-o", "whole.csv");
  expect(nights.read("long.csv")).toBe(nights.read("whole.csv"));
});

test("buckets that start at another time, as a series shows of which no row stays", async () => {
  const [one, other] = REGIONS as [ModelSeries, ModelSeries];
  const present = (from: number, until: number): ModelSeries["present"] => [[(START + from * DAY) / STEP, (START + until * DAY) / STEP]];
  const nights = await createNights(
    [],
    [
      { ...one, present: present(-10, 20) },
      { ...other, present: present(36, 3000) },
    ],
  );
  nights.world.model = { ...nights.world.model, interval: "1d" };
  const update = () => nights.run(...DAYS, "-o", "days.csv", "--update");
  nights.goTo(40);
  await update();
  shift(nights);
  nights.goTo(41);
  expect((await update()).stderr).toContain("note: buckets now start 6h later; fetching all of it again\n");
  await nights.run(...DAYS, "-o", "whole.csv");
  expect(nights.read("days.csv")).toBe(nights.read("whole.csv"));
});

function later(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);
}

test.each(LAST)("what the service does not have any more is kept where nobody has asked for it: %s", async (...form) => {
  const kept = await createKept(form);
  const { nights, update, read } = kept;
  const before = read();
  kept.service.unit = "kW";
  nights.world.play = (request) => {
    const end = /date_end=(2026-\d\d-\d\d)/.exec(nights.service.requests[request]?.url ?? "")?.[1];
    return end !== undefined && end < "2026-01-30" ? refusal(404, "No data available for the given parameters") : undefined;
  };
  const { code, stderr } = await update("--max-window", "5d");
  expect(code).toBe(2);
  expect(stderr).toContain(
    "fetching the rows again would remove those from 2025-12-31T14:00:00Z on, because the service only has data from 2026-01-",
  );
  expect(stderr).toMatch(/to fetch all of it again, run the command once with --revise \d+d; or use another file with -o\n$/);
  expect(read()).toEqual(before);
  nights.world.play = () => undefined;
  nights.goTo(42);
  expect(await update("--max-window", "5d")).toMatchObject({ code: 0 });
  expect(read()).not.toEqual(before);
});

test("answers of an earlier run are not taken for what has changed since", async () => {
  const service = { unit: "MW" };
  const mark = (text: string) => text.replaceAll('"unit":"MW"', `"unit":"${service.unit}"`);
  const [one, other] = REGIONS as [ModelSeries, ModelSeries];
  const away = { ...other, present: subtract(other.present, [(START + 5.2 * DAY) / STEP, (START + 30.4 * DAY) / STEP]) };
  const nights = await createNights([], [one, away], { mark });
  const update = () => nights.update("--max-window", "3d", "--retries", "0", "--concurrency", "1");
  nights.goTo(29);
  await update();
  nights.goTo(31);
  const first = nights.service.requests.length;
  nights.world.play = (request) => (request < first + 9 ? undefined : refusal(500, "x"));
  expect((await update()).stderr).toContain("; the next run tries again\n");
  nights.world.play = () => undefined;
  service.unit = "kW";
  nights.goTo(32);
  expect((await update()).stderr).toContain("note: the unit of power changed from MW to kW; fetching all of it again\n");
  expect(nights.read()).toBe(await nights.readWhole("--max-window", "3d"));
});

test("a night whose quota ends before all is fetched again goes on where the one before ended", async () => {
  const service = { unit: "MW" };
  const mark = (text: string) => text.replaceAll('"unit":"MW"', `"unit":"${service.unit}"`);
  const nights = await createNights([], REGIONS, { mark });
  const update = () => nights.update("--max-window", "1d", "--retries", "0");
  for (const day of [38, 39]) {
    nights.goTo(day);
    await update();
  }
  service.unit = "kW";
  const codes: (number | null)[] = [];
  for (const day of [40, 41]) {
    nights.goTo(day);
    const first = nights.service.requests.length;
    nights.world.play = (request) => (request <= first + 30 ? undefined : refusal(401, "Authentication failed"));
    codes.push((await update()).code);
  }
  expect(codes).toEqual([3, 0]);
  nights.world.play = () => undefined;
  expect(nights.read()).toBe(await nights.readWhole("--max-window", "1d"));
  expect(existsSync(nights.home.path(`${FILE}.ents-partial`))).toBe(false);
});

test.each([["a unit", QUERY], ...runs([], [["buckets that start at another time", DAYS]] as const)] as const)(
  "what is to be fetched again is not taken from the cache: %s",
  async (what, query) => {
    const kept = await createKept([FILE, []], query);
    const { nights } = kept;
    const cached = [...query, "--max-window", "10d"];
    const update = () => nights.run(...cached, "-o", "cached.csv", "--update", "--cache", "90d");
    await update();
    if (what === "a unit") kept.service.unit = "kW";
    else shift(nights);
    nights.goTo(43);
    expect((await update()).stderr).toContain("fetching all of it again\n");
    await nights.run(...cached, "-o", "whole.csv");
    expect(nights.read("cached.csv")).toBe(nights.read("whole.csv"));
    // It is kept for others.
    await nights.run(...cached, "-o", "also-cached.csv", "--cache", "90d");
    expect(nights.read("also-cached.csv")).toBe(nights.read("whole.csv"));
  },
);

test("without a description, a unit that changes is refused", async () => {
  const { nights, service, update } = await createKept([FILE, []]);
  rmSync(nights.home.path(`${FILE}.datapackage.json`));
  service.unit = "kW";
  expect(await update()).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("cannot update power.csv: the unit of power changed from MW to kW\n") as string,
  });
});

test.each([["1d", 40], ...runs([], [["12h", 100]] as const)] as const)(
  "a dataset with a new column, where a quota ends in the middle, is whole the next night, with the requests that were paid for: %s",
  async (maxWindow, quota) => {
    const nights = await createNights();
    const command = [...QUERY, "-o", "ds", "--update", "-f", "csv", "--partition", "month", "--pivot", "region", "--max-window", maxWindow];
    nights.goTo(60);
    await nights.run(...command);
    const { series } = nights.world.model;
    const added = {
      ...series[0],
      labels: { region: "TAS1" },
      present: [[(START + 60.2 * DAY) / STEP, (START + 3000 * DAY) / STEP]],
    } as ModelSeries;
    nights.world.model = { ...nights.world.model, series: [...series, added] };
    nights.goTo(61);
    const before = nights.service.requests.length;
    nights.world.play = (request) => (request - before >= quota ? refusal(401, "Authentication failed") : undefined);
    expect((await nights.run(...command)).stderr).toContain("warning: ds: older files lack TAS1");
    nights.world.play = () => undefined;
    nights.goTo(62);
    const paid = nights.service.requests.length;
    expect(await nights.run(...command)).toMatchObject({ code: 0 });
    expect(nights.service.requests.length - paid).toBeLessThan(maxWindow === "1d" ? 62 - 7 : 124 - 30);
    expect(new Set(["01", "02", "03"].map((month) => nights.read(`ds/year=2026/month=${month}/data.csv`).split("\n")[0]))).toEqual(
      new Set(["timestamp,network,NSW1,TAS1,VIC1"]),
    );
    expect(existsSync(nights.home.path("ds.ents-partial"))).toBe(false);
  },
);
