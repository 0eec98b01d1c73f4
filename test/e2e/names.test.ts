/**
 * Names that a service may choose and that could clash: those of ents' columns and of members of every JavaScript
 * object.
 */
import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { createHome } from "../support/run-ents.ts";
import { startService } from "../support/scripted-service.ts";
import { TOKEN } from "./envelopes.ts";

const NAMES = [
  "constructor",
  "toString",
  "__proto__",
  "network",
  "timestamp",
  "metric",
  "unit",
  "value",
  "network_label",
  "price",
];
const STAMP = "2025-01-01T00:00:00+10:00";

const LABELS = NAMES.map((name) => `${JSON.stringify(name)}:"${name}!"`).join(",");

/**
 * One series without labels and one with all; the spelling of `timestamp` decides whether points are decoded the fast
 * or the slow way.
 */
function bodyOf(timestamp: string, { network = "NEM", metric = "price", unit = "$/MWh" } = {}): string {
  const series = ["", LABELS].map((columns) => `{"name":"x","columns":{${columns}},"data":[["${timestamp}",40.0]]}`);
  const item = `{"network_code":"${network}","metric":"${metric}","unit":"${unit}","network_timezone_offset":"+10:00","results":[${series.join(",")}]}`;
  return `{"version":"4","created_at":"2025-01-02T00:00:00Z","success":true,"error":null,"data":[${item}],"total_records":null,"__proto__":1,"constructor":{"__proto__":"x"}}`;
}

async function run(args: readonly string[], body: string) {
  const service = await startService(() => ({ body, headers: { "content-type": "application/json" } }));
  const result = await createHome().run(["market", "NEM", "-m", "price", "-g", "region", "--last", "1d", ...args], {
    env: { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url },
  });
  expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 0, stderr: "" });
  return result.stdout;
}

/** The keys of a line of ndjson, including repeated ones. */
const keysOf = (line: string) =>
  [...line.matchAll(/[{,]("(?:[^"\\]|\\.)*"):/g)].map(([, key]) => JSON.parse(key as string) as string);

const WAYS = [
  ["fast", STAMP],
  ["plain", STAMP.replace("+", "\\u002b")],
] as const;

describe.each(WAYS)("labels of any name, read the %s way, have their own columns", (_, timestamp) => {
  const suffixed = [
    [
      "constructor",
      "toString",
      "__proto__",
      "network_label_label",
      "timestamp_label",
      "metric_label",
      "unit_label",
      "value_label",
    ],
    ["network_label"],
  ].flat();
  const long = ["timestamp", "network", "metric", "unit", ...suffixed, "price", "value"];
  const wide = ["timestamp", "network", ...suffixed, "price_label", "price"];
  const cells = NAMES.map((name) => `${name}!`);
  const none = NAMES.map(() => "");

  test.each([
    ["csv", "long", long],
    ["csv", "wide", wide],
    ["tsv", "long", long],
    ["tsv", "wide", wide],
  ] as const)("%s %s", async (format, shape, header) => {
    const text = await run(["-f", format, "--shape", shape], bodyOf(timestamp));
    const constants = shape === "long" ? [STAMP, "NEM", "price", "$/MWh"] : [STAMP, "NEM"];
    expect(parse(text, { delimiter: format === "csv" ? "," : "\t" })).toEqual([
      header,
      [...constants, ...none, "40.0"],
      [...constants, ...cells, "40.0"],
    ]);
  });

  test.each([
    ["long", long],
    ["wide", wide],
  ] as const)("ndjson %s", async (shape, header) => {
    const lines = (await run(["-f", "ndjson", "--shape", shape], bodyOf(timestamp))).trimEnd().split("\n");
    expect(lines.map(keysOf)).toEqual([header, header]);
    const records = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    for (const [index, name] of NAMES.entries()) {
      const column = header[header.length - NAMES.length - 1 + index] as string;
      expect(records.map((record) => Object.entries(record).find(([key]) => key === column)?.[1])).toEqual([
        null,
        `${name}!`,
      ]);
    }
  });

  test.each([
    ["long", long],
    ["wide", wide],
  ] as const)("table %s", async (shape, header) => {
    const [titles, , first, second] = (await run(["-f", "table", "--shape", shape], bodyOf(timestamp))).split("\n");
    const constants = ["network", "metric", "unit"];
    expect(titles?.replace(" ($/MWh)", "").split(/ +/)).toEqual(header.filter((name) => !constants.includes(name)));
    expect(first?.split(/ {2,}/)).not.toContain("constructor!");
    expect(second?.split(/ {2,}/)).toEqual(expect.arrayContaining(cells) as string[]);
  });

  test("json has what came", async () => {
    const text = await run(["-f", "json"], bodyOf(timestamp));
    expect(JSON.parse(text)).toEqual(JSON.parse(bodyOf(timestamp)));
    expect(text).toContain('"__proto__": 1');
    expect(text).toContain('"constructor": {"__proto__":"x"}');
    expect(text).toContain(`{${LABELS}}`);
  });
});

test.each(["__proto__", "constructor", "toString"])(
  "%s is a network, a metric, a unit and a label's value like any other",
  async (name) => {
    const body = bodyOf(STAMP, { network: name, metric: name, unit: name }).replaceAll(
      '"price!"',
      JSON.stringify(name),
    );
    expect((await run(["--no-header"], body)).split("\n")[1]).toMatch(
      new RegExp(`^${STAMP.replace("+", "\\+")},${name},${name},${name},.*,${name},40\\.0$`),
    );
    const [header, row] = parse(await run(["--shape", "wide"], body));
    expect(header?.slice(-2)).toEqual(["price", name]);
    expect([row?.[1], row?.at(-1)]).toEqual([name, "40.0"]);
  },
);
