/** What a night could not fetch again is fetched by a later one, and the tail is written all the same. */
import { rmSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { DAY } from "../../src/time/local-time.ts";
import { readData } from "../dataset/datasets.ts";
import { refusal } from "../e2e/envelopes.ts";
import { STEP } from "../merge/buckets.ts";
import type { ModelSeries } from "../merge/fake-service.ts";
import type { Answer } from "../support/scripted-service.ts";
import { createNights, FILE, type Nights, QUERY, START } from "./nights.ts";
import { SERIES, subtract } from "./world.ts";

const at = (days: number) => (START + days * DAY) / STEP;

/** Without data in the holes, which are in days after the start. */
function createSeries(region: string, ...holes: readonly (readonly [from: number, until: number])[]): ModelSeries {
  const present = holes.reduce((rest, [from, until]) => subtract(rest, [at(from), at(until)]), [[at(-10), at(3000)] as const]);
  return { ...SERIES, labels: { region }, present };
}

/** A night on which all but the first so many requests are answered with something else. */
async function updateWith(nights: Nights, { day, good, answer }: { day: number; good: number; answer: Answer }, flags: string[] = []) {
  nights.goTo(day);
  const last = nights.service.requests.length + good;
  nights.world.play = (request) => (request < last ? undefined : answer);
  const run = await nights.update("--retries", "0", ...flags);
  nights.world.play = () => undefined;
  return run;
}

function readAgain(nights: Nights): unknown {
  return (JSON.parse(nights.read(`${FILE}.datapackage.json`)) as { ents: { fetch_again?: unknown } }).ents.fetch_again;
}

const FAILS = refusal(500, "Error executing query");

test.each<[what: string, gaps: [number, number][], since: string[]]>([
  ["an earlier gap", [[15, 30], [5, 31.5]], ["2026-01-15T13:00:00Z", "2026-01-05T13:00:00Z"]], // biome-ignore format: one line
  ["a later gap", [[5, 30], [15, 31.5]], ["2026-01-05T13:00:00Z", "2026-01-05T13:00:00Z"]], // biome-ignore format: one line
])("%s that is found while one still fails", async (_what, [first, second], since) => {
  const series = [
    createSeries("NSW1", [2, 2.1]),
    createSeries("VIC1", first as [number, number]),
    createSeries("SA1", second as [number, number]),
  ];
  const nights = await createNights([], series);
  for (const day of [14, 20, 29]) {
    nights.goTo(day);
    await nights.update();
  }
  for (const [index, day] of [31, 32].entries()) {
    const { stderr } = await updateWith(nights, { day, good: 1, answer: FAILS });
    expect(stderr).toContain("; the next run tries again\n");
    expect(readAgain(nights)).toEqual({ from: since[index], tries: index + 1 });
  }
  nights.goTo(33);
  expect(await nights.update()).toMatchObject({ code: 0, stderr: expect.not.stringContaining("warning") as string });
  expect(nights.read()).toBe(await nights.readWhole());
  expect(readAgain(nights)).toBeUndefined();
});

test.each([[["--no-resume"]], [[]]])(
  "a gap that takes more than is left of the day's quota does not keep the tail from being written: %j",
  async (flags) => {
    const nights = await createNights([], [createSeries("NSW1", [2, 2.1]), createSeries("VIC1", [5, 30])]);
    const windows = ["--max-window", "1d", ...flags];
    nights.goTo(29);
    await nights.update(...windows);
    const spent = { good: 20, answer: refusal(401, "Authentication failed") };
    const { code, stderr } = await updateWith(nights, { day: 31, ...spent }, windows);
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining("; the next run tries again\n") as string });
    expect(nights.read()).toContain("\n2026-01-31T12:00:00+10:00,");
    nights.goTo(33);
    // Without --no-resume, which leaves gaps where a window is split.
    expect(await nights.update("--max-window", "1d")).toMatchObject({ code: 0 });
    expect(nights.read()).toBe(await nights.readWhole());
  },
);

test("also where the description that says so is lost, and an older one stands in its place", async () => {
  const nights = await createNights([], [createSeries("NSW1", [2, 2.1]), createSeries("VIC1", [5, 30])]);
  nights.goTo(29);
  await nights.update();
  const older = nights.read(`${FILE}.datapackage.json`);
  await updateWith(nights, { day: 31, good: 1, answer: FAILS });
  writeFileSync(nights.home.path(`${FILE}.datapackage.json`), older);
  nights.goTo(32);
  expect((await nights.update()).stderr).toContain("note: an earlier update was incomplete; fetching all from ");
  expect(nights.read()).toBe(await nights.readWhole());
});

const MONTHS = ["-o", "months", "--partition", "month", "-f", "csv"];

test.each([
  ["a file", ["-o", "power.csv", "--max-window", "1d"], [54, 55, 58]],
  ["a folder", [...MONTHS, "--max-window", "3d"], [64, 65, 68]],
] as const)(
  "%s: what a service without any data answers is not taken for the truth by the next run",
  async (_what, output, [good, bad, well]) => {
    const nights = await createNights();
    const update = () => nights.run(...QUERY, ...output, "--update");
    const read = (): unknown => (output[1] === "months" ? readData(nights.home.path("months")) : nights.read());
    nights.goTo(good);
    await update();
    nights.goTo(bad);
    nights.world.play = () => refusal(404, "No data available for the given parameters");
    const { code, stderr } = await update();
    expect({ code, stderr }).toEqual({ code: 5, stderr: expect.not.stringContaining("to resume") as string });
    nights.world.play = () => undefined;
    nights.goTo(well);
    expect(await update()).toMatchObject({ code: 0 });
    const own = read();
    for (const name of ["power.csv", "power.csv.datapackage.json", "months"])
      rmSync(nights.home.path(name), { recursive: true, force: true });
    await update();
    expect(own).toEqual(read());
  },
);

test.each([
  ["a file", ["-o", "again.csv"]],
  ["a folder", [...MONTHS]],
])("%s: what was fetched before a unit changes is not used for what is tried again", async (_what, output) => {
  const service = { unit: "MW" };
  const mark = (text: string) => text.replaceAll('"unit":"MW"', `"unit":"${service.unit}"`);
  const series = [createSeries("NSW1", [3.1, 3.4], [33.1, 33.4]), createSeries("VIC1")];
  const nights = await createNights([], series, { mark });
  const update = () => nights.run(...QUERY, ...output, "--update", "--max-window", "1d", "--concurrency", "1", "--retries", "0");
  for (const day of [25, 30]) {
    nights.goTo(day);
    await update();
  }
  nights.goTo(35);
  nights.world.model = { ...nights.world.model, fillsGaps: false };
  const first = nights.service.requests.length;
  nights.world.play = (request) => (request < first + 25 ? undefined : FAILS);
  await update();
  nights.world.play = () => undefined;
  service.unit = "kW";
  for (const day of [36, 37]) {
    nights.goTo(day);
    await update();
  }
  const text = output[1] === "months" ? JSON.stringify(readData(nights.home.path("months"))) : nights.read("again.csv");
  expect(text).not.toContain(",MW,");
});

test("a folder with a new column while a gap is to be tried again", async () => {
  const nights = await createNights([], [createSeries("NSW1", [3.1, 3.4]), createSeries("VIC1", [5.2, 30.4])]);
  const form = ["--partition", "day", "-f", "csv", "--pivot", "region", "--max-window", "1d", "--concurrency", "1", "--retries", "0"];
  const update = () => nights.run(...QUERY, "-o", "days", ...form, "--update");
  nights.goTo(29);
  await update();
  nights.goTo(31);
  const first = nights.service.requests.length;
  nights.world.play = (request) => (request < first + 25 ? undefined : FAILS);
  expect((await update()).stderr).toContain("; the next run tries again\n");
  nights.world.play = () => undefined;
  nights.world.model = { ...nights.world.model, series: [...nights.world.model.series, createSeries("TAS1")] };
  nights.goTo(32);
  expect((await update()).stderr).toContain("note: older files lack TAS1; fetching all of it again\n");
  await nights.run(...QUERY, "-o", "whole", ...form);
  expect(readData(nights.home.path("days"))).toEqual(readData(nights.home.path("whole")));
});

const WELL_BUT = (answer: object): Answer => ({ status: 200, body: JSON.stringify({ version: "4", success: true, ...answer }) });

test.each<[what: string, answer: Answer]>([
  ["a page of a proxy", { status: 200, body: "<html>" }],
  ["success: false", WELL_BUT({ success: false, error: "Error" })],
  ["a body that is no JSON", { status: 200, body: '{"success":true,"data":[{NaN}]}' }],
  ["a count of records that does not fit", WELL_BUT({ data: [], total_records: 5 })],
  ["425", refusal(425, "too early")],
  ["500", FAILS],
])("an answer that is broken once is asked for again by the next run: %s", async (_what, answer) => {
  const nights = await createNights([], [createSeries("NSW1", [2, 2.1]), createSeries("VIC1", [5, 30])]);
  nights.goTo(29);
  await nights.update();
  expect((await updateWith(nights, { day: 31, good: 1, answer })).stderr).toContain("; the next run tries again\n");
  nights.goTo(32);
  expect(await nights.update()).toMatchObject({ code: 0 });
  expect(nights.read()).toBe(await nights.readWhole());
});
