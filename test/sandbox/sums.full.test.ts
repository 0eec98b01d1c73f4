/** Parts add up to the whole: regions, fueltechs, groups, units, networks. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { FUELTECH_GROUP_OF, type Fueltech } from "../../src/base/fueltechs.ts";
import { askSeries, inOrder, type Query, startStill, sumSeries, type Value, inTenThousandths } from "./ask.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startStill();
});
afterAll(() => sandbox.close());

const WINDOWS: Query[] = [
  { date_start: "2017-03-30T00:00:00", date_end: "2017-04-01T12:00:00" },
  { date_start: "2024-01-17T00:00:00", date_end: "2024-01-18T00:00:00" },
];
const DATA_METRICS = ["power", "energy", "emissions", "market_value"];
/** A total counts a battery's net, not its two halves. */
const HALVES = ["battery_charging", "battery_discharging"];

type SeriesByLabel = Map<string, Map<string, Value>>;

function sumWhere(series: SeriesByLabel, keep: (label: string) => boolean) {
  return inOrder(sumSeries([...series].filter(([label]) => keep(label)).map(([, points]) => points)));
}

async function askTotal(path: string, query: Query) {
  return inOrder((await askSeries(sandbox, path, query)).get("")!);
}

test.each(DATA_METRICS)("%s: fueltechs add up to their groups, and all groupings to the total", async (metrics) => {
  for (const window of WINDOWS) {
    for (const network of ["NEM", "WEM", "AU"]) {
      const path = `/data/network/${network}`;
      const total = await askTotal(path, { ...window, metrics });
      const fueltechs = await askSeries(sandbox, path, { ...window, metrics, secondary_grouping: "fueltech" });
      const groups = await askSeries(sandbox, path, { ...window, metrics, secondary_grouping: "fueltech_group" });
      for (const [group, points] of groups) {
        expect(inOrder(points)).toEqual(sumWhere(fueltechs, (label) => FUELTECH_GROUP_OF[label as Fueltech] === group));
      }
      expect(sumWhere(fueltechs, (label) => !HALVES.includes(label))).toEqual(total);
      for (const secondary_grouping of ["status", "renewable"]) {
        const parts = await askSeries(sandbox, path, { ...window, metrics, secondary_grouping });
        expect(parts.size).toBe(secondary_grouping === "renewable" ? 2 : parts.size);
        expect(sumWhere(parts, () => true)).toEqual(total);
      }
      const regions = await askSeries(sandbox, path, { ...window, metrics, primary_grouping: "network_region" });
      expect(regions.size).toBe({ NEM: 5, WEM: 1, AU: 6 }[network]);
      expect(sumWhere(regions, () => true)).toEqual(total);
    }
  }
});

test("the units of a fueltech add up to it", async () => {
  const window = WINDOWS[1]!;
  const response = await fetch(`${sandbox.baseUrl}/v4/facilities/?network_id=NEM`, {
    headers: { authorization: `Bearer ${sandbox.token}` },
  });
  const { data } = (await response.json()) as {
    data: { code: string; units: { code: string; fueltech_id: string }[] }[];
  };
  const codes = data.flatMap((facility) => facility.units);
  const fueltechs = await askSeries(sandbox, "/data/network/NEM", {
    ...window,
    metrics: "energy",
    secondary_grouping: "fueltech",
  });
  const units: SeriesByLabel = new Map();
  for (let from = 0; from < data.length; from += 30) {
    const facility_code = data.slice(from, from + 30).map((facility) => facility.code);
    const batch = await askSeries(sandbox, "/data/facilities/NEM", { ...window, metrics: "energy", facility_code });
    for (const [code, points] of batch) units.set(code, points);
  }
  for (const [fueltech, points] of fueltechs) {
    if (fueltech === "solar_rooftop") continue;
    const own = codes.filter((unit) => unit.fueltech_id === fueltech).map((unit) => unit.code);
    expect(sumWhere(units, (label) => own.includes(label))).toEqual(inOrder(points));
  }
});

test("the net of a battery is discharging minus charging", async () => {
  const units = await askSeries(sandbox, "/data/facilities/NEM", {
    ...WINDOWS[1],
    metrics: "power",
    facility_code: "HPR",
  });
  const [net, load, generation] = ["HPR1", "HPRL1", "HPRG1"].map((code) =>
    [...units.get(code)!.values()].map((value) => inTenThousandths(value!)),
  );
  expect(net).toEqual(generation!.map((value, i) => value - load![i]!));
  expect(Math.max(...load!)).toBeGreaterThan(0);
  expect(Math.max(...generation!)).toBeGreaterThan(0);
});

test("the price of a network is the mean of its regions', weighted by gross demand", async () => {
  const query = { ...WINDOWS[1], primary_grouping: "network_region" };
  const prices = await askSeries(sandbox, "/market/network/NEM", { ...query, metrics: "price" });
  const weights = await askSeries(sandbox, "/market/network/NEM", { ...query, metrics: "demand_gross" });
  for (const [timestamp, value] of await askTotal("/market/network/NEM", { ...WINDOWS[1], metrics: "price" })) {
    let money = 0;
    let weight = 0;
    for (const [region, points] of prices) {
      money += points.get(timestamp)! * weights.get(region)!.get(timestamp)!;
      weight += weights.get(region)!.get(timestamp)!;
    }
    expect(value).toBeCloseTo(money / weight, 1);
  }
});
