/** Points of the future: an update has none of them, says so once, and no later night is stuck. */
import { existsSync, rmSync } from "node:fs";
import { expect, test } from "vitest";
import { findExtent } from "../../src/job/destination/dataset/extent.ts";
import type { Descriptor } from "../../src/job/package/descriptor.ts";
import type { Query } from "../../src/query/query.ts";
import { DAY, HOUR } from "../../src/time/local-time.ts";
import { readData } from "../dataset/datasets.ts";
import { TOKEN } from "../e2e/envelopes.ts";
import { CREATED_AT } from "../merge/fake-service.ts";
import { runs } from "../support/extent.ts";
import type { Run } from "../support/run-ents.ts";
import { createVirtualClock } from "../support/virtual-clock.ts";
import { createNights, QUERY, START } from "./nights.ts";

type Form = readonly [name: string, flags: readonly string[]];

const FORMS: readonly Form[] = [
  ["long.csv", ["--shape", "long"]],
  ["folder", ["--partition", "month", "-f", "csv"]],
];

/** The point is the last one of each series in an answer. */
function addPoint(text: string, stamp: string): string {
  return text.replaceAll(/("data":\[\[[^\]]*\](?:,\[[^\]]*\])*)/g, `$1,["${stamp}",5.00]`);
}

/** A service that sends one point to come in each series, as long as there is one. `ahead`: milliseconds for which it has forecasts. */
async function createPlace([name, flags]: Form, { query = QUERY, ahead = 0 } = {}) {
  const service: { stamp: string | undefined } = { stamp: undefined };
  const nights = await createNights();
  nights.world.mark = (text) => {
    const current = text.replace(CREATED_AT, new Date(nights.world.now - ahead).toISOString());
    return service.stamp === undefined ? current : addPoint(current, service.stamp);
  };
  const read = (): unknown => (name === "folder" ? readData(nights.home.path(name)) : nights.read(name));
  const run = (...more: readonly string[]): Promise<Run> =>
    nights.home.run([...query, "-o", name, ...flags, "--rate", "1000", ...more], {
      env: { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: nights.service.url },
      clock: { ...createVirtualClock(), now: () => nights.world.now - ahead },
    });
  const update = async (days: number, ...more: readonly string[]) => {
    nights.goTo(days + ahead / DAY);
    return run("--update", ...more);
  };
  const readAnew = async () => {
    for (const old of [name, `${name}.datapackage.json`]) rmSync(nights.home.path(old), { recursive: true, force: true });
    await run();
    return read();
  };
  return { nights, service, update, read, readAnew };
}

test.each(FORMS)("one point to come is left out, told once, and forgotten the next night: %s", async (...form) => {
  const { service, update, read, readAnew } = await createPlace(form);
  await update(40);
  service.stamp = "2027-06-01T00:00:00+10:00";
  const { code, stderr } = await update(41);
  expect(code).toBe(0);
  expect(stderr.match(/warning/g)).toHaveLength(1);
  expect(stderr).toContain(
    `warning: ${form[0]}: left out 2 points with timestamps in the future, from 2027-05-31T14:00:00Z on (an export without --update has them)\n`,
  );
  // Nothing is concluded from them: not that there is a gap, nor that it is not filled.
  expect(stderr).not.toContain("again");
  service.stamp = undefined;
  const next = await update(42);
  expect(next).toMatchObject({ code: 0, stderr: expect.not.stringMatching(/warning|again/) as string });
  const own = read();
  expect(own).toEqual(await readAnew());
});

test.each(FORMS)("the first run leaves them out too, of every answer: %s", async (...form) => {
  const { service, update, read, readAnew } = await createPlace(form);
  service.stamp = "2026-03-01T00:00:00+10:00";
  const { code, stderr } = await update(40, "--max-window", "20d");
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringContaining("left out 6 points with timestamps in the future, from 2026-02-28T14:00:00Z on") as string,
  });
  service.stamp = undefined;
  expect((await update(41)).code).toBe(0);
  const own = read();
  expect(own).toEqual(await readAnew());
});

test.each(FORMS)("forecasts of three days: of each night those of a day: %s", async (...form) => {
  const { update, read } = await createPlace(form, { query: QUERY.filter((flag) => flag !== "--complete"), ahead: 3 * DAY });
  for (const day of [40, 41, 44]) {
    const { code, stderr } = await update(day);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/left out 9[46] points with timestamps in the future, from /) as string,
    });
    const text = JSON.stringify(read());
    expect(text).toContain(stampOf(day + 1));
    expect(text).not.toContain(stampOf(day + 1 + 1 / 24));
  }
});

function stampOf(days: number): string {
  return `${new Date(START + days * DAY).toISOString().slice(0, 19)}+10:00`;
}

test.each(runs(FORMS.slice(0, 1), FORMS))("a clock that is behind loses no row: %s", async (...form) => {
  const { nights, update, read } = await createPlace(form, { query: QUERY.filter((flag) => flag !== "--complete") });
  await update(40);
  const before = read();
  // The service's clock is right, and has an hour more.
  nights.world.now += HOUR;
  const { code, stderr } = await behind(nights, form, 30 * HOUR);
  expect(code).toBe(6);
  expect(stderr).toMatch(
    /is after now, .*\n {6}check the clock of this machine\n {6}if it is right, the service sent a timestamp in the future: move \S+ away/,
  );
  expect(stderr).not.toContain("left out");
  expect(read()).toEqual(before);
  expect((await behind(nights, form, 20 * HOUR)).code).toBe(0);
  expect(JSON.stringify(read())).toContain(stampOf(40));
});

test.each(FORMS)("a clock that is behind that of the service is told, where that has rows of the future: %s", async (...form) => {
  const { nights, update, read } = await createPlace(form, { query: QUERY.filter((flag) => flag !== "--complete") });
  const told = {
    code: 6,
    stderr: expect.stringMatching(/the clock of this machine is behind: it says .*, and the service says .*\n {6}correct it, /) as string,
  };
  nights.goTo(40);
  expect(await behind(nights, form, 3 * DAY)).toMatchObject(told);
  expect(existsSync(nights.home.path(form[0]))).toBe(false);
  await update(40);
  const before = read();
  nights.goTo(44);
  expect(await behind(nights, form, 4.5 * DAY)).toMatchObject(told);
  expect(read()).toEqual(before);
});

function behind({ home, world, service }: Awaited<ReturnType<typeof createNights>>, [name, flags]: Form, ms: number): Promise<Run> {
  const query = QUERY.filter((flag) => flag !== "--complete");
  return home.run([...query, "-o", name, ...flags, "--update", "--rate", "1000"], {
    env: { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url },
    clock: { ...createVirtualClock(), now: () => world.now - ms },
  });
}

test("a year under way that a service names after a day to come is kept", async () => {
  const query = QUERY.with(5, "fy").filter((flag) => flag !== "--complete");
  const { nights, update, read } = await createPlace(FORMS[0] as Form, { query });
  nights.world.model = { ...nights.world.model, interval: "fy" };
  for (const day of [210, 211]) {
    expect(await update(day)).toMatchObject({ code: 0, stderr: expect.not.stringContaining("left out") as string });
    expect(read()).toContain("2027-01-01T00:00:00+10:00");
  }
});

test("a row of a dataset that is to come does not take the revised part with it", () => {
  const [start, now] = [Date.UTC(2010, 0, 1), Date.UTC(2026, 2, 1)];
  const query = { network: "NEM", window: {}, parameters: [] } as unknown as Query;
  const descriptor = { series: [{ first: start, last: Date.UTC(2026, 11, 31) }], start } as unknown as Descriptor;
  const upkeep = { period: "year", revise: { amount: 7, unit: "days" }, interval: "1M", since: undefined, now } as const;
  expect(findExtent(query, descriptor, { ...upkeep, period: "month" }).from).toBe(Date.UTC(2026, 0, 1));
});
