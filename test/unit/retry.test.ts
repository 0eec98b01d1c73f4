import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isRetryableStatus, parseRetryAfter, retryDelay, type RetryPolicy } from "../../src/source/retry.ts";

const now = Date.parse("2025-03-06T05:30:20Z");

describe("parseRetryAfter", () => {
  test.each([
    ["0", 0],
    ["7", 7000],
    [" 120 ", 120_000],
    ["Thu, 06 Mar 2025 05:30:50 GMT", 30_000],
    ["Thu, 06 Mar 2025 05:30:20 GMT", 0],
    ["Thu, 06 Mar 2025 05:00:00 GMT", 0],
    ["1741239050", 30_000],
    ["1741239050123", 30_123],
    ["1741230000", 0],
    ["Thursday, 06-Mar-25 05:31:20 GMT", 60_000],
  ])("%j is %d ms", (header, ms) => {
    expect(parseRetryAfter(header, now)).toBe(ms);
  });

  test.each([undefined, "", " ", "soon", "5s", "10 seconds", "1e3", "NaN", "Infinity", "0x10", "1,000"])(
    "%j is neither",
    (header) => {
      expect(parseRetryAfter(header, now)).toBeUndefined();
    },
  );

  test("seconds and the equivalent date are the same wait", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000 }), (wait) => {
        const date = new Date(now + wait * 1000).toUTCString();
        expect(parseRetryAfter(date, now)).toBe(parseRetryAfter(String(wait), now));
      }),
    );
  });
});

const policies: fc.Arbitrary<RetryPolicy> = fc.record({
  retries: fc.integer({ min: 0, max: 20 }),
  baseMs: fc.integer({ min: 1, max: 5000 }),
  maxMs: fc.integer({ min: 1, max: 60_000 }),
  maxRetryAfterMs: fc.integer({ min: 0, max: 200_000 }),
});
const randoms = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const failureCounts = fc.integer({ min: 1, max: 25 });

describe("retryDelay", () => {
  test("gives up after the policy's number of tries, or if the service asks for a longer wait than the policy's", () => {
    const asked = fc.option(fc.integer({ min: 0, max: 1_000_000 }), { nil: undefined });
    fc.assert(
      fc.property(
        policies,
        fc.record({ failures: failureCounts, retryAfterMs: asked, random: randoms }),
        (policy, moment) => {
          const { failures, retryAfterMs = 0 } = moment;
          expect(retryDelay(moment, policy) === undefined).toBe(
            failures > policy.retries || retryAfterMs > policy.maxRetryAfterMs,
          );
        },
      ),
    );
  });

  test("waits as long as the service asks", () => {
    fc.assert(
      fc.property(policies, fc.integer({ min: 0, max: 1_000_000 }), randoms, (policy, retryAfterMs, random) => {
        fc.pre(retryAfterMs <= policy.maxRetryAfterMs);
        expect(retryDelay({ failures: 1, retryAfterMs, random }, { ...policy, retries: 1 })).toBe(retryAfterMs);
      }),
    );
  });

  test("otherwise waits from nothing to a ceiling that doubles up to its cap", () => {
    const policy: RetryPolicy = { retries: 10, baseMs: 500, maxMs: 3000, maxRetryAfterMs: 0 };
    const delays = (random: number) =>
      [1, 2, 3, 4, 5, 10].map((failures) => retryDelay({ failures, retryAfterMs: undefined, random }, policy));
    expect(delays(0)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(delays(0.5)).toEqual([250, 500, 1000, 1500, 1500, 1500]);
    expect(delays(1 - Number.EPSILON)).toEqual([500, 1000, 2000, 3000, 3000, 3000]);
  });

  test("grows with the random number and stays within its bounds", () => {
    fc.assert(
      fc.property(policies, failureCounts, fc.tuple(randoms, randoms), (policy, failures, [one, other]) => {
        const delay = (random: number) =>
          retryDelay({ failures, retryAfterMs: undefined, random }, { ...policy, retries: 25 }) as number;
        const [low, high] = [delay(Math.min(one, other)), delay(Math.max(one, other))];
        expect(low).toBeGreaterThanOrEqual(0);
        expect(low).toBeLessThanOrEqual(high);
        expect(high).toBeLessThanOrEqual(policy.maxMs);
      }),
    );
  });
});

test("temporary failures are retried, others are not", () => {
  expect([408, 429, 500, 502, 503, 504].filter((status) => !isRetryableStatus(status))).toEqual([]);
  expect([200, 301, 400, 401, 403, 404, 410, 416, 422, 501, 505].filter(isRetryableStatus)).toEqual([]);
});
