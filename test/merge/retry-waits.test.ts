/** A series of failures: the total wait is bounded, and every header gives a wait or none. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DEFAULT_RETRY, parseRetryAfter, type RetryPolicy, retryDelay } from "../../src/source/retry.ts";
import { draws } from "../support/extent.ts";

const policies: fc.Arbitrary<RetryPolicy> = fc.record({
  retries: fc.integer({ min: 1, max: 40 }),
  baseMs: fc.integer({ min: 1, max: 5000 }),
  maxMs: fc.integer({ min: 1, max: 60_000 }),
  maxRetryAfterMs: fc.integer({ min: 0, max: 200_000 }),
});
const randoms = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

/** The waits after each failure, until the policy gives up. */
function listWaits(policy: RetryPolicy, random: () => number): number[] {
  const waits: number[] = [];
  for (let failures = 1; ; failures++) {
    const wait = retryDelay({ failures, retryAfterMs: undefined, random: random() }, policy);
    if (wait === undefined) return waits;
    waits.push(wait);
  }
}

describe("a series of failures", () => {
  test("ends after as many waits as the policy has retries", () => {
    fc.assert(
      fc.property(policies, randoms, (policy, random) => {
        expect(listWaits(policy, () => random)).toHaveLength(policy.retries);
      }),
    );
  });

  test("doubles its longest wait from one to the next, until the cap holds it", () => {
    fc.assert(
      fc.property(policies, (policy) => {
        const ceilings = listWaits(policy, () => 1 - Number.EPSILON);
        expect(ceilings[0]).toBe(Math.min(policy.baseMs, policy.maxMs));
        for (const [index, ceiling] of ceilings.slice(1).entries()) {
          expect(ceiling).toBe(Math.min(2 * (ceilings[index] as number), policy.maxMs));
        }
      }),
    );
  });

  test("spreads each wait evenly over its whole range: full jitter", () => {
    fc.assert(
      fc.property(policies, fc.integer({ min: 1, max: 40 }), randoms, (policy, failures, random) => {
        const wait = (chance: number) =>
          retryDelay({ failures, retryAfterMs: undefined, random: chance }, { ...policy, retries: 40 }) as number;
        expect(Math.abs(wait(random) - random * wait(1 - Number.EPSILON))).toBeLessThanOrEqual(1);
      }),
    );
  });

  test("waits no longer than 7.5 s in all by default", () => {
    expect(listWaits(DEFAULT_RETRY, () => 1 - Number.EPSILON)).toEqual([500, 1000, 2000, 4000]);
  });
});

describe("parseRetryAfter", () => {
  const now = Date.parse("2025-03-06T05:30:20Z");
  const moments = fc
    .integer({ min: Date.UTC(1995, 0) / 1000, max: Date.UTC(2069, 0) / 1000 })
    .map((second) => second * 1000);

  test("makes a wait or nothing of any header", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[ \d.,:GMT+-]*$/)), (header) => {
        expect(parseRetryAfter(header, now) ?? 0).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: draws(150, 500) },
    );
  });

  test("reads an HTTP date of any moment in all three of its forms, and does not wait for a past one", () => {
    fc.assert(
      fc.property(moments, moments, (moment, current) => {
        const date = new Date(moment).toUTCString();
        const [, day, month, year, time] = /^\w+, (\d+) (\w+) (\d+) (\S+) GMT$/.exec(date) as unknown as string[];
        const weekday = new Date(moment).toLocaleDateString("en-US", { weekday: "long", timeZone: "UTC" });
        const old = `${weekday}, ${day}-${month}-${year?.slice(2)} ${time} GMT`;
        const oldest = `${weekday.slice(0, 3)} ${month} ${day?.replace(/^0/, " ")} ${time} ${year}`;
        const wait = Math.max(0, moment - current);
        expect(parseRetryAfter(date, current)).toBe(wait);
        expect(parseRetryAfter(oldest, current)).toBe(wait);
        // Two-digit years are read as 1950 to 2049.
        const near = new Date(moment).getUTCFullYear() < 2050;
        expect(near ? parseRetryAfter(old, current) : wait).toBe(wait);
      }),
    );
  });

  test("reads seconds of up to thirty years, also with a fraction", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 9 - 1 }), fc.integer({ min: 0, max: 999 }), (seconds, fraction) => {
        const wait = parseRetryAfter(`${seconds}.${String(fraction).padStart(3, "0")}`, now) as number;
        expect(Math.abs(wait - (seconds * 1000 + fraction))).toBeLessThan(1);
      }),
    );
  });
});
