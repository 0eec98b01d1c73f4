/** A label that only a later window brings: the header is written anew, or the export stops. */
import { expect, test } from "vitest";
import { ColumnsChanged, encodeWindows } from "../../src/job/encode.ts";
import { resolveOutput } from "../../src/job/output.ts";
import { OUTPUT_OPTIONS } from "../../src/format/output-options.ts";
import { parseOptions } from "../../src/options/parse.ts";
import { fetchWindows } from "../../src/source/windows.ts";
import { planQuery } from "../../src/plan/plan.ts";
import { STEP } from "./buckets.ts";
import { queryFor } from "./cases.ts";
import type { ModelSeries, ServiceModel } from "./fake-service.ts";
import { OUTPUTS, runPieces, runWhole, serve } from "./harness.ts";

const START = Date.UTC(2025, 2, 1);
const FIRST = START / STEP;

function seriesOf(labels: ModelSeries["labels"], from: number, to: number): ModelSeries {
  return { metric: "power", labels, present: [[FIRST + from, FIRST + to]], nulls: [], base: 1, slope: 1, repeats: 1 };
}

const MODEL: ServiceModel = {
  network: "NEM",
  offset: "+10:00",
  interval: "5m",
  series: [
    seriesOf({ region: "NSW1" }, 2, 20),
    seriesOf({ region: "NSW1", fueltech: "wind" }, 9, 14),
    seriesOf({ renewable: true }, 13, 20),
  ],
  inclusiveEnd: true,
  weekStart: 0,
  seasonLabel: "start",
  stamps: "offset",
  edges: ["date_start", "date_end"],
  namesEmpty: false,
  repeatsApart: false,
  noData: 404,
};

const QUERY = queryFor(MODEL, { start: START, end: START + 20 * STEP }, ["power"]);
const MAX_WINDOW = { amount: 20, unit: "minutes" } as const;

test.each(OUTPUTS)("a label that comes late has its column from the first line on, as %s %s", async (...output) => {
  const whole = await runWhole(QUERY, serve(MODEL, { seed: 1 }), output);
  const pieces = await runPieces({ query: QUERY, send: serve(MODEL, { seed: 2 }), output, maxWindow: MAX_WINDOW });
  expect(pieces.text).toBe(whole.text);
  expect(pieces.restarts).toBe(output[0] === "json" || output[0] === "table" ? 0 : 2);
});

test("what is written already is never followed by rows of other columns", async () => {
  const output = await resolveOutput(parseOptions(OUTPUT_OPTIONS, { format: "csv" }), {
    stream: process.stdout,
    isTerminal: false,
    columns: undefined,
    colors: false,
  });
  const facts = { now: START, maxWindow: MAX_WINDOW };
  const options = { query: QUERY, now: START, limits: undefined, concurrency: 3, signal: new AbortController().signal, onReplan: () => {} };
  const windows = fetchWindows(planQuery(QUERY, facts), { ...options, send: serve(MODEL, { seed: 3 }) });
  const columns = { labelLists: [], metrics: ["power"] };
  const texts: string[] = [];
  const write = async () => {
    for await (const text of encodeWindows(windows, { query: QUERY, output, columns, warn: () => {}, count: () => {} })) {
      texts.push(Buffer.from(text).toString("utf8"));
    }
  };
  const changed = await write().then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(changed).toBeInstanceOf(ColumnsChanged);
  expect((changed as ColumnsChanged).columns).toEqual({ labelLists: [["region"], ["region", "fueltech"]], metrics: ["power"] });
  const lines = texts.join("").trimEnd().split("\n");
  expect(lines[0]).toBe("timestamp,network,metric,unit,region,value");
  expect(lines).toHaveLength(1 + 6);
  expect(lines.filter((line) => line.split(",").length !== 6)).toEqual([]);
});
