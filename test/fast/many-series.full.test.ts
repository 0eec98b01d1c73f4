/** Very many series in one response: they take seconds, and are never spread into a call's arguments. */
import { describe, expect, test } from "vitest";
import { decodeBody } from "../../src/decode/decode.ts";
import { type FormatName, type PrintOptions, printSeries } from "../../src/index.ts";
import { isKnown } from "../../src/series/decoded-response.ts";
import { mergeWindows } from "../../src/series/merge.ts";
import { readResponse } from "../../src/source/read-response.ts";
import { TOKEN } from "../e2e/envelopes.ts";
import { LONG } from "../support/extent.ts";
import { createHome } from "../support/run-ents.ts";
import { startService } from "../support/scripted-service.ts";

/** More than a call takes as arguments. */
const MANY = 130_000;

const timestampOf = (step: number) =>
  `${new Date(Date.UTC(2025, 0, 1) + step * 300_000).toISOString().slice(0, 19)}+10:00`;
/** How many have timestamps of their own. */
const APART = LONG ? MANY : 6000;
const timestamps = Array.from({ length: APART }, (_, step) => timestampOf(step));

interface Sketch {
  readonly count?: number;
  readonly labels: (index: number) => object;
  /** The steps at which a series has a point. */
  readonly steps: (index: number) => readonly number[];
  readonly value?: (index: number) => string;
}

function bodyOf({ count = MANY, labels, steps, value = String }: Sketch): Buffer {
  const results = Array.from({ length: count }, (_, index) => {
    const points = steps(index).map((step) => `["${timestamps[step] as string}",${value(index)}]`);
    return `{"name":"x","columns":${JSON.stringify(labels(index))},"data":[${points.join(",")}]}`;
  });
  return wrap(results.join(","));
}

function wrap(results: string): Buffer {
  const item = `{"network_code":"NEM","metric":"power","unit":"MW","network_timezone_offset":"+10:00","results":[${results}]}`;
  return Buffer.from(`{"version":"4","created_at":"2025-02-01T00:00:00Z","success":true,"data":[${item}]}`);
}

/** The lines of several windows, merged and printed. */
async function print(
  bodies: readonly Buffer[],
  options: Partial<PrintOptions> & { format: FormatName },
): Promise<string[]> {
  async function* answer() {
    for (const body of bodies) yield [decodeBody(body)].filter(isKnown);
  }
  const parts: string[] = [];
  for await (const part of printSeries(
    mergeWindows(answer(), () => {}),
    { metrics: ["power"], ...options },
  )) {
    parts.push(Buffer.from(part).toString("utf8"));
  }
  return parts.join("").trimEnd().split("\n");
}

const unit = (index: number) => ({ unit_code: `U${index}` });

describe(`${MANY} series`, () => {
  test
    .runIf(LONG)
    .each(
      (["csv", "tsv", "ndjson", "table"] as const).flatMap((format) => [
        [format, "long"] as const,
        [format, "wide"] as const,
      ]),
    )("in two windows, as %s %s", async (format, shape) => {
    const windows = [bodyOf({ labels: unit, steps: () => [0, 1] }), bodyOf({ labels: unit, steps: () => [1, 2] })];
    const lines = await print(windows, { format, shape });
    expect(lines.length - 3 * MANY).toBe({ csv: 1, tsv: 1, ndjson: 0, table: 5 }[format]);
  });

  test.runIf(LONG)("with the same labels", async () => {
    const lines = await print([bodyOf({ labels: () => ({}), steps: () => [0] })], { format: "csv", shape: "wide" });
    expect(new Set(lines).size).toBe(1 + MANY);
  });
});

describe("more series than a response may have", () => {
  const count = 200_001;
  /** Identical points, which are fast to make. */
  const repeat = (points: string, times = count) =>
    wrap(Array<string>(times).fill(`{"name":"x","columns":{},"data":[${points}]}`).join(","));
  const POINT = `["${timestampOf(0)}",1]`;
  const bodies: readonly [name: string, points: string][] = [
    ["without points", ""],
    ["with points", POINT],
    ["with texts for values", `["${timestampOf(0)}","1"]`],
  ];
  test.each(bodies)("%s are refused", (_, points) => {
    expect(() => decodeBody(repeat(points))).toThrow("the response has more than 200,000 series, the maximum");
    expect(decodeBody(repeat(points, 3))).toHaveProperty("timeSeries");
  });

  test("are an error of the response, with advice", async () => {
    const service = await startService([{ body: repeat(POINT) }]);
    const env = { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url };
    expect(await createHome().run(["network", "NEM", "-m", "power", "-f", "csv"], { env })).toMatchObject({
      code: 4,
      stdout: "",
      stderr:
        "ents: the response has more than 200,000 series, the maximum\n" +
        "      ask for fewer metrics, facilities or units at a time, and check that the base address (--base-url) is that of a v4 service\n",
    });
  });
});

describe("signals do not wait", () => {
  const POINTS = LONG ? 1_500_000 : 600_000;

  test.each([
    ["series", bodyOf({ count: LONG ? MANY : 60_000, labels: unit, steps: () => [0] })],
    [
      "texts for values",
      bodyOf({
        count: 20_000,
        labels: unit,
        steps: (index) => [index % 5, 5 + (index % 5)],
        value: (index) => `"${index}"`,
      }),
    ],
    [
      "points",
      bodyOf({
        count: 1,
        labels: unit,
        steps: () => Array.from({ length: POINTS }, (_, index) => Math.floor((index * APART) / POINTS)),
      }),
    ],
  ])("for a response of many %s to be read", async (_, body) => {
    let turns = 0;
    let isRead = false;
    const count = () => {
      turns++;
      if (!isRead) setImmediate(count);
    };
    setImmediate(count);
    await readResponse({ status: 200, retryAfter: undefined, gzip: false, bytes: body, receivedAt: 0 });
    isRead = true;
    expect(turns).toBeGreaterThan(3);
  });

  test("SIGTERM ends the command while it works on very many series", async () => {
    const body = bodyOf({ count: 199_000, labels: unit, steps: () => [0] });
    const service = await startService(() => ({ body }));
    const env = { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url };
    const { child, finished } = createHome().start(["network", "NEM", "-m", "power", "-f", "csv", "-o", "out.csv"], {
      env,
    });
    await service.received(1);
    await new Promise((resolve) => setTimeout(resolve, 300));
    child.kill("SIGTERM");
    expect(await finished).toMatchObject({ code: 143, stdout: "" });
  });
});

describe("series with hardly a timestamp in common", () => {
  /** Each series has a point of its own, and every seventh one at the end. */
  const count = APART;
  const steps = (index: number) => [(index * 7919) % count, ...(index % 7 === 0 ? [count + 1] : [])];
  timestamps[count + 1] ??= timestampOf(count + 1);
  const expected = Array.from({ length: count }, (_, index) =>
    steps(index).map((step) => ({ step, name: `U${index}`, index })),
  )
    .flat()
    .sort((a, b) => a.step - b.step || (a.name < b.name ? -1 : 1))
    .map(({ step, name, index }) => `${timestamps[step] as string},NEM,power,MW,${name},${index}`);

  test.each([
    ["fast", String],
    ["plain", (index: number) => `"${index}"`],
  ] as const)("are in order, the %s way", async (_, value) => {
    const lines = await print([bodyOf({ count, labels: unit, steps, value })], { format: "csv" });
    expect(lines.length).toBe(1 + expected.length);
    expect(lines.slice(1).every((line, index) => line === expected[index])).toBe(true);
  });
});

describe("labels, units and networks that are long together", () => {
  const LABELS = ["a", "b", "c", "d", "e", "f"];
  const long = (character: string) => character.repeat(70_000);
  const item = (value: string) => {
    const labels = JSON.stringify(Object.fromEntries(LABELS.map((name) => [name, long(name)])));
    const results = `[{"name":"x","columns":${labels},"data":[["${timestampOf(0)}",${value}],["${timestampOf(1)}",${value}]]}]`;
    return `{"network_code":"${long("N")}","metric":"power","unit":"${long("M")}","results":${results}}`;
  };
  const body = (value: string) =>
    Buffer.from(`{"version":"4","created_at":"2025-02-01T00:00:00Z","success":true,"data":[${item(value)}]}`);

  const cases = (["csv", "tsv", "ndjson", "table", "json"] as const).flatMap((format) =>
    (["long", "wide"] as const).flatMap((shape) => ["1.50", '"1.50"'].map((value) => [format, shape, value] as const)),
  );
  test.each(cases)("are written in full, as %s %s, of %s", async (format, shape, value) => {
    const text = (await print([body(value)], { format, shape })).join("\n");
    // A table shows what never changes only once.
    const isOnce = format === "json" || format === "table";
    const wanted = [...LABELS, "N", ...(shape === "long" || format === "json" ? ["M"] : [])];
    for (const character of wanted)
      expect(text.split(long(character)).length - 1).toBeGreaterThanOrEqual(isOnce ? 1 : 2);
    expect(text.match(format === "table" ? /1\.50?$/gm : /1\.50/g)).toHaveLength(2);
  });
});
