/** The official SDK, unchanged, works with the sandbox; and docs/compare.md is right about it. */
import { OpenElectricityClient } from "openelectricity";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { NOW, startStill } from "./ask.ts";
import { startService } from "../support/scripted-service.ts";
import { DAY, formatLocalTime } from "../../src/time/local-time.ts";

let sandbox: Sandbox;
let client: OpenElectricityClient;
beforeAll(async () => {
  sandbox = await startStill();
  client = new OpenElectricityClient({ apiKey: sandbox.token, baseUrl: `${sandbox.baseUrl}/v4` });
});
afterAll(() => sandbox.close());

const HOURS = { interval: "1h", dateStart: "2025-01-01T00:00:00", dateEnd: "2025-01-01T05:00:00" } as const;

test("getNetworkData gives a table of fueltechs by region", async () => {
  const { response, datatable } = await client.getNetworkData("NEM", ["power", "energy"], {
    ...HOURS,
    primaryGrouping: "network_region",
    secondaryGrouping: ["fueltech_group"],
  });
  expect(response.success).toBe(true);
  expect(response.data.map((item) => item.metric)).toEqual(["power", "energy"]);
  const rows = datatable!.getRows();
  expect(rows.filter((row) => row.region === "SA1" && row.fueltech_group === "wind")).toHaveLength(6);
  expect(rows[0]!.interval).toEqual(new Date("2024-12-31T14:00:00Z"));
});

test("getFacilities gives a table of units", async () => {
  const { response, table } = await client.getFacilities({
    status_id: ["operating"],
    fueltech_id: ["wind"],
    network_id: "WEM",
  });
  expect(response.data.length).toBeGreaterThan(2);
  expect(table.getRecords()[0]).toMatchObject({
    facility_network: "WEM",
    unit_fueltech: "wind",
    unit_status: "operating",
  });
});

test("errors are the SDK's own, with the service's message", async () => {
  const stranger = new OpenElectricityClient({ apiKey: "wrong", baseUrl: `${sandbox.baseUrl}/v4` });
  await expect(stranger.getCurrentUser()).rejects.toMatchObject({
    name: "OpenElectricityError",
    statusCode: 401,
    message: "Authentication failed",
  });
  await expect(client.getNetworkData("NEM", ["price" as "power"], HOURS)).rejects.toThrow(
    /not supported by this endpoint: price.*\(Supported here: power/,
  );
  await expect(client.getFacilityData("NEM", "NOWHERE", ["power"], HOURS)).rejects.toThrow(/No data available/);
});

describe("the comparison of docs/compare.md", () => {
  const connectTo = (baseUrl: string) => new OpenElectricityClient({ apiKey: sandbox.token, baseUrl: `${baseUrl}/v4` });

  test("a window past the limit is refused: a call is one request", async () => {
    const limited = await startStill({ plan: "community" });
    const window = { dateStart: formatLocalTime(NOW - 30 * DAY), dateEnd: formatLocalTime(NOW - DAY) };
    const call = connectTo(limited.baseUrl).getMarket("NEM", ["price"], { interval: "5m", ...window });
    await expect(call).rejects.toThrow("Maximum range is 8 days");
    await limited.close();
  });

  test("more than 30 codes are refused: a call is one request", async () => {
    const codes = Array.from({ length: 31 }, (_, index) => `F${index}`);
    await expect(client.getFacilityData("NEM", codes, ["power"], HOURS)).rejects.toMatchObject({ statusCode: 422 });
  });

  test.each([429, 503])("%i is an exception, after one request", async (status) => {
    const service = await startService(() => ({ status, body: { error: "Try again", success: false } }));
    await expect(connectTo(service.url).getMarket("NEM", ["price"], HOURS)).rejects.toMatchObject({
      statusCode: status,
    });
    expect(service.requests).toHaveLength(1);
  });

  test("values are JavaScript numbers", async () => {
    const data = '[["2025-01-01T00:00:00+10:00",40.00]]';
    const item = `{"network_code":"NEM","metric":"price","unit":"$/MWh","groupings":[],"results":[{"name":"price_total","columns":{},"data":${data}}]}`;
    const service = await startService(() => ({ body: `{"version":"4","success":true,"data":[${item}]}` }));
    const { datatable } = await connectTo(service.url).getMarket("NEM", ["price"], HOURS);
    expect(String(datatable!.getRows()[0]!.price)).toBe("40");
  });
});
