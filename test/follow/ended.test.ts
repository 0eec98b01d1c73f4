/** Which intervals count as ended, with wrong clocks and with forecasts. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { createCalendar, findFirstOpenInterval } from "../../src/follow/intervals.ts";
import { draws } from "../support/extent.ts";
import { intervals, readBody } from "../unit/generators.ts";

const OFFSET = 600;
const DAY = 86_400_000;

const shares = fc.double({ min: 0, max: 1, noNaN: true });

/** Ten intervals up to the newest one, at a moment in one of them; clock errors are in intervals. */
const worlds = fc.record({
  interval: intervals,
  day: fc.integer({ min: 12_000, max: 20_000 }),
  into: shares,
  error: fc.oneof(fc.double({ min: -40, max: 40, noNaN: true }), fc.double({ min: -2, max: 2, noNaN: true })),
});

interface Scene {
  readonly calendar: ReturnType<typeof createCalendar>;
  readonly time: number;
  readonly length: number;
  readonly newest: number;
  /** The first interval that does not count as ended; Infinity if all do. */
  readonly judge: (created: number | undefined, now: number) => number;
}

/** `ahead`: by how many intervals the newest one is in the future. */
function setScene(
  { interval, day, into }: { interval: Parameters<typeof createCalendar>[0]; day: number; into: number },
  ahead: number,
): Scene {
  const calendar = createCalendar(interval, OFFSET);
  const underWay = calendar.toInstant(calendar.startOf(day * DAY));
  const length = calendar.endOf(underWay) - underWay;
  const newest = calendar.goBack(underWay, -ahead);
  const starts = Array.from({ length: 10 }, (_, index) => calendar.goBack(newest, 9 - index));
  const timeSeries = readBody(
    JSON.stringify({
      success: true,
      data: [
        {
          network_code: "NEM",
          metric: "power",
          unit: "MW",
          interval,
          network_timezone_offset: "+10:00",
          results: [{ name: "a", columns: {}, data: starts.map((start) => [new Date(start).toISOString(), 1]) }],
        },
      ],
    }),
  );
  const judge: Scene["judge"] = (created, now) => findFirstOpenInterval(timeSeries, calendar, { created, now });
  return { calendar, time: underWay + into * length, length, newest, judge };
}

const property = (check: (scene: Scene, error: number) => void, ahead: fc.Arbitrary<number>) =>
  fc.assert(
    fc.property(worlds, ahead, ({ error, ...world }, buckets) => {
      const scene = setScene(world, buckets);
      check(scene, error * scene.length);
    }),
    { numRuns: draws(500, 10_000) },
  );

const isEarly = ({ calendar, time, newest }: Scene, unended: number) =>
  calendar.endOf(calendar.goBack(Math.min(unended, calendar.endOf(newest)), 1)) > time;

test("no interval is early while one clock is not ahead, whatever the other says, even with a forecast of the next one", () => {
  property(
    (scene, error) => {
      const behind = scene.time - Math.abs(error) / 3;
      for (const right of [scene.time, behind]) {
        for (const unended of [
          scene.judge(right, scene.time + error),
          scene.judge(scene.time + error, right),
          scene.judge(undefined, right),
        ]) {
          expect(isEarly(scene, unended)).toBe(false);
        }
      }
    },
    fc.integer({ min: -3, max: 1 }),
  );
});

test("nor with longer forecasts, if the clock that is ahead is less far ahead than they are", () => {
  property(
    (scene, error) => {
      const [before, far] = [scene.calendar.goBack(scene.newest, 1) - scene.time, scene.newest - scene.time];
      fc.pre(error < before - 1 || error > 2 * far + 1);
      expect(isEarly(scene, scene.judge(scene.time, scene.time + error))).toBe(false);
      expect(isEarly(scene, scene.judge(scene.time + error, scene.time))).toBe(false);
    },
    fc.integer({ min: 2, max: 8 }),
  );
});

test("with one right clock, and a forecast or none, an interval waits for at most the third after it", () => {
  property(
    (scene, error) => {
      const third = scene.calendar.goBack(scene.newest, 3);
      for (const unended of [
        scene.judge(scene.time, scene.time + error),
        scene.judge(scene.time + error, scene.time),
      ]) {
        expect(unended).toBeGreaterThan(third);
      }
    },
    fc.integer({ min: -1, max: 1 }),
  );
});
