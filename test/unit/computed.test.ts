/** Computed metrics and sums of units, by hand. */
import { describe, expect, test } from "vitest";
import { decodeBody } from "../../src/decode/decode.ts";
import type { Computation, FleetUnit } from "../../src/query/computation.ts";
import type { ComputedQuery, Query } from "../../src/query/query.ts";
import { computeChunks, createDescription } from "../../src/series/computed/compute.ts";
import { sumDecimals } from "../../src/series/computed/decimals.ts";
import { isKnown } from "../../src/series/decoded-response.ts";
import { EachCoverage } from "../../src/series/intervals/each.ts";
import type { Chunk } from "../../src/series/merge.ts";
import { describeFigures, readEntries } from "../../src/format/picture/model/legend.ts";
import { NETWORK_ZONE } from "../../src/time/zone.ts";
import { ProfileAnalysis } from "../../src/series/analyses/profile.ts";
import { Summary } from "../../src/series/summary.ts";
import type { TimeSeries } from "../../src/series/time-series.ts";

const UNITS = { energy: "MWh", power: "MW", emissions: "t", market_value: "$" } as const;

type Values = readonly (readonly [timestamp: string, value: string])[];

/** `series`: by metric and label, such as `energy unit_code=BW01`. */
function respond(interval: string, series: Readonly<Record<string, Values>>, createdAt = "2030-01-01T00:00:00Z") {
  const items = Object.entries(series).map(([key, values]) => {
    const [metric = "", ...labels] = key.split(" ");
    const columns = Object.fromEntries(labels.map((label) => label.split("=") as [string, string]));
    const data = values.map(([timestamp, value]) => `["${timestamp}+10:00",${value}]`);
    const unit = Object.hasOwn(UNITS, metric) ? UNITS[metric as keyof typeof UNITS] : "GWh";
    const item = {
      network_code: "NEM",
      metric: metric === "wrong" ? "energy" : metric,
      unit,
      interval,
      network_timezone_offset: "+10:00",
    };
    return `${JSON.stringify(item).slice(0, -1)},"results":[{"name":"a","columns":${JSON.stringify(columns)},"data":[${data.join(",")}]}]}`;
  });
  const body = `{"version":"4","created_at":"${createdAt}","success":true,"error":null,"data":[${items.join(",")}]}`;
  const decoded = decodeBody(Buffer.from(body));
  if (!isKnown(decoded)) throw decoded.problem;
  return { heads: [{ envelope: decoded.envelope, hasData: true }], timeSeries: decoded.timeSeries };
}

function createQuery(computation: Partial<Computation>, more: Partial<Query> = {}): ComputedQuery {
  const { metrics = [] } = computation;
  return {
    command: "facilities",
    network: "NEM",
    metrics: [...metrics, ...(computation.groups ? ["energy"] : [])],
    interval: undefined,
    window: { start: undefined, end: undefined },
    parameters: [{ name: "metrics", values: ["energy", "emissions", "market_value", "power"] }],
    ...more,
    computation: { metrics, shared: "energy", capacity: "maximum", ...computation },
  };
}

function createUnit(code: string, fueltech: string, more: Partial<FleetUnit> = {}): FleetUnit {
  const labels = { facility_code: "F", fueltech, region: "SA1", status: "operating" };
  const isLoad = fueltech === "battery_charging" || fueltech === "pumps";
  return { code, labels, fueltech, isLoad, capacity: 100, first: 0, last: undefined, isRetired: false, ...more };
}

async function compute(query: ComputedQuery, chunk: ReturnType<typeof respond>) {
  const warnings: string[] = [];
  const series: TimeSeries[] = [];
  async function* once() {
    yield chunk;
  }
  for await (const { timeSeries } of computeChunks(once(), query, {
    collects: true,
    warn: (text) => void warnings.push(text),
    note: (text) => void warnings.push(text),
  }))
    series.push(...timeSeries);
  const values = series.flatMap((item) =>
    item.series.map(({ labels, points }) => [[item.metric, ...Object.values(labels)].join(" "), points.values]),
  );
  return {
    series,
    values: Object.fromEntries(values) as Readonly<Record<string, readonly (string | null)[]>>,
    warnings,
  };
}

/** `receivedAt`: two minutes after the end of the newest values. */
function factorOf(units: readonly FleetUnit[], more: Partial<Computation> = {}) {
  const fleet = {
    units: new Map(units.map((unit) => [unit.code, unit])),
    requested: units,
    receivedAt: Date.parse("2025-06-15T12:02:00+10:00"),
  };
  return createQuery({ metrics: ["capacity_factor"], fleet, ...more });
}

describe("capacity_factor", () => {
  test("counts the hours in which a unit existed, and of the month under way those until its newest value", async () => {
    const last = Date.parse("2025-06-15T12:00:00+10:00");
    const units = [
      createUnit("OLD", "wind", { last, isRetired: false }),
      createUnit("NEW", "wind", { first: Date.parse("2025-04-21T00:00:00+10:00"), last }),
      createUnit("GONE", "wind", { last: Date.parse("2025-04-11T00:00:00+10:00"), isRetired: true }),
    ];
    const months: Values = [
      ["2025-04-01T00:00:00", "24000"],
      ["2025-06-01T00:00:00", "34800"],
    ];
    const chunk = respond(
      "1M",
      { "energy unit_code=OLD": months, "energy unit_code=NEW": months, "energy unit_code=GONE": months.slice(0, 1) },
      "2025-06-15T02:02:00Z",
    );
    const { values } = await compute(factorOf(units), chunk);
    // April has 720 hours; a third of them are 240. Until noon of 15 June, there are 348.
    expect(values).toEqual({
      "capacity_factor OLD": [String((100 * 24000) / 72_000), "100"],
      "capacity_factor NEW": ["100", "100"],
      "capacity_factor GONE": ["100"],
    });
  });

  test("of storage is what was discharged, over the capacity that discharges; loads have none, and a net alone what is above zero", async () => {
    const at = (value: string): Values => [["2025-01-01T00:00:00", value]];
    const battery = [
      createUnit("G", "battery_discharging", { capacity: 50 }),
      createUnit("L", "battery_charging", { capacity: 40 }),
      createUnit("N", "battery", { capacity: 50 }),
    ];
    const energies = {
      "energy unit_code=G": at("240"),
      "energy unit_code=L": at("300"),
      "energy unit_code=N": at("-60"),
    };
    const station = factorOf(battery, { groups: ["facility"] });
    expect((await compute(station, respond("1d", energies))).values).toEqual({
      "energy F": ["-60"],
      "capacity_factor F": ["20"],
    });
    expect((await compute(factorOf(battery), respond("1d", energies))).values).toEqual({
      "capacity_factor G": ["20"],
      "capacity_factor L": [null],
      "capacity_factor N": [null],
    });
    const net = respond("1d", { "energy unit_code=N": [...at("-60"), ["2025-01-02T00:00:00", "60"]] });
    expect(await compute(factorOf(battery.slice(2)), net)).toMatchObject({
      values: { "capacity_factor N": ["0", "5"] },
      warnings: ["only the net of N is known: what is above zero counts as discharged"],
    });
    const hydro = [createUnit("H", "hydro"), createUnit("P", "pumps", { capacity: 70 })];
    const pumped = respond("1d", { "energy unit_code=H": at("600"), "energy unit_code=P": at("100.5") });
    expect((await compute(factorOf(hydro, { groups: ["facility"] }), pumped)).values).toEqual({
      "energy F": ["499.5"],
      "capacity_factor F": ["25"],
    });
  });

  test("of a summer is of January, February and December; of a unit that is in no list, or without capacity, it is null, with one warning", async () => {
    const summer = respond("season", { "energy unit_code=A": [["2025-10-01T00:00:00", "216000"]] });
    expect((await compute(factorOf([createUnit("A", "wind")]), summer)).values).toEqual({
      "capacity_factor A": ["100"],
    });
    const unknown = respond("1d", {
      "energy unit_code=A": [["2025-01-01T00:00:00", "1"]],
      "energy unit_code=X": [["2025-01-01T00:00:00", "1"]],
    });
    const { values, warnings } = await compute(factorOf([createUnit("A", "wind", { capacity: undefined })]), unknown);
    expect(values).toEqual({ "capacity_factor A": [null], "capacity_factor X": [null] });
    expect(warnings).toEqual([
      expect.stringMatching(/^capacity_factor is null for 2 units without a known capacity, such as A;/),
    ]);
  });
});

const HOURS: Values = [
  ["2025-01-01T00:00:00", "0"],
  ["2025-01-01T01:00:00", "10"],
  ["2025-01-01T02:00:00", "40"],
];

test("a share of power is of what generates; a mean of ratios is the ratio of the sums", async () => {
  const chunk = respond("1h", {
    "power fueltech=wind": HOURS,
    "power fueltech=coal_black": [...HOURS.slice(0, 1), ["2025-01-01T01:00:00", "30"], ["2025-01-01T02:00:00", "120"]],
    "power fueltech=battery": HOURS,
    "power fueltech=battery_charging": HOURS,
    "power fueltech=imports": HOURS,
  });
  const query = createQuery({ metrics: ["share"], shared: "power" }, { command: "network" });
  const { series, values } = await compute(query, chunk);
  expect(values).toEqual({
    "share wind": [null, "25", "25"],
    "share coal_black": [null, "75", "75"],
    "share battery": [null, null, null],
    "share battery_charging": [null, null, null],
    "share imports": [null, null, null],
  });
  const summary = new Summary(query, 0);
  summary.add(series);
  expect(summary.series.map(({ mean }) => mean)).toEqual([Number.NaN, Number.NaN, 75, Number.NaN, 25]);
});

test("the mean of intensities is weighed by energy, and an hour without energy lacks no value", async () => {
  const emissions: Values = [
    ["2025-01-01T00:00:00", "0"],
    ["2025-01-01T01:00:00", "1"],
    ["2025-01-01T02:00:00", "40"],
  ];
  const query = createQuery({ metrics: ["emissions_intensity"] }, { command: "network", interval: "1h" });
  const { series, values } = await compute(query, respond("1h", { energy: HOURS, emissions }));
  expect(values).toEqual({ emissions_intensity: [null, "100", "1000"] });
  const summary = new Summary(query, 0);
  summary.add(series);
  expect(summary.series[0]?.mean).toBe((1000 * 41) / 50);
  const coverage = new EachCoverage(query, Date.parse("2026-01-01"));
  coverage.add(series);
  expect(coverage.list()).toEqual([]);
  const part = await compute(query, respond("1h", { energy: HOURS, emissions: emissions.slice(2) }));
  const lacking = new EachCoverage(query, Date.parse("2026-01-01"));
  lacking.add(part.series);
  expect(lacking.list()).toMatchObject([{ empty: 2 }]);
});

test("a sum is null while a unit that exists has no value, which is said once", async () => {
  const units = [
    createUnit("A", "wind"),
    createUnit("B", "wind"),
    createUnit("C", "wind", { first: undefined }),
    createUnit("D", "wind", { isRetired: true }),
  ];
  const chunk = respond("1h", { "energy unit_code=A": HOURS, "energy unit_code=B": HOURS.slice(2) });
  const { values, warnings } = await compute(factorOf(units, { metrics: [], groups: ["region"] }), chunk);
  expect(values).toEqual({ "energy SA1": [null, null, "80"] });
  expect(warnings).toEqual([
    "2 sums are null, as a unit has no value; the first: energy at 2025-01-01T00:00:00+10:00 lacks B",
  ]);
});

test("a battery looks at the units of its own facility, however many others a sum has", async () => {
  let reads = 0;
  const createBattery = (facility: number) =>
    ["battery", "battery_charging", "battery_discharging"].map((fueltech) => {
      const { labels, ...unit } = createUnit(`${facility} ${fueltech}`.replace(" ", "_"), fueltech);
      return {
        ...unit,
        labels: { ...labels, facility_code: String(facility) },
        get fueltech() {
          reads += 1;
          return fueltech;
        },
      };
    });
  const countReads = async (count: number) => {
    const units = Array.from({ length: count }, (_, facility) => createBattery(facility)).flat();
    const chunk = respond(
      "1h",
      Object.fromEntries(units.map(({ code }) => [`energy unit_code=${code}`, HOURS.slice(0, 1)])),
    );
    reads = 0;
    const { values } = await compute(factorOf(units, { metrics: [], groups: ["network"] }), chunk);
    expect(values).toEqual({ energy: [String(2 * count * Number(HOURS[0]?.[1]))] });
    return reads;
  };
  expect(await countReads(40)).toBe(4 * (await countReads(10)));
});

test("an energy in GWh is refused: a ratio of it would be wrong by a thousand", async () => {
  const query = createQuery({ metrics: ["emissions_intensity"] }, { command: "network" });
  await expect(compute(query, respond("1h", { wrong: HOURS }))).rejects.toThrow(
    "the service sent energy in GWh; what ents computes of it needs MWh",
  );
});

test.each([
  [["0.1", "0.2"], "0.3"],
  [["40.00", "-1.5"], "38.50"],
  [["-0.30", "0.1", "0.2"], "0.00"],
  [["12345678901234567890.1", "0.0000000001"], "12345678901234567890.1000000001"],
  [["1e3", "2.5E-2", "-0"], "1000.025"],
  [['"text"', "7"], "7"],
  [["1e99999"], undefined],
  [[], undefined],
])("%j add up to %s", (numbers, sum) => {
  expect(sumDecimals(numbers)).toBe(sum);
});

test("what is printed is known before any point, even of a network whose clock only its timestamps show", () => {
  const units = [createUnit("A", "wind")];
  const query = factorOf(units, { groups: ["facility"] });
  const { timeSeries } = respond("1d", { "energy unit_code=A": [["2025-01-01T00:00:00", "1"]] });
  const unclear = timeSeries.map((item) => ({ ...item, network: "XX", fields: { interval: "1d" } }));
  const described = createDescription(query)(unclear);
  expect(described.map(({ metric, unit, series }) => [metric, unit, series[0]?.labels])).toEqual([
    ["energy", "MWh", { facility_code: "F" }],
    ["capacity_factor", "%", { facility_code: "F" }],
  ]);
});

test("a mean of ratios counts intervals whose divisor is not above zero: in summaries, profiles and legends, as the service's day has it", async () => {
  const at = (values: readonly string[]): Values => values.map((value, hour) => [`2025-01-01T0${hour}:00:00`, value]);
  const query = createQuery({ metrics: ["average_price"] }, { command: "network", interval: "1h" });
  const parts = { energy: at(["0", "10", "10", "-1"]), market_value: at(["30", "100", "100", "-900"]) };
  const { series, values } = await compute(query, respond("1h", parts));
  expect(values).toEqual({ average_price: [null, "10", "10", null] });
  const summary = new Summary(query, 0);
  summary.add(series);
  expect(summary.series).toMatchObject([{ mean: -670 / 19, numbers: 2, nulls: 2 }]);
  const analysis = new ProfileAnalysis({
    by: "year",
    per: undefined,
    zone: NETWORK_ZONE,
    partial: [],
    isDrawn: false,
    isTable: false,
    isLong: true,
  });
  async function* once() {
    yield { heads: [], timeSeries: series };
  }
  const profiles: Chunk[] = [];
  for await (const chunk of analysis.apply(once(), { isWhole: true })) profiles.push(chunk);
  expect(profiles[0]?.timeSeries[0]?.series).toMatchObject([
    { points: { values: [String(-670 / 19)] } },
    { figure: "n", points: { values: ["2"] } },
  ]);
  const sources = series.flatMap((item) => item.series.map((one) => ({ item, series: one })));
  const drawn = readEntries(sources, { isRaw: false, units: undefined, partial: new Set() });
  expect(describeFigures(drawn, "line", new Set())).toMatchObject([{ mean: -670 / 19 }]);
});
