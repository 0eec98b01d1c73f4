/** Each check finds what is planted, and nothing else; none finds anything in the same data as they should be. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { type CheckedData, joinPieces, makeFindings, readSeries } from "../../src/checks/check.ts";
import { RULES } from "../../src/checks/rules.ts";
import type { Interval } from "../../src/base/intervals.ts";
import type { Facility, Unit } from "../../src/facilities/facility.ts";
import { parseJson } from "../../src/base/json.ts";
import { parseFacilities } from "../../src/facility-list/parse-facilities.ts";
import { readBody } from "../unit/generators.ts";

type Values = readonly (number | null)[];

interface Item {
  readonly metric: string;
  readonly unit: string;
  readonly interval: Interval;
  readonly labels?: Readonly<Record<string, string>>;
  readonly values: Values;
  readonly start?: string;
  readonly network?: string;
  readonly isFiltered?: boolean;
}

const START = "2025-01-31T00:00:00";
const MS: Readonly<Partial<Record<Interval, number>>> = {
  "5m": 300_000,
  "30m": 1_800_000,
  "1h": 3_600_000,
  "1d": 86_400_000,
};
const NOW = Date.UTC(2026, 0);

/** The series of items, each of which is an output that is read in parts of `length` points. */
function readItems(items: readonly Item[], length: number) {
  return items.flatMap(
    ({ metric, unit, interval, labels = {}, values, start = START, network = "NEM", isFiltered = false }, index) => {
      const at = (place: number) =>
        `${new Date(Date.parse(`${start}Z`) + place * (MS[interval] ?? 0)).toISOString().slice(0, 19)}+10:00`;
      const points = values.map((value, place) => [at(place), value]);
      const facts = { interval, now: NOW, isFiltered, covers: new Map() };
      return Array.from({ length: Math.ceil(points.length / length) }, (_, part) => {
        const data = points.slice(part * length, (part + 1) * length);
        const results = [{ name: metric, columns: labels, data }];
        const body = {
          version: "4",
          created_at: "2025-02-01T00:00:00Z",
          success: true,
          data: [{ network_code: network, metric, unit, interval, results }],
        };
        return readSeries(`${index}.csv`, readBody(JSON.stringify(body)), facts);
      }).flat();
    },
  );
}

function find(items: readonly Item[], facilities?: readonly Facility[], length = 1000) {
  const data: CheckedData = { series: joinPieces(readItems(items, length)), facilities };
  return RULES.flatMap((rule) => makeFindings(rule, rule.find(data) ?? [])).map(
    ({ rule, output, instant, until, found, expected }) => ({
      rule,
      output,
      from: new Date(instant + 36_000_000).toISOString().slice(5, 16),
      until: new Date(until + 36_000_000).toISOString().slice(5, 16),
      found,
      expected,
    }),
  );
}

const unit = (code: string, fueltech: string, capacity?: string): Unit => ({
  code,
  fueltech,
  status: "operating",
  capacity,
  capacityMaximum: undefined,
  storage: undefined,
  firstData: undefined,
  lastData: undefined,
  facts: {},
  isLoad: fueltech === "battery_charging",
});
const facility = (units: readonly Unit[]): Facility => ({
  code: "F",
  name: "F",
  network: "NEM",
  region: "NSW1",
  units,
});

const power = (values: Values, labels: Item["labels"] = {}): Item => ({
  metric: "power",
  unit: "MW",
  interval: "1h",
  values,
  labels,
});
const energy = (values: Values, interval: Interval = "1h", labels: Item["labels"] = {}): Item => ({
  metric: "energy",
  unit: "MWh",
  interval,
  values,
  labels,
});
const price = (values: Values, start = START): Item => ({
  metric: "price",
  unit: "$/MWh",
  interval: "1h",
  values,
  start,
});
const proportion = (values: Values, labels: Item["labels"] = {}): Item => ({
  metric: "renewable_proportion",
  unit: "%",
  interval: "1h",
  values,
  labels,
});
const flow = (values: Values, labels: Item["labels"] = {}): Item => ({
  ...power(values, labels),
  metric: "flow_imports",
});
const REGIONS = ["NSW1", "QLD1", "SA1", "TAS1", "VIC1"];
const day = Array.from({ length: 24 }, () => 100);
const night = (values: Values): Item => ({
  ...power(values, { unit_code: "S1" }),
  interval: "30m",
  start: "2025-01-31T21:00:00",
});

interface Planted {
  readonly what: string;
  readonly clean: readonly Item[];
  readonly planted: readonly Item[];
  readonly facilities?: readonly Facility[];
  readonly findings: readonly object[];
}

const CASES: readonly Planted[] = [
  {
    what: "energy that is not mean power × hours; consecutive hours are one finding, with the worst of them",
    clean: [power([100, 100, null, 100, 5]), energy([100, 109, 70, 91, 0.5])],
    planted: [power([100, 100, null, 100, 5]), energy([100, 120, 70, 80, 0.5])],
    findings: [
      { rule: "energy-power", output: "1.csv", from: "01-31T01:00", until: "01-31T02:00", found: 120, expected: 100 },
      { rule: "energy-power", output: "1.csv", from: "01-31T03:00", until: "01-31T04:00", found: 80, expected: 100 },
    ],
  },
  {
    what: "a network that is not the sum of its regions, where all of them have a value",
    clean: [
      energy([500, 502, 900]),
      ...REGIONS.map((region) => energy([100, 100, region === "SA1" ? null : 100], "1h", { region })),
      // Regions import from each other.
      flow([900]),
      ...REGIONS.map((region) => flow([300], { region })),
    ],
    planted: [energy([500, 600, 700]), ...REGIONS.map((region) => energy([100, 100, 100], "1h", { region }))],
    findings: [
      { rule: "regions", output: "0.csv", from: "01-31T01:00", until: "01-31T03:00", found: 700, expected: 500 },
    ],
  },
  {
    what: "a battery whose net is not what it discharges less what it charges",
    clean: [
      power([-30, 20], { unit_code: "B" }),
      power([30, 0], { unit_code: "BL" }),
      power([0, 20], { unit_code: "BG" }),
    ],
    planted: [
      power([30, 20], { unit_code: "B" }),
      power([30, 0], { unit_code: "BL" }),
      power([0, 20], { unit_code: "BG" }),
    ],
    facilities: [
      facility([
        unit("B", "battery", "100"),
        unit("BL", "battery_charging", "100"),
        unit("BG", "battery_discharging", "100"),
      ]),
    ],
    findings: [
      { rule: "battery-net", output: "0.csv", from: "01-31T00:00", until: "01-31T01:00", found: 30, expected: -30 },
    ],
  },
  {
    what: "a day that is not the sum of its hours, if all hours have a value",
    clean: [
      energy([2400, 9999], "1d"),
      energy([
        ...day,
        ...day
          .with(3, 0)
          .with(4, 0)
          .map((value, hour) => (hour === 7 ? null : value)),
      ]),
    ],
    planted: [energy([2420, 2000], "1d"), energy([...day, ...day])],
    findings: [
      { rule: "day-hours", output: "0.csv", from: "01-31T00:00", until: "02-02T00:00", found: 2000, expected: 2400 },
    ],
  },
  {
    what: "solar power at night, for half an hour",
    clean: [night([90, 90, 90, 3, 11, 3])],
    planted: [night([90, 90, 3, 12, 11, 3])],
    facilities: [facility([unit("S1", "solar_utility", "100")])],
    findings: [
      { rule: "night-solar", output: "0.csv", from: "01-31T22:30", until: "01-31T23:30", found: 12, expected: 10 },
    ],
  },
  {
    what: "power beyond 1.3 times the capacity, either way",
    clean: [
      power([129, -129, null], { unit_code: "C1" }),
      power([900], { unit_code: "X" }),
      power([900], { unit_code: "C2" }),
    ],
    planted: [power([131, 0, -140], { unit_code: "C1" })],
    facilities: [
      facility([
        unit("C1", "coal_black", "100"),
        unit("X", "coal_black"),
        { ...unit("C2", "wind", "100"), status: "commissioning" },
      ]),
    ],
    findings: [
      { rule: "capacity", output: "0.csv", from: "01-31T00:00", until: "01-31T01:00", found: 131, expected: 130 },
      { rule: "capacity", output: "0.csv", from: "01-31T02:00", until: "01-31T03:00", found: -140, expected: -130 },
    ],
  },
  {
    what: "a price beyond the cap of its financial year, or below the floor",
    clean: [price([17_500, -1000]), price([20_000], "2025-07-01T00:00:00"), price([99_999], "2012-01-01T00:00:00")],
    planted: [price([17_501, -1000]), price([20_000], "2025-06-30T23:00:00"), price([-1001], "2025-07-01T00:00:00")],
    findings: [
      {
        rule: "price-limits",
        output: "0.csv",
        from: "01-31T00:00",
        until: "01-31T01:00",
        found: 17_501,
        expected: 17_500,
      },
      {
        rule: "price-limits",
        output: "1.csv",
        from: "06-30T23:00",
        until: "07-01T00:00",
        found: 20_000,
        expected: 17_500,
      },
      {
        rule: "price-limits",
        output: "2.csv",
        from: "07-01T00:00",
        until: "07-01T01:00",
        found: -1001,
        expected: -1000,
      },
    ],
  },
  {
    what: "a proportion below 0, or above 100 % of a whole network",
    clean: [proportion([0, 100, null]), proportion([150], { region: "SA1" })],
    planted: [proportion([0, 100.5]), proportion([150, -1], { region: "SA1" })],
    findings: [
      { rule: "proportions", output: "0.csv", from: "01-31T01:00", until: "01-31T02:00", found: 100.5, expected: 100 },
      { rule: "proportions", output: "1.csv", from: "01-31T01:00", until: "01-31T02:00", found: -1, expected: 0 },
    ],
  },
];

describe("the checks find", () => {
  test.each(CASES)("$what", ({ clean, planted, facilities, findings }) => {
    expect(find(clean, facilities)).toEqual([]);
    expect(find(planted, facilities)).toEqual(findings);
    expect([find(clean, facilities, 2), find(planted, facilities, 2)]).toEqual([[], findings]);
  });

  test("what is in a file a year: all of them are compared, and a run of readings may go on in the next", () => {
    const [first, second] = ["2024-12-31T23:00:00", "2025-01-01T00:00:00"];
    const outputs = [energy([1000]), energy([100]), power([100]), power([100])].map((item, index) => ({
      ...item,
      start: index % 2 === 0 ? first : second,
    }));
    expect(find(outputs)).toMatchObject([{ rule: "energy-power", output: "0.csv", found: 1000, expected: 100 }]);
    expect(find(outputs.toReversed())).toMatchObject([{ output: "3.csv" }]);
    const dark = [
      { ...night([12]), start: "2024-12-31T23:30:00" },
      { ...night([12]), start: second },
    ];
    const solar = [facility([unit("S1", "solar_utility", "100")])];
    expect(find(dark, solar)).toMatchObject([
      { rule: "night-solar", output: "0.csv", until: "01-01T00:00" },
      { rule: "night-solar", output: "1.csv", from: "01-01T00:00" },
    ]);
  });

  test("an error in either of two outputs of the same time", () => {
    expect(find([energy([100]), energy([900]), power([100])])).toMatchObject([{ output: "1.csv" }]);
    expect(find([energy([100]), power([100]), power([900])])).toMatchObject([{ output: "0.csv", expected: 900 }]);
  });

  const byRegion = (values: Values, more: Item["labels"] = {}, start = START) =>
    REGIONS.map((region) => ({ ...energy(values, "1h", { region, ...more }), start }));
  test.each<[string, readonly Item[]]>([
    ["regions that begin later", [energy([500, 500]), ...byRegion([100], {}, "2025-01-31T01:00:00")]],
    [
      "regions of which some are there at another interval alone",
      [
        energy([500]),
        ...byRegion([100]).slice(0, 2),
        ...byRegion([2400]).map((item) => ({ ...item, interval: "1d" as const })),
      ],
    ],
    [
      "regions of which some are there with other labels alone",
      [
        energy([250], "1h", { fueltech: "wind" }),
        energy([50], "1h", { region: "SA1", fueltech: "wind" }),
        ...byRegion([100]),
      ],
    ],
  ])("nothing in %s", (_, items) => {
    expect(find(items)).toEqual([]);
  });

  test("a region without a fueltech, if its output has all of them", () => {
    const wind = (values: Values, region?: string) =>
      energy(values, "1h", { fueltech: "wind", ...(region ? { region } : {}) });
    const hydro = REGIONS.slice(2).map((region) => energy([1], "1h", { region, fueltech: "hydro" }));
    const items = [wind([900]), wind([100], "NSW1"), wind([100], "QLD1"), ...hydro];
    expect(find(items)).toMatchObject([{ rule: "regions", output: "0.csv", found: 900, expected: 200 }]);
    expect(find(items.map((item, index) => ({ ...item, isFiltered: index > 2 })))).toEqual([]);
  });

  test("nothing in an interval that is not over", () => {
    const later = new Date(NOW + 36_000_000 - 1_800_000).toISOString().slice(0, 19);
    expect(find([{ ...price([99_999]), start: later }])).toEqual([]);
  });
});

const RECORDED = new URL("../../../shared/service/recorded/", import.meta.url);
const read = (name: string) => readFileSync(fileURLToPath(new URL(name, RECORDED)), "utf8");

test.skipIf(!existsSync(RECORDED))("nothing in recorded answers (skipped without ../shared/service/recorded)", () => {
  const facilities = parseFacilities(parseJson(read("facilities.json")));
  const names = ["data-network-WEM-power-5m-region-fueltech.json", "market-network-NEM-price-5m-SA1.json"];
  const series = names.flatMap((name) => readSeries(name, readBody(read(name)), { interval: "5m", now: Date.now() }));
  expect(series.length).toBeGreaterThan(10);
  expect(RULES.flatMap((rule) => makeFindings(rule, rule.find({ series, facilities }) ?? []))).toEqual([]);
});

test("there is a case for each check", () => {
  const found = new Set(CASES.flatMap(({ planted, facilities }) => find(planted, facilities).map(({ rule }) => rule)));
  expect([...found].toSorted()).toEqual(RULES.map(({ name }) => name).toSorted());
});
