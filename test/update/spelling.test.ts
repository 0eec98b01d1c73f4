/** A service that spells its timestamps otherwise from a night on, as 4.0.x did: no column has both, where they are written as sent. */
import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { readData } from "../dataset/datasets.ts";
import { refusal } from "../e2e/envelopes.ts";
import type { ServiceModel } from "../merge/fake-service.ts";
import { runs } from "../support/extent.ts";
import { createNights, QUERY } from "./nights.ts";

type Form = readonly [name: string, flags: readonly string[]];

const ALL: readonly Form[] = [
  ["wide.csv", ["--shape", "wide"]],
  ["folder", ["--partition", "month", "-f", "csv"]],
  ["lines.ndjson", []],
  ["lines", ["--partition", "month", "-f", "ndjson"]],
];
/** A file and a folder. */
const BOTH = ALL.slice(0, 2);
const FORMS = runs(BOTH, ALL);

/** Other timestamps are written in other ways, whatever is sent. */
const OTHERS = [
  ["--time-zone", "utc"],
  ["--time-zone", "Australia/Sydney"],
  ["--time-format", "local"],
  ["--time-format", "unix"],
];

const UNKNOWN = QUERY.with(1, "XX").filter((flag) => flag !== "--complete");

/** With rows of 40 days. */
async function createKept([name, flags]: Form, model: Partial<ServiceModel> = {}, query = QUERY) {
  const service = { edit: (text: string) => text };
  const nights = await createNights([], undefined, { mark: (text) => service.edit(text) });
  nights.world.model = { ...nights.world.model, ...model };
  const update = (...more: string[]) => nights.run(...query, "-o", name, ...flags, "--update", ...more);
  const read = (): unknown => (name === "folder" || name === "lines" ? readData(nights.home.path(name)) : nights.read(name));
  for (const days of [35, 40]) {
    nights.goTo(days);
    await update();
  }
  nights.goTo(41);
  return { nights, service, update, read };
}

const TO_UTC = "note: timestamps now end in Z, not in +10:00; fetching all of it again\n";

test.each(FORMS)("timestamps in UTC from a night on: all is fetched again, once: %s", async (...form) => {
  const { nights, update, read } = await createKept(form);
  nights.world.model = { ...nights.world.model, stamps: "Z" };
  expect((await update()).stderr).toContain(TO_UTC);
  nights.goTo(42);
  expect((await update()).stderr).not.toContain("again");
  const own = read();
  for (const old of [form[0], `${form[0]}.datapackage.json`]) rmSync(nights.home.path(old), { recursive: true, force: true });
  await update();
  expect(own).toEqual(read());
});

test.each(FORMS)("what is before cannot be had: nothing is changed: %s", async (...form) => {
  const { nights, update, read } = await createKept(form);
  const before = read();
  nights.world.model = { ...nights.world.model, stamps: "Z" };
  const refused = nights.service.requests.length + 1;
  nights.world.play = (request) => (request === refused ? refusal(400, "Your plan allows data from the last 10 days") : undefined);
  const { code, stderr } = await update();
  expect(code).toBe(2);
  expect(stderr).toContain(`cannot update ${form[0]}: timestamps now end in Z, not in +10:00, and the service did not send earlier data\n`);
  expect(read()).toEqual(before);
});

test("another offset of a network that ents knows is another spelling", async () => {
  const { nights, service, update } = await createKept(["long.csv", []]);
  service.edit = (text) => text.replaceAll(":00:00+10:00", ":30:00+10:30");
  expect((await update()).stderr).toContain("note: timestamps now end in +10:30, not in +10:00; fetching all of it again\n");
  nights.goTo(42);
  expect((await update()).stderr).not.toContain("again");
});

test.each(OTHERS.slice(0, runs(1, OTHERS.length)))(
  "nothing is fetched again where timestamps are not written as sent: %s %s",
  async (...flags) => {
    const { nights, update } = await createKept(["long.csv", flags]);
    nights.world.model = { ...nights.world.model, stamps: "Z" };
    expect(await update()).toMatchObject({ code: 0, stderr: expect.not.stringContaining("again") as string });
    const own = nights.read("long.csv");
    await nights.run(...QUERY, ...flags, "-o", "whole.csv");
    expect(own).toBe(nights.read("whole.csv"));
  },
);

test("nor in parquet", async () => {
  const { nights, update } = await createKept(["folder", ["--partition", "month", "-f", "parquet"]]);
  nights.world.model = { ...nights.world.model, stamps: "Z" };
  expect(await update()).toMatchObject({ code: 0, stderr: expect.not.stringContaining("again") as string });
});

test.each(BOTH)("a network that ents does not know may have daylight saving: %s", async (...form) => {
  const { nights, service, update } = await createKept(form, { network: "XX" }, UNKNOWN);
  // The newest days have another offset.
  service.edit = (text) => text.replaceAll(/(2026-02-1\dT\d\d:00:00)\+10:00/g, "$1+09:00");
  nights.goTo(43);
  expect(await update()).toMatchObject({ code: 0, stderr: expect.not.stringContaining("again") as string });
  service.edit = (text) => text;
  nights.goTo(44);
  expect(await update()).toMatchObject({ code: 0, stderr: expect.not.stringContaining("again") as string });
});

test("but timestamps in UTC are another spelling there, too", async () => {
  const { nights, update } = await createKept(["long.csv", []], { network: "XX" }, UNKNOWN);
  nights.world.model = { ...nights.world.model, stamps: "Z" };
  expect((await update()).stderr).toContain(TO_UTC);
});

test("a service that spells its series differently is not fetched again and again", async () => {
  const { nights, service, update } = await createKept(["long.csv", []]);
  service.edit = (text) => {
    const at = text.indexOf('"VIC1"');
    const toUtc = (_: string, stamp: string) => `["${new Date(stamp).toISOString().slice(0, 19)}Z"`;
    return text.slice(0, at) + text.slice(at).replaceAll(/\["([^"]+\+10:00)"/g, toUtc);
  };
  for (const day of [41, 42]) {
    nights.goTo(day);
    expect(await update()).toMatchObject({ code: 0, stderr: expect.not.stringContaining("again") as string });
  }
});
