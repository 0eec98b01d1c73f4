/** Gaps at a split: null for each interval if the service fills gaps, otherwise nothing. */
import { describe, expect, test } from "vitest";
import { decodeBody } from "../../src/decode/decode.ts";
import { planQuery } from "../../src/plan/plan.ts";
import { isKnown } from "../../src/series/decoded-response.ts";
import { Gaps } from "../../src/series/gaps.ts";
import { mergeWindows } from "../../src/series/merge.ts";
import { countPoints } from "../../src/series/overlap.ts";
import { ScannedPoints } from "../../src/series/points.ts";
import { FIVE_MINUTES, STEP } from "./model-intervals.ts";
import { queryFor } from "./cases.ts";
import { answerRequest, type ModelSeries, type ServiceModel } from "./fake-service.ts";
import { FULL } from "../support/extent.ts";
import { OUTPUTS, runExport, runPieces, runWhole, serve } from "./harness.ts";

const START = Date.UTC(2025, 2, 1);
const BUCKETS = 20;
/** Four intervals. */
const MAX_WINDOW = { amount: 20, unit: "minutes" } as const;

type AnyInterval = readonly (readonly [from: number, to: number])[];

/** A series with values in some of the intervals, and null in others. */
function seriesOf(region: string, present: AnyInterval, nulls: AnyInterval = []): ModelSeries {
  const toSteps = (list: AnyInterval) =>
    list.map((ends) => ends.map((bucket) => (START + bucket * FIVE_MINUTES) / STEP) as [number, number]);
  return {
    metric: "power",
    labels: { region },
    present: toSteps(present),
    nulls: toSteps(nulls),
    base: 1,
    slope: 1,
    repeats: 1,
  };
}

function modelOf(series: readonly ModelSeries[], more: Partial<ServiceModel> = {}): ServiceModel {
  return {
    network: "NEM",
    offset: "+10:00",
    interval: "5m",
    series: [seriesOf("A", [[0, BUCKETS]]), ...series],
    inclusiveEnd: false,
    timestamps: "offset",
    edges: ["date_start", "date_end"],
    edgesOf: "item",
    fillsGaps: true,
    namesEmpty: false,
    repeatsApart: false,
    noData: 404,
    ...more,
  };
}

/** B stops inside the first window, and returns two windows later. */
const ABSENT = seriesOf("B", [
  [0, 3],
  [9, BUCKETS],
]);
/** C has a gap inside the first window, D inside the fourth. */
const EARLY = seriesOf("C", [
  [0, 1],
  [2, 4],
]);
const LATE = seriesOf("D", [
  [0, 13],
  [14, BUCKETS],
]);
/** B has no data around the first split. */
const AT_CUT = seriesOf("B", [
  [0, 3],
  [6, BUCKETS],
]);

type Kind = readonly [name: string, model: ServiceModel];

const IN_TIME: readonly Kind[] = [
  ["at a cut, of a service that shows at once that it fills gaps", modelOf([AT_CUT, EARLY])],
  ["the same, with an inclusive end", modelOf([AT_CUT, EARLY], { inclusiveEnd: true })],
  ["of a service that shows at once that it does not fill them", modelOf([AT_CUT, EARLY], { fillsGaps: false })],
  [
    "of one that does not fill them, but has nulls of its own",
    modelOf([AT_CUT, EARLY, seriesOf("D", [[0, 4]], [[1, 2]])], { fillsGaps: false }),
  ],
];
const TOO_LATE: readonly Kind[] = [
  ["over a whole window", modelOf([ABSENT, EARLY])],
  ["of a service that shows late that it fills gaps", modelOf([AT_CUT, LATE])],
  ["both", modelOf([ABSENT, LATE])],
  [
    "of a service that shows late that it does not fill them",
    modelOf([AT_CUT, seriesOf("C", [[0, 4]], [[1, 2]]), LATE], { fillsGaps: false }),
  ],
];
/** B has no data around the first split, for less than a window. */
const SHORT = seriesOf("B", [
  [0, 3],
  [5, BUCKETS],
]);
const UNSHOWN: readonly Kind[] = [
  ["that one more request shows: of a service that fills gaps", modelOf([SHORT])],
  ["the same, with an inclusive end", modelOf([SHORT], { inclusiveEnd: true })],
  ["that one more request shows: of a service that does not fill them", modelOf([SHORT], { fillsGaps: false })],
  [
    "that one more request shows, beside one that is longer than a window",
    modelOf([{ ...AT_CUT, labels: { region: "A2" } }, SHORT]),
  ],
];
const WITH_COLUMNS: Kind = [
  "of several series, with labels that come late",
  modelOf([ABSENT, { ...EARLY, labels: { renewable: true } }, LATE]),
];

const queryOf = (model: ServiceModel) =>
  queryFor(model, { start: START, end: START + BUCKETS * FIVE_MINUTES - 1000 }, ["power"]);

const KINDS = [...IN_TIME, ...UNSHOWN, ...TOO_LATE, WITH_COLUMNS];

describe.each(KINDS)("a gap %s", (name, model) => {
  const kind = KINDS.findIndex(([one]) => one === name);
  // A quick run tests each output with two or three kinds, and each kind with about four outputs.
  test.each(OUTPUTS.filter((_, index) => FULL || index % 4 === kind % 4))(
    "is as in a single response, as %s %s",
    async (...output) => {
      const whole = await runWhole(queryOf(model), serve(model, { seed: 1, plain: true }), output);
      const pieces = await runPieces({
        query: queryOf(model),
        send: serve(model, { seed: 2 }),
        output,
        maxWindow: MAX_WINDOW,
      });
      expect(pieces).toMatchObject({ text: whole.text, warnings: [] });
    },
  );
});

/** The rows of a single response, and what is written to standard output. */
async function stream(model: ServiceModel) {
  const query = queryOf(model);
  const plan = planQuery(query, { now: START, maxWindow: MAX_WINDOW });
  const output = ["csv", "long"] as const;
  const whole = await runWhole(query, serve(model, { seed: 1 }), output);
  return {
    whole,
    run: await runExport({
      query,
      plan,
      send: serve(model, { seed: 3 }),
      maxWindow: MAX_WINDOW,
      output,
      streams: true,
    }),
  };
}

test.each([...IN_TIME, ...UNSHOWN])(
  "if rows cannot be taken back, a gap %s, is as in a single response",
  async (_, model) => {
    const { whole, run } = await stream(model);
    expect(run).toMatchObject({ text: whole.text, warnings: [] });
  },
);

test.each([
  ...IN_TIME.map(([name, model]) => [name, model, 5] as const),
  ...UNSHOWN.map(([name, model]) => [name, model, 6] as const),
])("a gap %s: one request per window, and one more only if necessary", async (_, model, requests) => {
  const paths: string[] = [];
  const serving = serve(model, { seed: 4 });
  const send: typeof serving = (request, signal) => {
    paths.push(request.path);
    return serving(request, signal);
  };
  await runPieces({ query: queryOf(model), send, output: ["csv", "long"], maxWindow: MAX_WINDOW });
  expect(paths).toHaveLength(requests);
  const look = paths.filter((path) =>
    path.includes("date_start=2025-03-01T00%3A10%3A00&date_end=2025-03-01T00%3A29%3A59"),
  );
  expect(look).toHaveLength(requests - 5);
});

test.each(TOO_LATE)("if rows cannot be taken back, a gap %s, is reported once", async (_, model) => {
  const { whole, run } = await stream(model);
  expect(run.warnings).toEqual([
    `rows without a value ${model.fillsGaps ? "are missing" : "were added"} where the window is split ` +
      "(first: power_B, after 2025-03-01T00:10:00+10:00): only later responses show whether the service fills gaps; " +
      "write to a file (-o, without --no-resume), so that ents knows it before the first row",
  ]);
  const isValue = (line: string) => !line.endsWith(",");
  expect(run.text).not.toBe(whole.text);
  expect(run.text.split("\n").filter(isValue)).toEqual(whole.text.split("\n").filter(isValue));
});

test("points stay bytes while gaps are filled", () => {
  const model = modelOf([AT_CUT, EARLY]);
  const [first, second] = [0, 4].map((bucket) => {
    const window = { start: START + bucket * FIVE_MINUTES, end: START + (bucket + 4) * FIVE_MINUTES };
    const { text } = answerRequest(model, {
      ...window,
      metrics: ["power"],
      units: undefined,
      shuffle: (items) => [...items],
    });
    const answer = decodeBody(Buffer.from(text));
    return isKnown(answer) ? answer.timeSeries : [];
  }) as [never, never];
  const gaps = new Gaps({ interval: "5m" });
  gaps.evidence.observe({ timeSeries: first });
  const until = START - 600 * 60_000 + 4 * FIVE_MINUTES;
  const filled = gaps.fill(first, { upcoming: second, from: Number.NEGATIVE_INFINITY, until });
  const points = filled.flatMap(({ series }) => series.map((one) => one.points));
  expect(points.map(({ values }) => values.length)).toEqual([4, 4, 4]);
  expect(points.every((one) => one instanceof ScannedPoints)).toBe(true);
});

/** The response for one day, from a service that fills gaps. */
function answerOf(day: string) {
  const results = Array.from({ length: 3 }, (_, unit) => {
    const data = ["00:00", "00:05", "00:10"].map((clock, index) => [
      `${day}T${clock}:00+10:00`,
      index === 1 ? null : unit,
    ]);
    return { name: `power_${unit}`, columns: { unit_code: `U${unit}` }, data };
  });
  const item = { network_code: "NEM", metric: "power", unit: "MW", interval: "5m", groupings: [], results };
  return [
    decodeBody(
      Buffer.from(JSON.stringify({ version: "4", created_at: "2025-01-01T00:00:00Z", success: true, data: [item] })),
    ),
  ];
}

test("a gap of all series is filled in many chunks", async () => {
  async function* windows() {
    yield answerOf("2025-01-01");
    for (let empty = 0; empty < 20; empty++) yield await Promise.resolve([]);
    yield answerOf("2025-06-01");
  }
  const counts: number[] = [];
  for await (const { timeSeries } of mergeWindows(windows(), () => {}, { gaps: new Gaps({ interval: "5m" }) }))
    counts.push(countPoints(timeSeries));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(3 * (151 * 288 + 3));
  expect(Math.max(...counts)).toBeLessThan(3 * 9 * 288);
});

test("anything longer than the window is not a gap, and costs nothing", async () => {
  async function* windows() {
    yield answerOf("0200-01-01");
    yield await Promise.resolve(answerOf("9900-01-01"));
  }
  const counts: number[] = [];
  const gaps = new Gaps({ interval: "5m", longest: 86_400_000 });
  for await (const { timeSeries } of mergeWindows(windows(), () => {}, { gaps })) counts.push(countPoints(timeSeries));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(18);
  expect(counts.length).toBeLessThan(10);
});
