/** The units that a query is computed with. */
import { expect, test } from "vitest";
import { createFleet } from "../../src/facility-list/create-fleet.ts";
import type { Facility, Unit } from "../../src/facilities/facility.ts";
import type { Computation } from "../../src/query/computation.ts";
import type { Query } from "../../src/query/query.ts";

const NONE = {
  fueltech: "wind",
  status: "operating",
  capacity: "50.5",
  capacityMaximum: undefined,
  storage: undefined,
  firstData: undefined,
};

function createUnit(code: string, more: Partial<Unit> = {}): Unit {
  return { ...NONE, code, lastData: undefined, facts: {}, isLoad: false, ...more };
}

function createFacility(code: string, network: string, units: readonly Unit[]): Facility {
  return { code, name: code, network, region: "SA1", units };
}

const FACILITIES = [
  createFacility("A", "NEM", [
    createUnit("A1", {
      capacityMaximum: "48",
      firstData: "2020-01-01T00:00:00+10:00",
      lastData: "2025-01-01T00:00:00",
    }),
    createUnit("A2", { capacity: "0", status: "retired" }),
  ]),
  createFacility("B", "NEM", [createUnit("A1", { capacity: "7" }), createUnit("B1")]),
  createFacility("W", "WEM", [createUnit("W1")]),
];

function fleetOf(
  parameters: Query["parameters"],
  capacity: Computation["capacity"] = "maximum",
  picked?: { facility: string; unit: string }[],
) {
  const computation: Computation = { metrics: [], shared: "energy", capacity };
  const window = { start: undefined, end: undefined };
  const query = {
    command: "facilities" as const,
    network: "NEM",
    metrics: [],
    interval: undefined,
    window,
    parameters,
    computation,
  };
  return createFleet({ receivedAt: 0, facilities: FACILITIES }, query, picked);
}

test("facts are those of the list; zero is no capacity, and a value lasts five minutes", () => {
  const { requested } = fleetOf([{ name: "facility_code", values: ["A"] }]);
  expect(requested).toMatchObject([
    {
      code: "A1",
      capacity: 48,
      first: Date.parse("2020-01-01T00:00:00+10:00"),
      last: Date.parse("2025-01-01T00:05:00+10:00"),
      isRetired: false,
    },
    { code: "A2", capacity: undefined, first: undefined, last: undefined, isRetired: true },
  ]);
  expect(fleetOf([{ name: "facility_code", values: ["A"] }], "registered").requested[0]).toMatchObject({
    capacity: 50.5,
  });
});

test.each<[string, Query["parameters"], string[]]>([
  ["no codes: all of the network", [], ["A1", "A2", "B1"]],
  [
    "facilities and units: those in both",
    [
      { name: "facility_code", values: ["A"] },
      { name: "unit_code", values: ["A2", "B1"] },
    ],
    ["A2"],
  ],
  ["units", [{ name: "unit_code", values: ["B1"] }], ["B1"]],
])("a query by %s", (_, parameters, codes) => {
  expect(fleetOf(parameters).requested.map(({ code }) => code)).toEqual(codes);
});

test("a code of two facilities is that of the one that is asked for", () => {
  const { units } = fleetOf([{ name: "facility_code", values: ["A"] }]);
  expect(units.get("A1")?.labels.facility_code).toBe("A");
  const picked = fleetOf([], "maximum", [{ facility: "B", unit: "A1" }]);
  expect(picked.requested).toMatchObject([{ code: "A1", capacity: 7 }]);
  expect(units.has("W1")).toBe(false);
});
