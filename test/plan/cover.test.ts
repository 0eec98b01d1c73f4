/** Kept answers and missing windows tile a window exactly, whatever windows the answers came in. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { INTERVALS } from "../../src/base/intervals.ts";
import { type ReceivedWindow, cover } from "../../src/kept/cover.ts";
import { bucketStart, nextBucketStart } from "../../src/time/buckets.ts";
import { DAY, HOUR, MINUTE } from "../../src/time/local-time.ts";
import { draws } from "../support/extent.ts";

const START = Date.UTC(2024, 0, 1);
const STEP = 5 * MINUTE;
const intervals = fc.constantFrom("5m", "1h", "1d", "7d", "1M", "season", "1y") satisfies fc.Arbitrary<keyof typeof INTERVALS>;
/** Over two years; on bucket starts, on midnights, a second before them, or anywhere. */
const instants = fc
  .tuple(fc.nat(730), fc.constantFrom(0, 0, 0, -1000, 7 * HOUR, 7 * HOUR + 3 * STEP))
  .map(([day, off]) => START + day * DAY + off);
const windows = fc.tuple(instants, instants).map(([a, b]) => ({ start: Math.min(a, b), end: Math.max(a, b) + STEP }));
const candidates = fc.array(fc.record({ window: windows, receivedAt: fc.nat(1_000_000), run: fc.constant(0) }), { maxLength: 12 });
const wishes = fc.record({ interval: intervals, window: windows, isOpen: fc.boolean() });

test("they tile it, each bucket is from the newest response that has it complete, and only what none has is missing", () => {
  const check = ({ interval, window, isOpen }: typeof wishes extends fc.Arbitrary<infer T> ? T : never, kept: ReceivedWindow[]) => {
    const facts = INTERVALS[interval];
    const bucket = "splits" in facts ? facts.splits : facts.bucket;
    const wanted = { start: window.start, end: isOpen ? undefined : window.end };
    const pieces = cover(wanted, kept, bucket);
    expect(pieces[0]?.from).toBe(wanted.start);
    expect(pieces.at(-1)?.until).toBeGreaterThan(isOpen ? Number.MAX_SAFE_INTEGER : window.end);
    for (const { from, until } of pieces) expect(from).toBeLessThan(until);
    for (const { from } of pieces) expect(from).toBeLessThanOrEqual(isOpen ? from : window.end);
    expect(pieces.slice(1).map(({ from }) => from)).toEqual(pieces.slice(0, -1).map(({ until }) => until));
    for (const { from, until, answer } of pieces) {
      const [first, last] = [from, Math.min(until, window.end)];
      for (const at of [first, (first + last) / 2, last - 1]) {
        if (at < first) continue;
        // Seasons are only split between years.
        const unit = interval === "season" ? "1y" : interval;
        const [begin, next] = [bucketStart(unit, at), nextBucketStart(unit, at) - 1000];
        const startsRight = (start = 0) => (begin < wanted.start ? start === wanted.start : start <= begin);
        const endsRight = (end = 0) => end === wanted.end || (next > (wanted.end ?? next) ? false : end >= next);
        const able = kept.filter((one) => startsRight(one.window.start) && endsRight(one.window.end));
        const newest = Math.max(...able.map(({ receivedAt }) => receivedAt));
        expect(answer?.receivedAt).toBe(able.length === 0 ? undefined : newest);
      }
    }
  };
  fc.assert(fc.property(wishes, candidates, check), { numRuns: draws(300, 20_000) });
});

test("a response to exactly the window is all of it; an open one covers nothing, as it has no end", () => {
  const wanted = { start: START + 7, end: START + 9 * DAY + 7 };
  const { bucket } = INTERVALS["1d"];
  const exact = { window: wanted, receivedAt: 1, run: 0 };
  expect(cover(wanted, [exact], bucket)).toEqual([{ from: wanted.start, until: Number.POSITIVE_INFINITY, answer: exact }]);
  const open = { window: { start: wanted.start, end: undefined }, receivedAt: 1, run: 0 };
  expect(cover(wanted, [open], bucket)).toEqual([{ from: wanted.start, until: Number.POSITIVE_INFINITY, answer: undefined }]);
});

test("if a newer response continues after the window, nothing of an older one is left at its end", () => {
  const wanted = { start: START, end: START + DAY - 1000 };
  const exact = { window: wanted, receivedAt: 1, run: 0 };
  const newer = { window: { start: START, end: START + 9 * DAY }, receivedAt: 2, run: 0 };
  expect(cover(wanted, [exact, newer], INTERVALS["1h"].bucket)).toEqual([{ from: START, until: START + DAY, answer: newer }]);
});
