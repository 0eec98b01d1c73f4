/** `ents mcp`, as the client of the protocol's own SDK sees it: the real binary over standard input and output. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { Ajv } from "ajv";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { splitWords } from "../../src/cli/stored-command.ts";
import { createHome, ENTS, type Home } from "../support/run-ents.ts";
import { startService } from "../support/scripted-service.ts";
import { POWER, TOKEN } from "./envelopes.ts";

interface Result {
  readonly command?: string;
  readonly rows?: readonly Readonly<Record<string, unknown>>[];
  readonly messages: readonly { readonly kind: string; readonly message: string }[];
  readonly [fact: string]: unknown;
}

interface Served {
  readonly client: Client;
  readonly call: (
    name: string,
    input: object,
  ) => Promise<{ readonly isError: boolean; readonly results: readonly Result[] }>;
}

async function serve({ folder }: Home, args: readonly string[], env: Record<string, string> = {}): Promise<Served> {
  const client = new Client({ name: "test", version: "1" });
  const own = {
    HOME: folder,
    ENTS_CACHE_DIR: `${folder}/cache`,
    ENTS_CONFIG_DIR: `${folder}/config`,
    PATH: process.env["PATH"] ?? "",
    ...env,
  };
  await client.connect(new StdioClientTransport({ command: ENTS, args: ["mcp", ...args], cwd: folder, env: own }));
  const call: Served["call"] = async (name, input) => {
    const { isError, structuredContent, content } = await client.callTool({
      name,
      arguments: input as Record<string, unknown>,
    });
    const [{ text }] = content as [{ readonly text: string }];
    // For clients that do not read structured results.
    expect(JSON.parse(text)).toEqual(structuredContent);
    return {
      isError: isError === true,
      results: (structuredContent as { readonly results: readonly Result[] }).results,
    };
  };
  return { client, call };
}

const PRICES = { command: "market", network: "NEM", metrics: ["price"], interval: "1h" };
const DAY = { ...PRICES, date_start: "2025-01-31", date_end: "2025-01-31" };

/** Of a value of the last hour of that day. */
function expectAge(result: Readonly<Record<string, unknown>> | undefined): void {
  const expected = (Date.now() - Date.parse("2025-01-31T23:00:00+10:00")) / 1000;
  expect(Math.abs(Number(result?.["newest_age_seconds"]) - expected)).toBeLessThan(3600);
}

describe("with the sandbox and a folder", () => {
  let home: Home;
  let served: Served;

  beforeAll(async () => {
    home = createHome();
    mkdirSync(home.path("data"));
    served = await serve(home, ["--sandbox", "--folder", "data"]);
  });
  afterAll(() => served.client.close());

  test("the tools have schemas, from the same tables as the flags", async () => {
    const { tools } = await served.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "list_metrics",
      "find_codes",
      "get_data",
      "latest",
      "describe_output",
    ]);
    for (const { inputSchema } of tools) new Ajv().compile(inputSchema);
    const { properties = {} } = tools[2]?.inputSchema ?? {};
    expect(properties["interval"]).toMatchObject({
      type: "string",
      enum: expect.arrayContaining(["5m", "fy"]) as unknown,
    });
    expect(properties["group_by"]).toMatchObject({
      items: { enum: expect.arrayContaining(["region", "fueltech", "facility"]) as unknown },
    });
    expect(served.client.getInstructions()).toContain("## 5. Traps");
  });

  test("metrics and codes are found", async () => {
    const metrics = await served.call("list_metrics", { text: "capture price" });
    expect(metrics.results[0]?.rows?.[0]).toMatchObject({
      metric: "average_price",
      unit: "$/MWh",
      offered_by: "network facilities",
    });
    const codes = await served.call("find_codes", { list: "facilities", text: "wind farms", network_region: ["SA1"] });
    expect(codes.results[0]?.rows?.map(({ facility_code: code }) => code)).toContain("HORNSDALE");
  });

  test("rows come with source, licence, unit, time zone, age, and the command that makes them", async () => {
    const { isError, results } = await served.call("get_data", { ...DAY, network_region: "NSW1" });
    expect(isError).toBe(false);
    const [{ command = "", rows = [], newest_age_seconds: age, ...facts }] = results as [Result];
    expect(facts).toEqual({
      total_rows: 24,
      source: "the sandbox inside ents: synthetic data",
      licence: "not named by the service",
      units: { price: "$/MWh" },
      time_zone: "UTC+10, network time",
      messages: [{ kind: "note", message: "synthetic data (--sandbox)" }],
    });
    expectAge({ newest_age_seconds: age });
    const local = await served.call("get_data", { ...DAY, time_format: "local" });
    expect(local.results[0]).toMatchObject({ newest_age_seconds: null });
    const { stdout } = await home.run([...splitWords(command).slice(1), "-f", "ndjson"]);
    expect(
      stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as object),
    ).toEqual(rows);
  });

  test("of more than 500 rows the first come, with the age of the last, and how to get all", async () => {
    const [result] = (await served.call("get_data", { ...DAY, interval: "5m", group_by: ["region"] })).results;
    expect(result?.rows).toHaveLength(500);
    expect(result).toMatchObject({ total_rows: 1440, left_out: "940 rows after the first 500" });
    expectAge(result);
    expect((await home.run(splitWords(String(result?.["how_to_get_all"])).slice(1))).code).toBe(0);
    expect(readFileSync(home.path("rows.csv"), "utf8").trimEnd().split("\n")).toHaveLength(1441);
  });

  test("the newest values have their age", async () => {
    const [result] = (await served.call("latest", { ...PRICES, interval: "5m", group_by: ["region"] })).results;
    expect(result?.rows).toHaveLength(5);
    expect(result?.rows?.[0]).toMatchObject({ metric: "price", age_seconds: expect.any(Number) as number });
  });

  test("an output is written, updated, and described", async () => {
    const { isError, results } = await served.call("get_data", { ...DAY, output: "price.csv", update: true });
    expect({ isError, file: results[0]?.["file"] }).toEqual({ isError: false, file: home.path("data/price.csv") });
    expect(existsSync(home.path("data/price.csv"))).toBe(true);
    const described = await served.call("describe_output", { output: "price.csv" });
    expect(described.isError).toBe(false);
    expect(described.results[0]?.rows?.[0]).toMatchObject({ added: 24, restated: 0 });
    expect(described.results[1]?.messages[0]?.message).toContain("nothing found");
  });

  test("nothing is written elsewhere", async () => {
    symlinkSync(home.path("elsewhere.csv"), home.path("data/link.csv"));
    symlinkSync(home.folder, home.path("data/up"));
    for (const output of ["../out.csv", home.path("out.csv"), "link.csv", "up/out.csv", "data/none/out.csv", "", "."]) {
      const { isError, results } = await served.call("get_data", { ...DAY, output });
      expect({ isError, results }).toMatchObject({
        isError: true,
        results: [{ messages: [{ kind: "usage", value: output }] }],
      });
    }
    expect(existsSync(home.path("elsewhere.csv")) || existsSync(home.path("out.csv"))).toBe(false);
  });

  test("no value is a flag or a file of values", async () => {
    writeFileSync(home.path("list"), "demand\n");
    for (const value of ["--output=stolen.csv", "-ostolen.csv", "@list"]) {
      const { isError, results } = await served.call("get_data", { ...DAY, metrics: ["price", value] });
      expect(isError).toBe(true);
      expect(results[0]?.messages[0]).toMatchObject({ kind: "usage", exit_code: 2, value });
    }
    expect(existsSync(home.path("stolen.csv"))).toBe(false);
  });

  test("mistakes are told with what is allowed and meant", async () => {
    const message = async (name: string, input: object) => (await served.call(name, input)).results[0]?.messages[0];
    expect(await message("get_data", { ...DAY, metrics: ["pric"] })).toMatchObject({
      value: "pric",
      did_you_mean: ["price", "average_price", "demand_weighted_price"],
    });
    expect(await message("get_data", { ...DAY, fueltech: ["wind"] })).toMatchObject({
      message: 'unknown field "fueltech"',
    });
    expect(await message("get_data", { ...DAY, network: undefined })).toMatchObject({
      message: "the network code is missing",
    });
    expect(await message("get_data", { ...DAY, complete: "yes" })).toMatchObject({
      value: "yes",
      allowed: ["true", "false"],
    });
    expect(await message("get_data", { ...DAY, metrics: [{ a: 1 }] })).toMatchObject({ value: '{"a":1}' });
    expect(await message("find_codes", {})).toMatchObject({ message: "list is missing" });
    expect(await message("no_tool", {})).toMatchObject({ message: 'unknown tool "no_tool"' });
  });
});

test("without a folder nothing can be written; the token is in no result", async () => {
  const home = createHome();
  const service = await startService(() => POWER);
  const { client, call } = await serve(home, ["--base-url", service.url], { ENTS_TOKEN: TOKEN });
  const data = await call("get_data", { command: "network", network: "NEM", metrics: ["power"] });
  expect(data).toMatchObject({
    isError: false,
    results: [{ source: `${service.url}/`, total_rows: expect.any(Number) as number }],
  });
  expect(service.requests[0]?.headers).toMatchObject({ authorization: `Bearer ${TOKEN}` });
  expect(JSON.stringify(data)).not.toContain(TOKEN);
  const output = await call("get_data", { ...DAY, output: "price.csv" });
  expect(output.results[0]?.messages[0]).toMatchObject({ message: 'unknown field "output"' });
  expect((await call("describe_output", { output: "price.csv" })).results[0]?.messages[0]?.message).toBe(
    "there is no folder of outputs",
  );
  await client.close();
});
