/** A digest has what merging needs of an answer, and shows whether another answer has the same points. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { digestAnswer, openDigest } from "../../src/kept/digest.ts";
import { decodeAnswer, decodeFully } from "../../src/decode/decode.ts";
import { headOf, isKnown, type KnownAnswer } from "../../src/series/answer.ts";
import { Body } from "../../src/series/body.ts";
import { Gaps } from "../../src/series/gaps.ts";
import { draws } from "../support/extent.ts";

const HOUR = 3_600_000;
const START = Date.UTC(2026, 0, 1);

interface Item {
  readonly metric: string;
  readonly series: readonly (readonly (readonly [hour: number, value: string])[])[];
}

function write(items: readonly Item[], created = "2026-01-02T00:00:00Z"): Buffer {
  const stamp = (hour: number) => new Date(START + hour * HOUR).toISOString();
  const data = items.map(({ metric, series }) => {
    const results = series.map((points, index) => {
      const texts = points.map(([hour, value]) => `["${stamp(hour)}", ${value}]`);
      return `{"name":"${metric} ${index}","columns":{"unit_code":"U${index}","share":0.50},"data":[${texts.join(", ")}]}`;
    });
    return `{"network_code":"NEM","metric":"${metric}","unit":"MW","interval":"1h","results":[${results.join(",")}]}`;
  });
  return Buffer.from(
    `{"version":"4.5","created_at":"${created}","success":true,"error":null,"total_records":7,"data":[${data.join(",")}]}`,
  );
}

const value = fc.oneof(fc.constant("null"), fc.constantFrom("1.50", "12345678901234567890.5", "-0", "1e3"), fc.nat(999).map(String));
const points = fc
  .uniqueArray(fc.tuple(fc.nat(40), value), { selector: ([hour]) => hour, maxLength: 30 })
  .map((all) => all.toSorted(([a], [b]) => a - b));
const items = fc.uniqueArray(fc.record({ metric: fc.constantFrom("power", "energy"), series: fc.array(points, { maxLength: 3 }) }), {
  selector: ({ metric }) => metric,
  maxLength: 2,
});

const READERS = [(bytes: Buffer) => decodeAnswer(new Body(bytes)), decodeFully].map((read) => (bytes: Buffer): KnownAnswer => {
  const answer = read(bytes);
  if (!isKnown(answer)) throw answer.problem;
  return answer;
});

/** Drops the points between the second and the last but one, except the last with a value. */
function shorten({ timeSeries }: KnownAnswer) {
  return timeSeries.map(({ series, ...item }) => ({
    ...item,
    series: series.map(({ points: { stamps, instants, values }, ...rest }) => {
      const valued = values.findLastIndex((one) => one !== null);
      const take = <T>(column: Iterable<T>) =>
        [...column].filter((_, index, { length }) => index < 2 || index >= length - 2 || index === valued);
      return { ...rest, stamps: take(stamps), instants: take(instants), values: take(values) };
    }),
  }));
}

function findFills(answer: KnownAnswer): boolean | undefined {
  const gaps = new Gaps({ interval: "1h" });
  gaps.observe(answer);
  return gaps.fills;
}

test("fields, labels, first and last points, digit for digit; what the gaps show; its head", () => {
  const property = fc.property(items, fc.constantFrom(...READERS), (all, read) => {
    const answer = read(write(all));
    const opened = openDigest(digestAnswer(answer, "1h"));
    expect(shorten(opened)).toEqual(shorten(answer));
    expect(findFills(opened)).toBe(findFills(answer));
    expect(headOf(opened)).toEqual(headOf(answer));
  });
  fc.assert(property, { numRuns: draws(50, 5000) });
});

test("two answers have the same hash if they have the same points, whenever they were created", () => {
  const property = fc.property(items, items, fc.constantFrom(...READERS), (some, others, read) => {
    const hash = (all: readonly Item[], created?: string) => digestAnswer(read(write(all, created)), "1h").seen.hash;
    expect(hash(some, "2026-02-03T00:00:00Z")).toBe(hash(some));
    expect(hash(some) === hash(others)).toBe(JSON.stringify(some) === JSON.stringify(others));
  });
  fc.assert(property, { numRuns: draws(50, 5000) });
});

test("one value in the middle that is another gives another hash", () => {
  const hourly = (middle: string): Item[] => [
    { metric: "power", series: [Array.from({ length: 9 }, (_, hour) => [hour, hour === 4 ? middle : "1"])] },
  ];
  for (const read of READERS) {
    const hashes = ["2", "3", "2.0", "null"].map((middle) => digestAnswer(read(write(hourly(middle))), "1h").seen.hash);
    expect(new Set(hashes).size).toBe(4);
  }
});
