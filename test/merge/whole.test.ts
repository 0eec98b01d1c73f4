/** The requests of a split window give the same bytes as a single request. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { STEP } from "./model-intervals.ts";
import { type Case, cases, outputs, queryFor, seeds } from "./cases.ts";
import { offsetMs, type ServiceModel, type Shown } from "./fake-service.ts";
import { OUTPUTS, type OutputKind, runPieces, runWhole, serve } from "./harness.ts";
import { draws } from "../support/extent.ts";

interface Drawn extends Case {
  readonly now?: number;
}

async function expectWhole(
  { model, query, limits, ...options }: Drawn,
  output: OutputKind,
  seed: number,
): Promise<void> {
  const clock = options.now === undefined ? {} : { now: options.now };
  const whole = await runWhole(query, serve(model, { seed: seed + 1, plain: true }), output);
  const { onPlan, onAnswer, areClear } = watchHabits();
  const pieces = await runPieces({
    ...options,
    query,
    output,
    onPlan,
    send: serve(model, { limits, seed, ...clock, onAnswer }),
  });
  const isDoubt = (text: string) => text.startsWith("rows without a value may be missing ");
  const isOdd = (text: string) =>
    /^(the service sent |interval_end is empty where intervals overlap|interval_start and interval_end are empty for summers)/.test(
      text,
    );
  expect(pieces.warnings.filter((text) => !isDoubt(text) && !isOdd(text))).toEqual([]);
  fc.pre(areClear(model, { output, isDoubted: pieces.warnings.some(isDoubt), paths: pieces.paths }));
  expect(pieces.text).toBe(whole.text);
}

interface Printed {
  readonly output: OutputKind;
  /** Whether a warning says that gaps may be missing. */
  readonly isDoubted: boolean;
  /** The requests whose responses are in it. */
  readonly paths: readonly string[];
}

/** What the used answers show: whether the service fills gaps, and which timestamps its series name. */
function watchHabits() {
  const all: { readonly shows: Shown; readonly path: string }[] = [];
  let planned = 0;
  return {
    onPlan: () => {
      planned = all.length;
    },
    onAnswer: (shows: Shown, { path }: { readonly path: string }) => void all.push({ shows, path }),
    /** If the responses do not show it, no client can know it. */
    areClear: (
      { fillsGaps, edges, edgesOf }: ServiceModel,
      { output: [format], isDoubted, paths }: Printed,
    ): boolean => {
      // Of the last response, across a gap, only what it shows about gaps is used.
      const isUsed = (name: keyof Shown, path: string, index: number) =>
        paths.includes(path) || (isOfGaps(name) && index >= planned);
      const has = (name: keyof Shown) => all.some(({ shows, path }, index) => shows[name] && isUsed(name, path, index));
      const areGapsClear = fillsGaps
        ? has("innerNull") || !isDoubted
        : has("missing") || !all.some(({ shows }) => shows.innerNull);
      const areEdgesClear = edgesOf !== "window" || !has("lacksItem");
      return areGapsClear && (format !== "json" || !edges || areEdgesClear);
    },
  };
}

function isOfGaps(name: keyof Shown): boolean {
  return name === "innerNull" || name === "missing";
}

/** The same case without the window's end; the window ends now. */
function leaveOpen(drawn: Case): Drawn {
  const { model, query } = drawn;
  const parameters = query.parameters.filter(({ name }) => name !== "date_end");
  const open = { ...query, parameters, window: { start: query.window.start, end: undefined } };
  return {
    ...drawn,
    model: { ...model, edgesOf: "item" },
    query: open,
    now: (query.window.end as number) - offsetMs(model),
  };
}

/** The same case with the service's default interval. */
function leaveInterval(drawn: Case): Drawn {
  const { query } = drawn;
  const parameters = query.parameters.filter(({ name }) => name !== "interval");
  return { ...drawn, query: { ...query, parameters, interval: undefined } };
}

/**
 * The same case with values everywhere, from a minute on. Requests of at least three months, as a single month would
 * teach nothing.
 */
function timestampStart(drawn: Case): Drawn {
  const { model, query, limits, maxWindow } = drawn;
  const times = /^(5m|1h|1d|7d)$/.test(model.interval) ? 1 : 3;
  const lengthen = <T extends Case["maxWindow"]>(limit: T) =>
    typeof limit === "object" ? { ...limit, amount: times * limit.amount } : limit;
  const start = Math.floor((query.window.start as number) / STEP) * STEP;
  const series = model.series.map((one) => ({ ...one, present: [[0, Number.MAX_SAFE_INTEGER]] as const, every: 1 }));
  const window = { start, end: query.window.end as number };
  return {
    ...drawn,
    model: { ...model, series, timestampsStart: true },
    query: queryFor(model, window, query.metrics),
    limits: limits.map(lengthen),
    maxWindow: lengthen(maxWindow),
  };
}

describe("merged equals whole", () => {
  test("over any service, window and limit, in every format", async () => {
    await fc.assert(fc.asyncProperty(cases, outputs, seeds, expectWhole), { numRuns: draws(8, 1000) });
  });

  test.each(OUTPUTS)("as %s %s", async (...output) => {
    await fc.assert(fc.asyncProperty(cases, fc.constant(output), seeds, expectWhole), { numRuns: draws(1, 60) });
  });

  test("with seasons", async () => {
    const seasons = cases.filter(({ model }) => model.interval === "season");
    await fc.assert(fc.asyncProperty(seasons, outputs, seeds, expectWhole), { numRuns: draws(8, 600) });
  });

  test("with an open window", async () => {
    const known = cases.filter(({ model }) => model.network !== "XX");
    await fc.assert(fc.asyncProperty(known.map(leaveOpen), outputs, seeds, expectWhole), { numRuns: draws(4, 400) });
  });

  test("if the service chooses the interval, and names the one of its limit", async () => {
    await fc.assert(fc.asyncProperty(cases.map(leaveInterval), outputs, seeds, expectWhole), {
      numRuns: draws(4, 300),
    });
  });

  test("if an interval that the window's start cuts is stamped with that start", async () => {
    // Not seasons and financial years, whose timestamps are names: two intervals of one response would share one.
    const isClear = ({ interval }: Case["model"]) => interval !== "season" && interval !== "fy";
    const timestamped = cases.filter(({ model }) => isClear(model)).map(timestampStart);
    await fc.assert(fc.asyncProperty(timestamped, outputs, seeds, expectWhole), { numRuns: draws(4, 400) });
  });

  test("in whatever order responses and series come", async () => {
    const check = async (
      { model, query, limits, ...options }: Case,
      output: OutputKind,
      [one, other]: [number, number],
    ) => {
      const run = (seed: number) => runPieces({ ...options, query, output, send: serve(model, { limits, seed }) });
      expect((await run(one)).text).toBe((await run(other)).text);
    };
    await fc.assert(fc.asyncProperty(cases, outputs, fc.tuple(seeds, seeds), check), { numRuns: draws(4, 200) });
  });
});

test("the cases are of all kinds: split, planned again, gaps filled, empty", async () => {
  const seen = { cut: 0, replanned: 0, filled: 0, empty: 0 };
  const check = async ({ model, query, limits, ...options }: Case, seed: number) => {
    let requests = 0;
    const send = serve(model, { limits, seed });
    const counted: typeof send = (...given) => {
      requests++;
      return send(...given);
    };
    const result = await runPieces({ ...options, query, output: ["csv", "long"], send: counted });
    if (requests > 1) seen.cut++;
    if (result.replans > 0) seen.replanned++;
    if (requests > 1 && model.fillsGaps && /,$/m.test(result.text)) seen.filled++;
    if (result.text.split("\n").length <= 2) seen.empty++;
  };
  await fc.assert(fc.asyncProperty(cases, seeds, check), { numRuns: draws(35, 200), seed: 1 });
  expect(Object.entries(seen).filter(([, count]) => count < draws(2, 10))).toEqual([]);
});
