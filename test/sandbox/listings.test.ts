/** Paths of the public service that are not part of v4's contract. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { METRICS } from "../../src/base/vocabulary.ts";
import { askRaw, type Query, startStill } from "./ask.ts";
import { INTERVAL_NAMES, listDays } from "../support/intervals.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startStill();
});
afterAll(() => sandbox.close());

interface Facility {
  code: string;
  network_id: string;
  network_region: string;
  units: Record<string, unknown>[];
}

async function facilities(query: Query, path = "/facilities/"): Promise<Facility[]> {
  const response = await askRaw(sandbox, path, query);
  expect(response.status).toBe(200);
  return ((await response.json()) as { data: Facility[] }).data;
}

test("networks are a bare array", async () => {
  const networks: unknown = await (await askRaw(sandbox, "/networks")).json();
  expect(networks).toEqual([
    expect.objectContaining({
      code: "NEM",
      interval_size: 5,
      regions: ["NSW1", "QLD1", "SA1", "TAS1", "VIC1"].map((code) => ({ code })),
    }),
    expect.objectContaining({ code: "WEM", regions: [{ code: "WEM" }] }),
    expect.objectContaining({ code: "AU" }),
  ]);
});

test("metrics are all of v4's, with the endpoints that offer each", async () => {
  const body = (await (await askRaw(sandbox, "/metrics")).json()) as {
    metrics: object;
    total: number;
    endpoints: { data: string[]; market: string[] };
  };
  expect(Object.keys(body.metrics)).toEqual(Object.keys(METRICS));
  expect(body.total).toBe(Object.keys(METRICS).length);
  expect(body.endpoints.data).toEqual(["power", "energy", "market_value", "emissions", "storage_battery"]);
  const elsewhere = [...body.endpoints.data, "pollution"];
  expect(body.endpoints.market).toEqual(Object.keys(METRICS).filter((metric) => !elsewhere.includes(metric)));
});

test("plans are those that the public service lists, as a bare array, with their limits", async () => {
  const plans = (await (await askRaw(sandbox, "/plans")).json()) as Record<string, unknown>[];
  const named = INTERVAL_NAMES.filter((interval) => interval !== "fy");
  const paid = {
    bucket_limits: listDays("paid", named),
    period_limit_days: -1,
    historical_data: "Full",
  };
  expect(plans).toEqual([
    {
      code: "COMMUNITY",
      name: "Community",
      description: "For hobbyists and initial experiments",
      price: "Free",
      daily_credits: 500,
      burst_rate_limit: "2/s",
      key_limit: 1,
      bucket_limits: listDays("community", named),
      period_limit_days: 730,
      historical_data: "2 years",
      license: "Non-commercial use",
      features: ["Community support"],
      visible: true,
      cta: "upgrade",
    },
    expect.objectContaining({
      code: "ACADEMIC",
      daily_credits: 2000,
      burst_rate_limit: "2/s",
      key_limit: 5,
      cta: "academic",
      ...paid,
    }),
    expect.objectContaining({
      code: "ENTERPRISE",
      daily_credits: -1,
      burst_rate_limit: "10/s",
      key_limit: -1,
      price: "Custom",
      ...paid,
    }),
  ]);
  for (const plan of plans) expect(Object.keys(plan)).toEqual(Object.keys(plans[0]!));
});

test("a facility's filters select its units", async () => {
  const retired = await facilities({ status_id: "retired", network_id: "NEM" });
  expect(retired.map((facility) => facility.code)).toContain("HAZELWOOD");
  expect(retired.flatMap((facility) => facility.units).every((unit) => unit.status_id === "retired")).toBe(true);
  const batteries = await facilities({
    fueltech_id: ["battery_charging", "battery_discharging"],
    network_region: "SA1",
  });
  expect(batteries.map((facility) => facility.units.map((unit) => unit.code))).toEqual([
    ["HPRL1", "HPRG1"],
    ["TIBL1", "TIBG1"],
  ]);
  expect((await facilities({ fueltech_group_id: "coal", network_id: "WEM" })).map((facility) => facility.code)).toEqual(
    ["COLLIE", "MUJA", "BLUEWATERS"],
  );
  expect(await facilities({ facility_code: ["BAYSW", "HPR"] })).toHaveLength(2);
  const nobody = await askRaw(sandbox, "/facilities/", { network_id: "XYZ" });
  expect(nobody.status).toBe(404);
});

test("a unit has its first and last time with data", async () => {
  const [northern] = await facilities({ facility_code: "NORTHERN" });
  expect(northern!.units[0]).toMatchObject({
    code: "NPS1",
    fueltech_id: "coal_brown",
    status_id: "retired",
    capacity_registered: 265,
    data_first_seen: "1998-12-07T00:00:00+10:00",
    data_last_seen: "2016-05-09T23:55:00+10:00",
    dispatch_type: "GENERATOR",
  });
  const [kidston] = await facilities({ facility_code: "KIDSTON" });
  expect(kidston!.units[0]).toEqual({
    code: "KIDSPH1",
    fueltech_id: "hydro",
    status_id: "committed",
    capacity_registered: 125,
    capacity_maximum: 125,
    dispatch_type: "GENERATOR",
  });
});

test("me is a user without limits, and unset fields are left out", async () => {
  const body = (await (await askRaw(sandbox, "/me")).json()) as { data: object };
  expect(Object.keys(body)).toEqual(["version", "created_at", "success", "data"]);
  expect(body.data).toMatchObject({ plan: "ENTERPRISE" });
  expect(Object.keys(body.data)).toEqual(["id", "full_name", "email", "plan", "roles"]);
});
