/** The response to each kind of request: as the contract has it, or the public service if that is silent. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { METRICS, type Metric } from "../../src/base/vocabulary.ts";
import { ask, askRaw, errorBody, type Query, startStill } from "./ask.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startStill();
});
afterAll(() => sandbox.close());

const HOUR = { date_start: "2025-01-01T00:00:00", date_end: "2025-01-01T00:55:00" };
const REVERSED = { date_start: "2025-01-02", date_end: "2025-01-01" };
const TEXT: unknown = expect.any(String);
const names = Object.keys(METRICS) as Metric[];

function codes(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `UNIT${i}`);
}

async function refusal(path: string, query: Query): Promise<{ status: number; body: unknown }> {
  const response = await askRaw(sandbox, path, query);
  return { status: response.status, body: await response.json() };
}

describe("the envelope", () => {
  test("of a region's fueltechs is like recorded ones", async () => {
    const query = {
      ...HOUR,
      metrics: ["power", "energy"],
      primary_grouping: "network_region",
      secondary_grouping: "fueltech",
    };
    const response = await askRaw(sandbox, "/data/network/WEM", query);
    const envelope = (await response.json()) as Record<string, unknown>;
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(Object.keys(envelope)).toEqual(["version", "created_at", "success", "error", "data", "total_records"]);
    expect(envelope).toMatchObject({
      created_at: "2026-03-01T00:00:00.000Z",
      success: true,
      error: null,
      total_records: null,
    });
    const [power, energy] = await ask(sandbox, "/data/network/WEM", query);
    expect(Object.keys(power!)).toEqual([
      "network_code",
      "metric",
      "unit",
      "interval",
      "date_start",
      "date_end",
      "groupings",
      "results",
      "network_timezone_offset",
    ]);
    expect(power).toMatchObject({
      network_code: "WEM",
      metric: "power",
      unit: "MW",
      interval: "5m",
      groupings: ["network_region", "fueltech"],
      network_timezone_offset: "+08:00",
      date_start: "2025-01-01T00:00:00+08:00",
      date_end: "2025-01-01T00:55:00+08:00",
    });
    expect(energy).toMatchObject({ metric: "energy", unit: "MWh" });
    const result = power!.results[0]!;
    expect(Object.keys(result)).toEqual(["name", "date_start", "date_end", "columns", "data"]);
    expect(result).toMatchObject({ name: "power_WEM|coal_black", columns: { region: "WEM", fueltech: "coal_black" } });
    expect(result.data).toHaveLength(12);
    expect(result.data[0]).toEqual(["2025-01-01T00:00:00+08:00", expect.any(Number)]);
    const points = power!.results.map((each, i) => [each.data[0]![1]!, energy!.results[i]!.data[0]![1]!]);
    for (const [megawatts, megawattHours] of points) expect(megawattHours! * 12).toBeCloseTo(megawatts!, 6);
  });

  test.each([
    ["network", {}, { groupings: [], columns: {}, name: "price_total" }],
    [
      "region, by its filter",
      { network_region: "SA1" },
      { groupings: [], columns: { region: "SA1" }, name: "price_SA1" },
    ],
    [
      "region, by its filter over the grouping",
      { network_region: "SA1", primary_grouping: "network" },
      { groupings: [], columns: { region: "SA1" }, name: "price_SA1" },
    ],
    [
      "regions",
      { primary_grouping: "network_region" },
      { groupings: [], columns: { region: "NSW1" }, name: "price_NSW1" },
    ],
  ])("of a market %s has its groupings and columns", async (_, query, { groupings, columns, name }) => {
    const [item] = await ask(sandbox, "/market/network/NEM", { ...HOUR, metrics: "price", ...query });
    expect(item!.groupings).toEqual(groupings);
    expect(item!.results[0]).toMatchObject({ columns, name });
  });

  test.each([
    ["nothing", {}, { groupings: [], columns: {}, name: "power_total" }],
    [
      "fueltech",
      { secondary_grouping: "fueltech" },
      { groupings: ["network", "fueltech"], columns: { fueltech: "coal_black" }, name: "power_coal_black" },
    ],
    [
      "fueltech, by its filter",
      { fueltech: ["wind", "hydro"], secondary_grouping: "status" },
      { groupings: ["network", "fueltech"], columns: { fueltech: "hydro" }, name: "power_hydro" },
    ],
    [
      "group, by its filter",
      { fueltech_group: "gas" },
      { groupings: ["network", "fueltech_group"], columns: { fueltech_group: "gas" }, name: "power_gas" },
    ],
    [
      "status",
      { secondary_grouping: "status" },
      { groupings: ["network", "status"], columns: { status: "operating" }, name: "power_operating" },
    ],
    [
      "renewable",
      { secondary_grouping: "renewable" },
      { groupings: ["network", "renewable"], columns: { renewable: false }, name: "power_False" },
    ],
    [
      "the last of a repeated parameter",
      { secondary_grouping: ["status", "renewable"] },
      { groupings: ["network", "renewable"], columns: { renewable: false }, name: "power_False" },
    ],
  ])("of a network by %s has its groupings and columns", async (_, query, { groupings, columns, name }) => {
    const [item] = await ask(sandbox, "/data/network/NEM", { ...HOUR, metrics: "power", ...query });
    expect(item!.groupings).toEqual(groupings);
    expect(item!.results[0]).toMatchObject({ columns, name });
  });

  test("of facilities has one series per unit, labelled by unit only", async () => {
    const [item] = await ask(sandbox, "/data/facilities/NEM", {
      ...HOUR,
      metrics: "power",
      facility_code: ["BAYSW", "TARONG"],
    });
    expect(item!.groupings).toEqual([]);
    expect(item!.results.map((result) => result.columns.unit_code)).toEqual([
      "BW01",
      "BW02",
      "BW03",
      "BW04",
      "TARONG#1",
      "TARONG#2",
      "TARONG#3",
      "TARONG#4",
    ]);
    const units = { facility_code: ["TARONG", "W/HOE"], unit_code: ["TARONG#2", "W/HOE#1"] };
    const [byUnit] = await ask(sandbox, "/data/facilities/NEM", { ...HOUR, metrics: "power", ...units });
    expect(byUnit!.results.map((result) => result.name)).toEqual(["power_TARONG#2", "power_W/HOE#1"]);
    expect(byUnit!.results[0]!.data).toEqual(item!.results[5]!.data);
  });

  test("of facilities without any code has one series without labels, of all units", async () => {
    const [item, ...others] = await ask(sandbox, "/data/facilities/NEM", { ...HOUR, metrics: "power" });
    expect([others, item!.results.map(({ name, columns }) => [name, columns])]).toEqual([[], [["power_total", {}]]]);
    const timestamps = item!.results[0]!.data.map(([timestamp]) => timestamp);
    expect(new Set(timestamps).size).toBe(12);
    expect(timestamps.length / 12).toBeGreaterThan(150);
  });
});

describe("the window", () => {
  test("includes both ends, and stamps a first interval before an unaligned start", async () => {
    const query = {
      metrics: "price",
      interval: "1h",
      date_start: "2025-01-01T00:30:00",
      date_end: "2025-01-01T02:00:00",
    };
    const [item] = await ask(sandbox, "/market/network/NEM", query);
    expect(item!.results[0]!.data.map(([timestamp]) => timestamp.slice(11, 16))).toEqual(["00:00", "01:00", "02:00"]);
  });

  test("may be one instant, between two timestamps, a day, or have fractions and a space", async () => {
    const one = { metrics: "price", date_start: "2025-01-01 00:05", date_end: "2025-01-01T00:05:00.000" };
    expect((await ask(sandbox, "/market/network/NEM", one))[0]!.results[0]!.data).toHaveLength(1);
    const none = { metrics: "price", date_start: "2025-01-01T00:05:01", date_end: "2025-01-01T00:09:59" };
    expect((await refusal("/market/network/NEM", none)).status).toBe(404);
    const day = { metrics: "price", date_start: "2025-01-01", date_end: "2025-01-02" };
    expect((await ask(sandbox, "/market/network/NEM", day))[0]!.results[0]!.data).toHaveLength(289);
  });

  test("without an end omits the interval in progress; with one includes it, and never more", async () => {
    const start = { metrics: "price", date_start: "2026-03-01T09:00:00" };
    const newest = async (query: Query) =>
      (await ask(sandbox, "/market/network/NEM", query))[0]!.results[0]!.data.at(-1)![0];
    expect(await newest(start)).toBe("2026-03-01T09:55:00+10:00");
    expect(await newest({ ...start, date_end: "2026-12-31" })).toBe("2026-03-01T10:00:00+10:00");
    expect(await newest({ metrics: "price" })).toBe("2026-03-01T09:55:00+10:00");
  });
});

describe("a refusal", () => {
  const unlisted = [
    ["an unknown metric", ["/data/network/NEM", { metrics: ["power", "steam"] }], ["query", "metrics", 1]],
    ["no metric", ["/data/network/NEM", {}], ["query", "metrics"]],
    ["an unknown interval", ["/data/network/NEM", { metrics: "power", interval: "2h" }], ["query", "interval"]],
    ["an empty interval", ["/market/network/NEM", { metrics: "price", interval: "" }], ["query", "interval"]],
    [
      "an unknown primary grouping",
      ["/market/network/NEM", { metrics: "price", primary_grouping: "state" }],
      ["query", "primary_grouping"],
    ],
    [
      "an unknown secondary grouping",
      ["/data/network/NEM", { metrics: "power", secondary_grouping: "x" }],
      ["query", "secondary_grouping"],
    ],
    [
      "31 facilities",
      ["/data/facilities/NEM", { metrics: "power", facility_code: codes(31) }],
      ["query", "facility_code"],
    ],
    ["31 units", ["/data/facilities/NEM", { metrics: "power", unit_code: codes(31) }], ["query", "unit_code"]],
    ...["", "yesterday", "2025", "2025-1-1", "2025-02-30", "2025-01-01T24:01", "2025-01-01T00:00:00 10:00"].map(
      (date) =>
        [
          `the date ${date}`,
          ["/data/network/NEM", { metrics: "power", date_start: date }],
          ["query", "date_start"],
        ] as const,
    ),
  ] as const;
  test.each(unlisted)("of %s is a 422 that names it", async (_, [path, query], loc) => {
    expect(await refusal(path, query)).toMatchObject({
      status: 422,
      body: { detail: [{ loc, msg: TEXT, type: TEXT }] },
    });
  });

  test.each<[string, readonly [string, Query], string]>([
    ["an unknown network", ["/data/network/XYZ", { metrics: "power" }], "Unknown network: XYZ"],
    ["a network in small letters", ["/market/network/nem", { metrics: "price" }], "Unknown network: nem"],
    [
      "a start with an offset",
      ["/data/network/NEM", { metrics: "power", date_start: "2025-01-01T00:00:00+10:00" }],
      "timezone naive",
    ],
    ["an end in UTC", ["/data/network/NEM", { metrics: "power", date_end: "2025-01-01T00:00:00Z" }], "timezone naive"],
    [
      "a reversed window",
      ["/data/network/NEM", { metrics: "power", ...REVERSED }],
      "Date start must be before date end",
    ],
    [
      "a reversed window of a market",
      ["/market/network/NEM", { metrics: "price", ...REVERSED }],
      "Date start must be before date end",
    ],
    [
      "a start in the future",
      ["/market/network/NEM", { metrics: "price", date_start: "2030-01-01" }],
      "Date start must be before date end",
    ],
  ])("of %s is a 400", async (_, [path, query], message) => {
    expect(await refusal(path, query)).toEqual({
      status: 400,
      body: errorBody(message),
    });
  });

  test.each(names)("%s works where it is offered, and is a 400 elsewhere", async (metric) => {
    const paths = {
      network: "/data/network/NEM",
      facilities: "/data/facilities/NEM",
      market: "/market/network/NEM",
    } as const;
    for (const command of ["network", "facilities", "market"] as const) {
      const isOffered = METRICS[metric].offeredBy.includes(command);
      const refused = {
        detail: { error: `Metrics not supported by this endpoint: ${metric}`, hint: TEXT, invalid_metrics: [metric] },
      };
      expect(await refusal(paths[command], { ...HOUR, metrics: metric })).toMatchObject({
        status: isOffered ? 200 : 400,
        body: isOffered ? { data: [{ metric, unit: METRICS[metric].unit }] } : refused,
      });
    }
  });

  const units = { facility_code: "BAYSW", unit_code: ["HPR1", "HPRL1"] };
  const past = { date_start: "1990-01-01", date_end: "1990-01-02" };
  const future = { date_start: "2030-01-01", date_end: "2030-01-02" };
  test.each([
    [
      "a fueltech that nobody has",
      ["/data/network/NEM", { ...HOUR, fueltech: "nuclear" }],
      "No data available for network NEM",
    ],
    ["the time before the first data", ["/data/network/NEM", past], "No data available for network NEM"],
    [
      "an unknown region",
      ["/market/network/NEM", { ...HOUR, network_region: "ACT1" }],
      "No market data available for network NEM",
    ],
    [
      "a region of another network",
      ["/market/network/NEM", { ...HOUR, network_region: "WEM" }],
      "No market data available for network NEM",
    ],
    ["the future", ["/market/network/NEM", future], "No market data available for network NEM"],
    ["flows of a network without lines", ["/market/network/WEM", HOUR], "No market data available for network WEM"],
    [
      "an unknown facility",
      ["/data/facilities/NEM", { ...HOUR, facility_code: "X" }],
      "No data available for facility=['X']",
    ],
    [
      "units of another facility",
      ["/data/facilities/NEM", { ...HOUR, ...units }],
      "facility=['BAYSW'], unit=['HPR1', 'HPRL1']",
    ],
    [
      "a reversed window of facilities",
      ["/data/facilities/NEM", REVERSED],
      "No data available for the specified filters",
    ],
  ] as const)("of %s is a 404 that says there is no data", async (_, [path, query], message) => {
    const metrics = path.startsWith("/data") ? "power" : path.endsWith("WEM") ? "flow_imports" : "price";
    const body = errorBody(`${message} in the specified time range`);
    expect(await refusal(path, { ...query, metrics })).toEqual({ status: 404, body });
  });
});
