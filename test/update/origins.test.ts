/** The description names, for every row of a file that was updated, the answer that it is from. */
import { expect, test } from "vitest";
import { DAY, HOUR, MINUTE } from "../../src/time/local-time.ts";
import { createNights, expectFileOrigins, FILE, QUERY, REGIONS, START } from "./nights.ts";
import { findOrigin, listRows, markAnswer } from "./origins.ts";

const createMarked = () => createNights([], REGIONS, { mark: markAnswer });

test("where a night makes a request of an earlier one again, the bucket before what is replaced is still from that", async () => {
  const nights = await createMarked();
  const file = "days.csv";
  // Its last row is at 23:00; what is fetched starts at midnight, where a request of the first night does.
  const update = () => nights.run(...QUERY, "-o", file, "--max-window", "1d", "--revise", "165h", "--update");
  nights.goTo(10);
  expect(await update()).toMatchObject({ code: 0 });
  nights.goTo(11);
  expect(await update()).toMatchObject({ code: 0 });
  const requests = expectFileOrigins(nights, file);
  const midnight = START + 3 * DAY - 10 * HOUR;
  const before = findOrigin(requests, midnight);
  const after = findOrigin(requests, midnight + HOUR);
  expect(before?.path).toContain("date_start=2026-01-04T00%3A00%3A00");
  expect(after?.path).toBe(before?.path);
  expect(after?.created_at).not.toBe(before?.created_at);
});

test("of a network whose offset ents does not know", async () => {
  const nights = await createMarked();
  nights.world.model = { ...nights.world.model, network: "XX", offset: "+09:30" };
  const query = QUERY.with(1, "XX").filter((word) => word !== "--complete");
  for (const days of [10, 11, 12, 20]) {
    nights.goTo(days);
    expect(await nights.run(...query, "-o", "x.csv", "--max-window", "1d", "--update")).toMatchObject({ code: 0 });
  }
  expect(expectFileOrigins(nights, "x.csv")).toHaveLength(4);
});

test("of a service whose buckets start elsewhere, before the window too", async () => {
  const nights = await createMarked();
  nights.world.model = { ...nights.world.model, phase: 30 * MINUTE };
  for (const days of [10, 12, 14]) {
    nights.goTo(days);
    expect(await nights.run(...QUERY, "-o", "x.csv", "--max-window", "2d", "--update")).toMatchObject({ code: 0 });
  }
  expectFileOrigins(nights, "x.csv");
});

test("a series that is withdrawn where rows are replaced ends with the bucket before", async () => {
  const nights = await createMarked();
  const [one, other] = REGIONS as [(typeof REGIONS)[0], (typeof REGIONS)[0]];
  const [[from]] = other.present as [readonly [number, number]];
  nights.world.model = { ...nights.world.model, series: [one, { ...other, present: [[from, START / MINUTE + 60]] }] };
  expect(await nights.update()).toMatchObject({ code: 0 });
  const last = listRows(nights.read()).findLast(({ text }) => text.includes("VIC1"))?.instant;
  expect(last).toBe(START + 2 * DAY + 21 * HOUR - 10 * HOUR);
  const { ents } = JSON.parse(nights.read(`${FILE}.datapackage.json`)) as { ents: { series: { last: string }[] } };
  expect(ents.series.map((series) => Date.parse(series.last))).toContain(last);
});
