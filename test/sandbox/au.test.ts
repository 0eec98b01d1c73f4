/** AU adds NEM and WEM at the same clock time: at 12:00, the NEM at 12:00 and the WEM at its 12:00, two hours later. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { askSeries, inOrder, type Query, startStill, sumSeries, type Value } from "./ask.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startStill();
});
afterAll(() => sandbox.close());

const WINDOW = { date_start: "2024-01-17T09:00:00", date_end: "2024-01-17T15:00:00" };

/** Series by label; timestamps without an offset. */
async function onClock(path: string, query: Query): Promise<Map<string, Map<string, Value>>> {
  const series = await askSeries(sandbox, path, query);
  const read = (points: ReadonlyMap<string, Value>) =>
    new Map([...points].map(([timestamp, value]) => [timestamp.slice(0, 19), value]));
  return new Map([...series].map(([label, points]) => [label, read(points)]));
}

async function ofAll(kind: string, query: Query) {
  const [nem, wem, au] = await Promise.all(
    ["NEM", "WEM", "AU"].map((network) => onClock(`/${kind}/${network}`, query)),
  );
  return { nem: nem!, wem: wem!, au: au! };
}

const inOrderOfClock = (points: ReadonlyMap<string, Value>) =>
  inOrder(new Map([...points].map(([at, value]) => [`${at}Z`, value])));

test.each(["1h", "5m", "1d"])(
  "each fueltech of AU is the sum of NEM and WEM at the same clock time, by %s",
  async (interval) => {
    const { nem, wem, au } = await ofAll("data/network", {
      ...WINDOW,
      interval,
      metrics: "energy",
      secondary_grouping: "fueltech",
    });
    for (const [fueltech, points] of au) {
      const parts = [nem, wem].flatMap((network) => network.get(fueltech) ?? []);
      // The WEM's rooftop solar is not in AU.
      const expected = sumSeries(fueltech === "solar_rooftop" ? [nem.get(fueltech)!] : parts);
      expect(inOrderOfClock(points)).toEqual(inOrderOfClock(expected));
    }
    expect([...au.keys()].toSorted()).toEqual([...new Set([...nem.keys(), ...wem.keys()])].toSorted());
    expect(Math.max(...[...wem.get("solar_rooftop")!.values()].map(Number))).toBeGreaterThan(0);
  },
);

test("AU by region has six regions, which are those of NEM and WEM on their clocks", async () => {
  const query = { ...WINDOW, metrics: "price", primary_grouping: "network_region" };
  const { nem, wem, au } = await ofAll("market/network", query);
  expect([...au]).toEqual([...nem, ...wem]);
  expect([...au.keys()]).toEqual(["NSW1", "QLD1", "SA1", "TAS1", "VIC1", "WEM"]);
  const units = await ofAll("data/network", { ...query, metrics: "power" });
  expect([...units.au.keys()]).toEqual([...au.keys()]);
  expect(await onClock("/data/facilities/AU", { ...WINDOW, metrics: "power", facility_code: "COLLIE" })).toEqual(
    await onClock("/data/facilities/WEM", { ...WINDOW, metrics: "power", facility_code: "COLLIE" }),
  );
});

describe("the newest of AU", () => {
  // Now, it is 10:00 in the NEM and 08:00 in the WEM.
  const NEWEST = { date_start: "2026-03-01T07:00:00" };

  test.each([
    ["/data/network", "power", "+10:00"],
    ["/market/network", "demand", "+10:00"],
  ])("%s: the WEM ends at now on its clock, two hours before the NEM", async (kind, metrics) => {
    for (const end of [{}, { date_end: "2026-03-01T10:00:00" }]) {
      const query = { ...NEWEST, ...end, metrics, primary_grouping: "network_region" };
      const regions = await askSeries(sandbox, `${kind}/AU`, query);
      const ends = [...regions].map(([region, points]) => `${region} ${[...points.keys()].at(-1)!.slice(11, 16)}`);
      const newest = "date_end" in end ? "10:00" : "09:55";
      expect(ends).toEqual([
        ...["NSW1", "QLD1", "SA1", "TAS1", "VIC1"].map((region) => `${region} ${newest}`),
        "WEM 08:00",
      ]);
      const total = (await askSeries(sandbox, `${kind}/AU`, { ...NEWEST, ...end, metrics })).get("")!;
      expect(inOrder(total)).toEqual(inOrder(sumSeries(regions.values())));
    }
  });
});
