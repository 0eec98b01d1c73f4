/**
 * Windows that overlap by more than their shared interval, or that disagree about it: what is kept, and what the
 * warning says.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mergeWindows } from "../../src/series/merge.ts";
import { decodeBody } from "../../src/decode/decode.ts";
import type { DecodedResponse } from "../../src/series/decoded-response.ts";
import { joinTimeSeries } from "../../src/series/join.ts";
import { createNumberReader } from "../../src/series/point-operations.ts";
import type { Points } from "../../src/series/points.ts";
import type { TimeSeries } from "../../src/series/time-series.ts";
import { draws } from "../support/extent.ts";

const NAMES = ["power_NSW1", "power_QLD1"];
const FIRST = Date.UTC(2025, 0, 31, 14);

/** The values of one response by series and instant. */
type Said = ReadonlyMap<string, ReadonlyMap<number, string>>;

function timestampOf(step: number): string {
  return `${new Date(FIRST + step * 300_000).toISOString().slice(0, 19)}+10:00`;
}

function readSaid(said: Said): DecodedResponse {
  const results = [...said].map(([name, points]) => {
    const pairs = [...points].map(([step, value]) => `["${timestampOf(step)}",${value}]`);
    return `{"name":"${name}","columns":{"region":"${name.slice(6)}"},"data":[${pairs.join(",")}]}`;
  });
  const item = `{"network_code":"NEM","metric":"power","unit":"MW","network_timezone_offset":"+10:00","results":[${results.join(",")}]}`;
  return decodeBody(Buffer.from(`{"version":"4","created_at":"2025-02-01T00:00:00Z","success":true,"data":[${item}]}`));
}

interface Merged {
  readonly points: Map<string, string>;
  readonly order: number[];
  /** When the points of each response begin. */
  readonly firsts: number[];
  readonly warnings: string[];
}

/** Reads the points at once, in every way that formats do, since their bodies are freed. */
function readPoints(timeSeries: readonly TimeSeries[]): TimeSeries[] {
  for (const { series } of timeSeries) for (const { points } of series) createNumberReader(points);
  const read = ({ timestamps, instants, values }: Points): Points => ({ timestamps, instants, values });
  return timeSeries.map((item) => ({
    ...item,
    series: item.series.map((series) => ({ ...series, points: read(series.points) })),
  }));
}

async function merge(windows: readonly Said[]): Promise<Merged> {
  const warnings: string[] = [];
  const firsts: number[] = [];
  const pieces: (readonly TimeSeries[])[] = [];
  async function* answer() {
    for (const said of windows) yield [readSaid(said)];
  }
  for await (const { timeSeries, heads } of mergeWindows(answer(), (text) => warnings.push(text), {
    releaseBodies: true,
  })) {
    pieces.push(readPoints(timeSeries));
    firsts.push(...heads.flatMap(({ span }) => span?.[0] ?? []));
  }
  const points = new Map<string, string>();
  for (const { series } of joinTimeSeries(pieces)) {
    for (const one of series)
      for (const [index, timestamp] of one.points.timestamps.entries())
        points.set(`${one.fields["name"] as string} ${timestamp}`, one.points.values[index] ?? "null");
  }
  const order = pieces.map((piece) => piece.flatMap(({ series }) => series.flatMap((one) => [...one.points.instants])));
  return {
    points,
    order: order.flatMap((instants) => (instants.length === 0 ? [] : [Math.min(...instants), Math.max(...instants)])),
    firsts,
    warnings,
  };
}

/**
 * The expected result, in the simplest way: the later response wins, and points before a window's start are dropped.
 */
function expectMerged(windows: readonly Said[]): {
  points: Map<string, string>;
  disagreements: string[];
  strays: number[];
} {
  const kept = new Map<string, Map<number, string>>();
  const disagreements: string[] = [];
  const strays: number[] = [];
  let horizon = Number.NEGATIVE_INFINITY;
  let shared = Number.NEGATIVE_INFINITY;
  for (const said of windows) {
    const all = [...said].flatMap(([name, points]) => [...points].map(([step, value]) => ({ name, step, value })));
    const heeded = all.filter(({ step }) => step >= horizon);
    if (heeded.length < all.length) strays.push(all.length - heeded.length);
    for (const { name, step, value } of heeded) {
      const before = kept.get(name)?.get(step);
      if (before !== undefined && before !== value && step !== shared) {
        disagreements.push(
          `two responses disagree on ${name} at ${timestampOf(step)}: ${before} in the earlier, ${value} in the later; using the later`,
        );
      }
    }
    for (const { name, step, value } of heeded)
      kept.set(name, (kept.get(name) ?? new Map<number, string>()).set(step, value));
    if (heeded.length === 0) continue;
    horizon = Math.max(horizon, Math.min(...heeded.map(({ step }) => step)));
    shared = Math.max(shared, ...heeded.map(({ step }) => step));
  }
  const points = new Map(
    [...kept].flatMap(([name, own]) => [...own].map(([step, value]) => [`${name} ${timestampOf(step)}`, value])),
  );
  return { points, disagreements, strays };
}

const drawPoints = (start: number, length: number) =>
  fc
    .array(fc.option(fc.constantFrom("1.0", "2.50", "null"), { nil: undefined, freq: 6 }), {
      minLength: length,
      maxLength: length,
    })
    .map(
      (values) =>
        new Map(values.flatMap((value, index) => (value === undefined ? [] : [[start + index, value] as const]))),
    );

/** Consecutive windows that reach back into earlier ones, some to before their start. */
const overlapping: fc.Arbitrary<Said[]> = fc
  .array(fc.record({ back: fc.integer({ min: -2, max: 9 }), length: fc.integer({ min: 0, max: 8 }) }), {
    minLength: 1,
    maxLength: 5,
  })
  .chain((shapes) => {
    let end = 0;
    const windows = shapes.map(({ back, length }) => {
      const start = Math.max(0, end - back);
      end = Math.max(end, start + length);
      return fc
        .tuple(drawPoints(start, length), drawPoints(start, length))
        .map((both): Said => new Map(NAMES.map((name, index) => [name, both[index as 0 | 1]])));
    });
    return fc.tuple(...windows);
  });

test("a series that has ended needs no later response", async () => {
  const steps = (from: number, to: number) =>
    new Map(Array.from({ length: to - from }, (_, index) => [from + index, "1"]));
  const [ended, carried] = NAMES as [string, string];
  const windows = [
    new Map([
      [ended, steps(0, 3)],
      [carried, steps(0, 9)],
    ]),
    new Map([
      [
        carried,
        new Map(
          [...steps(8, 16)]
            .filter(([step]) => step !== 8)
            .concat([[7, "1"]])
            .toSorted(([a], [b]) => a - b),
        ),
      ],
    ]),
    new Map([[carried, steps(16, 20)]]),
  ];
  const { points } = await merge(windows);
  expect([...points.keys()].filter((key) => key.startsWith(ended))).toHaveLength(3);
  expect([...points.keys()].filter((key) => key.startsWith(carried))).toHaveLength(20);
});

describe("windows that overlap", () => {
  test("keep the later value, and every point that only one of them has", async () => {
    await fc.assert(
      fc.asyncProperty(overlapping, async (windows) => {
        const { points } = await merge(windows);
        expect(Object.fromEntries(points)).toEqual(Object.fromEntries(expectMerged(windows).points));
      }),
      { numRuns: draws(60, 600) },
    );
  });

  test("report every value that differs away from the shared interval: series, timestamp and both values", async () => {
    await fc.assert(
      fc.asyncProperty(overlapping, async (windows) => {
        const told = (await merge(windows)).warnings.filter((text) => text.startsWith("two responses"));
        expect(told.toSorted()).toEqual(expectMerged(windows).disagreements.toSorted());
      }),
      { numRuns: draws(60, 600) },
    );
  });

  test("report how many points came after later ones had been written", async () => {
    await fc.assert(
      fc.asyncProperty(overlapping, async (windows) => {
        const told = (await merge(windows)).warnings.filter((text) => text.startsWith("left out"));
        expect(
          told.map((text) =>
            Number(
              /^left out (\d+) points? \(first: power_\w+ at 2025-0\S+\), which came with a later window/.exec(
                text,
              )?.[1],
            ),
          ),
        ).toEqual(expectMerged(windows).strays);
      }),
      { numRuns: draws(60, 600) },
    );
  });

  test("are in order of time: no chunk begins before the last one has ended, and no response before an earlier one", async () => {
    await fc.assert(
      fc.asyncProperty(overlapping, async (windows) => {
        const { order, firsts } = await merge(windows);
        expect(order).toEqual(order.toSorted((a, b) => a - b));
        expect(firsts).toEqual(firsts.toSorted((a, b) => a - b));
      }),
      { numRuns: draws(40, 300) },
    );
  });
});

test("a value that was restated between two requests is reported", async () => {
  const say = (points: [number, string][]): Said => new Map([["power_NSW1", new Map(points)]]);
  const { points, warnings } = await merge([
    say([
      [0, "1.0"],
      [1, "2.0"],
      [2, "3.0"],
    ]),
    say([
      [1, "2.5"],
      [2, "9.0"],
      [3, "4.0"],
    ]),
  ]);
  expect([...points.values()]).toEqual(["1.0", "2.5", "9.0", "4.0"]);
  expect(warnings).toEqual([
    "two responses disagree on power_NSW1 at 2025-01-31T14:05:00+10:00: 2.0 in the earlier, 2.5 in the later; using the later",
  ]);
});
