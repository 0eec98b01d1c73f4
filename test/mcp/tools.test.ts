/** What the tools of `ents mcp` take and give, as the protocol's own client sees it in both of its eras. */
import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { splitWords } from "../../src/cli/stored-command.ts";
import { ERAS, type Result, serve } from "../support/mcp-client.ts";
import { createHome } from "../support/run-ents.ts";
import { startService } from "../support/scripted-service.ts";
import { POWER, TOKEN } from "../e2e/envelopes.ts";
import { listPlans } from "../e2e/plans.ts";

const DAY = { network: "NEM", metrics: ["price"], interval: "1h", during: "2025-01-31" };
const NSW = { ...DAY, network_region: ["NSW1"] };

/** The rows as objects, with what is constant. */
function listRows({ columns = [], rows = [], constant }: Result): readonly Record<string, unknown>[] {
  return rows.map((row) => ({
    ...(constant as object | undefined),
    ...Object.fromEntries(columns.map((name, index) => [name, row[index]])),
  }));
}

/** Of a value of the last hour of that day. */
function expectAge(result: Result): void {
  const expected = (Date.now() - Date.parse("2025-01-31T23:00:00+10:00")) / 1000;
  expect(Math.abs(Number(result["newest_age_seconds"]) - expected)).toBeLessThan(3600);
}

describe.each(ERAS)("in the era %j", (era) => {
  test("tools, resources and prompts are listed, and a call is answered", async () => {
    const home = createHome();
    const { client, call } = await serve(home, ["--sandbox"], { era });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "list_metrics",
      "find_codes",
      "get_network",
      "get_facilities",
      "get_market",
      "describe_output",
    ]);
    const ajv = new Ajv();
    for (const { inputSchema, outputSchema, annotations } of tools) {
      ajv.compile(inputSchema);
      ajv.compile(outputSchema as object);
      expect(annotations).toMatchObject({ readOnlyHint: true, title: expect.any(String) as string });
    }
    const instructions = client.getInstructions() ?? "";
    expect(instructions.length).toBeLessThan(1800);
    expect(instructions).not.toMatch(/(^|\s)--?[a-z]/);
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(["ents://skill", "ents://metrics"]);
    expect((await client.readResource({ uri: "ents://skill" })).contents[0]).toMatchObject({
      text: expect.stringContaining("# ents") as string,
    });
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual([
      "compare_periods",
      "week_in_pictures",
    ]);
    const { messages } = await client.getPrompt({
      name: "compare_periods",
      arguments: { first: "FY2024", second: "FY2025" },
    });
    expect(JSON.stringify(messages)).toContain("Compare FY2024 with FY2025");
    const { isError, result } = await call("get_market", NSW);
    expect({ isError, total: result["total_rows"] }).toEqual({ isError: false, total: 24 });
    await client.close();
  });
});

test("the schema of a tool has what its command takes", async () => {
  const { client } = await serve(createHome(), ["--sandbox"]);
  const { tools } = await client.listTools();
  const fields = (name: string) =>
    (tools.find((tool) => tool.name === name)?.inputSchema.properties ?? {}) as Record<
      string,
      { items?: { enum?: string[] } }
    >;
  expect(fields("get_market")["metrics"]?.items?.enum).toContain("price");
  expect(fields("get_market")["metrics"]?.items?.enum).not.toContain("power");
  expect(fields("get_network")["metrics"]?.items?.enum).not.toContain("price");
  expect(fields("get_network")["group_by"]?.items?.enum).toContain("fueltech_group");
  expect(Object.keys(fields("get_facilities"))).toContain("unit_code");
  expect(Object.keys(fields("get_market"))).not.toContain("output");
  // No word of a shell.
  expect(JSON.stringify(tools)).not.toMatch(/--[a-z]|[ "(]-[a-z][ ,)"]/);
});

test("rows are columns and arrays, with source, licence, unit, time zone, age, and the command that makes them", async () => {
  const home = createHome();
  const { call } = await serve(home, ["--sandbox"]);
  const { result } = await call("get_market", NSW);
  const { rows = [], command, newest_age_seconds: _, ...facts } = result;
  expect(facts).toEqual({
    messages: [{ kind: "note", message: "synthetic data" }],
    total_rows: 24,
    source: "the sandbox inside ents: synthetic data",
    licence: "not named by the service",
    interval: "1h",
    time_zone: "UTC+10, network time",
    units: { price: "$/MWh" },
    constant: { network: "NEM", region: "NSW1", metric: "price", unit: "$/MWh" },
    columns: ["timestamp", "value"],
  });
  expect(rows[0]).toEqual(["2025-01-31T00:00:00+10:00", expect.any(Number)]);
  expectAge(result);
  const { stdout } = await home.run([...splitWords(String(command)).slice(1), "-f", "ndjson"]);
  const lines = stdout.trimEnd().split("\n");
  expect(listRows(result)).toEqual(lines.map((line) => JSON.parse(line) as object));
});

test("age and units are those of all rows, not of the page; rows that are picked have no age", async () => {
  const { call } = await serve(createHome(), ["--sandbox"]);
  const { result } = await call("get_market", { ...NSW, metrics: ["price", "demand"], limit: 1 });
  expect(result).toMatchObject({
    total_rows: 48,
    left_out: "47 of 48 rows: these are 1 to 1; the next page: offset 1",
    units: { price: "$/MWh", demand: "MW" },
  });
  expectAge(result);
  expect((await call("get_market", { ...NSW, top: 3 })).result["newest_age_seconds"]).toBeNull();
});

test("pages tile the rows, and no answer is longer than 40,000 characters", async () => {
  const home = createHome();
  const { call } = await serve(home, ["--sandbox"]);
  const input = { ...DAY, metrics: ["price", "demand"], interval: "5m", group_by: ["region"] };
  const first = await call("get_market", { ...input, limit: 1000 });
  expect(first.characters).toBeLessThanOrEqual(40_000);
  expect(Object.keys(first.result).indexOf("left_out")).toBeLessThan(Object.keys(first.result).indexOf("rows"));
  const collected: object[] = [];
  for (let offset = 0; offset < 600; offset += 200) {
    const { result } = await call("get_market", { ...input, offset });
    expect(result.rows).toHaveLength(200);
    collected.push(...listRows(result));
  }
  const { stdout } = await home.run([...splitWords(String(first.result["command"])).slice(1), "-f", "ndjson"]);
  const all = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as object);
  expect(collected).toEqual(all.slice(0, 600));
  expect(first.result).toMatchObject({ total_rows: all.length });
  const how = splitWords(String(first.result["how_to_get_all"])).slice(1);
  expect((await home.run(how)).code).toBe(0);
  expect(readFileSync(home.path("rows.csv"), "utf8").trimEnd().split("\n")).toHaveLength(all.length + 1);
});

test("units stand beside what is computed", async () => {
  const { call } = await serve(createHome(), ["--sandbox"]);
  const compared = await call("get_market", { ...NSW, compare: "1d" });
  expect(compared.result).toMatchObject({ units: { price: "$/MWh", change_percent: "%" } });
  const share = await call("get_network", { ...DAY, metrics: ["share"], interval: "1d", group_by: ["renewable"] });
  expect(share.result).toMatchObject({ units: { share: "%" } });
  const newest = await call("get_market", {
    network: "NEM",
    metrics: ["price"],
    interval: "5m",
    group_by: "region",
    latest: true,
  });
  expect(newest.result).toMatchObject({ total_rows: 5, units: { age_seconds: "s" } });
});

test("metrics and codes are found, with their source and age", async () => {
  const { call } = await serve(createHome(), ["--sandbox"]);
  const metrics = await call("list_metrics", { text: "capture price" });
  expect(listRows(metrics.result)[0]).toMatchObject({
    metric: "average_price",
    unit: "$/MWh",
    offered_by: "network facilities",
  });
  const codes = await call("find_codes", { list: "facilities", text: "wind farms", network_region: "SA1" });
  expect(listRows(codes.result).map(({ facility_code: code }) => code)).toContain("HORNSDALE");
  expect(codes.result).toMatchObject({
    source: "the sandbox inside ents: synthetic data",
    newest_age_seconds: 0,
    units: { capacity: "MW" },
  });
  const regions = await call("find_codes", { list: "regions", network: ["NEM"] });
  expect(regions).toMatchObject({ isError: true, result: { messages: [{ field: "network" }] } });
});

test("null, an empty text and an empty list are fields that are not set; lists come in any shape", async () => {
  const { call } = await serve(createHome(), ["--sandbox"]);
  const unset = { fueltech: null, date_start: "", group_by: [], facility: undefined, complete: null };
  const { fueltech: _, ...own } = unset;
  const { result: plain } = await call("get_market", { ...DAY, network_region: ["NSW1", "VIC1"] });
  for (const network_region of ['["NSW1","VIC1"]', "NSW1,VIC1", "NSW1, VIC1", [["NSW1"], "VIC1"].flat()]) {
    const { result } = await call("get_market", { ...DAY, ...own, network_region });
    expect(listRows(result)).toEqual(listRows(plain));
  }
  expect(
    (await call("get_market", { ...NSW, during: null, date_start: "2025-01-31", date_end: "2025-01-31" })).isError,
  ).toBe(false);
  expect((await call("get_market", { ...NSW, top: 3, each: "true" })).result).toMatchObject({ total_rows: 3 });
});

test("a wrong value or type names its field, what is allowed, and a call that works", async () => {
  const { call } = await serve(createHome(), ["--sandbox"]);
  const message = async (name: string, input: object) => {
    const { isError, result } = await call(name, input);
    expect(isError).toBe(true);
    return result.messages[0];
  };
  expect(await message("get_market", { ...NSW, metrics: ["pric"] })).toMatchObject({
    field: "metrics",
    value: "pric",
    did_you_mean: ["price", "average_price", "demand_weighted_price"],
    next_step: `get_market ${JSON.stringify(NSW)}\nsee list_metrics for all`,
  });
  expect(await message("get_market", { ...NSW, interval: "daily" })).toMatchObject({
    field: "interval",
    allowed: expect.arrayContaining(["1d"]) as object,
  });
  expect(await message("get_market", { ...NSW, fueltech: ["wind"] })).toMatchObject({
    message: 'unknown field "fueltech"',
    next_step: "find_codes has it",
  });
  const usual = { metrics: ["price"], interval: "1h", during: "2025-01-31" };
  expect(await message("get_market", { network: "nsw", ...usual })).toMatchObject({
    field: "network",
    message: "nsw is a region, not a network",
    next_step: `get_market ${JSON.stringify({ network: "NEM", ...usual, network_region: ["NSW1"] })}`,
  });
  expect(await message("get_market", { network: "WA", ...usual })).toMatchObject({
    next_step: `get_market ${JSON.stringify({ network: "WEM", ...usual })}`,
  });
  expect(await message("get_market", { network: "WEM", ...usual, network_region: ["NSW1"] })).toMatchObject({
    next_step: expect.stringContaining(
      `get_market ${JSON.stringify({ network: "NEM", ...usual, network_region: ["NSW1"] })}`,
    ) as string,
  });
  expect(await message("get_network", { network: "NEM", ...usual, fueltech: ["wind"] })).toMatchObject({
    field: "metrics",
    message: "get_network has no price",
    next_step: `get_market ${JSON.stringify({ network: "NEM", ...usual })}`,
  });
  expect(await message("find_codes", { list: "stations", text: "bayswater" })).toMatchObject({
    next_step: 'find_codes {"list":"facilities","text":"bayswater"}',
  });
  expect(await message("get_market", { metrics: ["price"], last: "1d" })).toMatchObject({
    message: "the network code is missing",
    next_step: expect.stringContaining('get_market {"network":"NEM"') as string,
  });
  expect(await message("get_market", { ...NSW, last: "1d" })).toMatchObject({
    message: expect.stringContaining("during") as string,
  });
  expect(await message("get_market", { ...NSW, complete: "yes" })).toMatchObject({
    field: "complete",
    message: 'complete must be true or false, not "yes"',
  });
  expect(await message("get_market", { ...NSW, metrics: [{ a: 1 }] })).toMatchObject({
    field: "metrics",
    value: '{"a":1}',
  });
  expect(await message("get_market", { ...NSW, limit: 0 })).toMatchObject({
    message: "limit must be a whole number from 1 to 1,000, not 0",
  });
  expect(await message("find_codes", { list: "units", text: 7 })).toMatchObject({
    message: "text must be a text, not 7",
  });
  expect(await message("find_codes", {})).toMatchObject({ message: "list is missing" });
  expect(await message("no_tool", {})).toMatchObject({ message: 'unknown tool "no_tool"' });
});

test("no value is a flag or a file of values", async () => {
  const home = createHome();
  const { call } = await serve(home, ["--sandbox"]);
  for (const value of ["--output=stolen.csv", "-ostolen.csv", "@list"]) {
    const { isError, result } = await call("get_market", { ...DAY, metrics: ["price", value] });
    expect({ isError, result }).toMatchObject({ isError: true, result: { messages: [{ kind: "usage", value }] } });
  }
});

test("more requests than 20 are refused with their number, unless the call allows them", async () => {
  const { call } = await serve(createHome(), ["--sandbox"]);
  const input = { ...NSW, interval: "5m", during: "2024", summary_only: true };
  const { isError, result } = await call("get_market", input);
  expect(isError).toBe(true);
  expect(result.messages[0]).toMatchObject({
    field: "max_requests",
    message: "this needs 47 requests, and a call makes at most 20",
    next_step: expect.stringContaining('"max_requests":47') as string,
  });
});

test("a text of more than 200 characters is refused at once, and not repeated", async () => {
  const { call } = await serve(createHome(), ["--sandbox"]);
  for (const length of [201, 100_000, 1_000_000]) {
    for (const [name, input] of [
      ["list_metrics", { text: "w ".repeat(length) }],
      ["get_market", { ...NSW, time_zone: "a".repeat(length) }],
      ["get_market", { ...NSW, metrics: ["a".repeat(length)] }],
      ["get_market", { ...NSW, ["f".repeat(length)]: 1 }],
    ] as const) {
      const { isError, characters } = await call(name, input);
      expect(isError).toBe(true);
      expect(characters).toBeLessThan(2000);
    }
  }
});

test("the token is in no result, and the licence is that of its plan", async () => {
  const home = createHome();
  const plans = listPlans({ COMMUNITY: { license: "CC BY-NC 4.0" }, ACADEMIC: { license: "CC BY 4.0" } });
  const service = await startService(({ url }) =>
    url.startsWith("/v4/me") ? { body: { data: { plan: "ACADEMIC" } } } : url === "/v4/plans" ? { body: plans } : POWER,
  );
  const { call } = await serve(home, ["--base-url", service.url], { env: { ENTS_TOKEN: TOKEN } });
  const input = { network: "NEM", metrics: ["power"], interval: "1h", during: "2025-01-01" };
  const answer = await call("get_network", input);
  expect(answer.result).toMatchObject({ source: `${service.url}/`, licence: "CC BY 4.0" });
  expect(JSON.stringify(answer)).not.toContain(TOKEN);
  const asked = service.requests.length;
  // The next page asks for nothing.
  expect((await call("get_network", { ...input, offset: 1 })).result).toMatchObject({
    total_rows: 2,
    licence: "CC BY 4.0",
  });
  expect(service.requests).toHaveLength(asked);
  expect((await call("describe_output", { output: "price.csv" })).result.messages[0]?.message).toBe(
    "there is no folder of outputs",
  );
});
