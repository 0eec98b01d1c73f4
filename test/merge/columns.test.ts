/** A label that only a later window has: the header is written again, or the export stops. */
import { expect, test } from "vitest";
import { ColumnsChanged } from "../../src/format/encode.ts";
import { planQuery } from "../../src/plan/plan.ts";
import { FIVE_MINUTES, STEP } from "./model-intervals.ts";
import { queryFor } from "./cases.ts";
import type { ModelSeries, ServiceModel } from "./fake-service.ts";
import { createMemory, OUTPUTS, runExport, runPieces, runWhole, serve } from "./harness.ts";

const START = Date.UTC(2025, 2, 1);

function seriesOf(labels: ModelSeries["labels"], from: number, to: number): ModelSeries {
  const stepOf = (bucket: number) => (START + bucket * FIVE_MINUTES) / STEP;
  return { metric: "power", labels, present: [[stepOf(from), stepOf(to)]], nulls: [], base: 1, slope: 1, repeats: 1 };
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
  timestamps: "offset",
  edges: ["date_start", "date_end"],
  namesEmpty: false,
  repeatsApart: false,
  noData: 404,
};

const QUERY = queryFor(MODEL, { start: START, end: START + 20 * FIVE_MINUTES }, ["power"]);
const MAX_WINDOW = { amount: 20, unit: "minutes" } as const;

test.each(OUTPUTS)("a label that appears late has its column from the first line on, as %s %s", async (...output) => {
  const whole = await runWhole(QUERY, serve(MODEL, { seed: 1 }), output);
  const pieces = await runPieces({ query: QUERY, send: serve(MODEL, { seed: 2 }), output, maxWindow: MAX_WINDOW });
  expect(pieces.text).toBe(whole.text);
});

test("written rows are never followed by rows of other columns", async () => {
  const destination = createMemory();
  const plan = planQuery(QUERY, { now: START, maxWindow: MAX_WINDOW });
  const exporting = {
    query: QUERY,
    plan,
    send: serve(MODEL, { seed: 3 }),
    maxWindow: MAX_WINDOW,
    concurrency: 3,
    destination,
    streams: true,
  };
  const error = await runExport({ ...exporting, output: ["csv", "long"] }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    kind: "refused",
    message: expect.stringContaining("after the header was written") as string,
  });
  expect((error as Error).cause).toBeInstanceOf(ColumnsChanged);
  const lines = destination.parts.join("").trimEnd().split("\n");
  expect(lines[0]).toBe("timestamp,network,metric,unit,region,value");
  expect(lines).toHaveLength(1 + 6);
  expect(lines.filter((line) => line.split(",").length !== 6)).toEqual([]);
});
