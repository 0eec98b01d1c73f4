import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRateLimiter } from "../../src/source/client.ts";
import { createClock } from "./clock.ts";
import { draws } from "../support/extent.ts";

const rates = fc.oneof(fc.constantFrom(0.5, 1, 2, 3, 5, 10), fc.double({ min: 0.1, max: 50, noNaN: true }));
const times = fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 25 });
const holds = fc.array(fc.record({ at: fc.integer({ min: 0, max: 20_000 }), ms: fc.integer({ min: 0, max: 8000 }) }), {
  maxLength: 4,
});

interface Schedule {
  readonly rate: number | undefined;
  readonly arrivals: readonly number[];
  readonly holds?: readonly { at: number; ms: number }[];
  readonly late?: () => number;
  /** When each one gives up. */
  readonly aborts?: ReadonlyMap<number, number>;
}

interface Grant {
  /** The index of an arrival. */
  readonly place: number;
  readonly at: number;
}

/** Who was let through and when, and who gave up and when. */
async function runSchedule({
  rate,
  arrivals,
  holds: all = [],
  late,
  aborts,
}: Schedule): Promise<{ grants: Grant[]; refused: Grant[] }> {
  const clock = createClock(late);
  const pace = createRateLimiter(rate, clock);
  const grants: Grant[] = [];
  const refused: Grant[] = [];
  for (const { at, ms } of all) clock.at(at, () => pace.hold(ms));
  for (const [place, arrival] of arrivals.entries()) {
    const controller = new AbortController();
    const abort = aborts?.get(place);
    if (abort !== undefined) clock.at(abort, () => controller.abort(new Error("given up")));
    clock.at(arrival, () => {
      pace
        .take(controller.signal, (ms, signal) => clock.sleep(ms, signal))
        .then(
          () => grants.push({ place, at: clock.monotonic() }),
          () => refused.push({ place, at: clock.monotonic() }),
        );
    });
  }
  await clock.run();
  return { grants, refused };
}

/** The smallest distance between two neighbours; infinite if there are none. */
function leastGap(grants: readonly Grant[]): number {
  return Math.min(...grants.slice(1).map(({ at }, index) => at - (grants[index] as Grant).at));
}

const TINY = 1e-6;

describe("createRateLimiter", () => {
  test("lets all requests through, never two closer than the rate allows", async () => {
    const check = async (rate: number, arrivals: number[], all: { at: number; ms: number }[]) => {
      const { grants } = await runSchedule({ rate, arrivals, holds: all });
      expect(grants).toHaveLength(arrivals.length);
      expect(leastGap(grants)).toBeGreaterThanOrEqual(1000 / rate - TINY);
    };
    await fc.assert(fc.asyncProperty(rates, times, holds, check), { numRuns: draws(120, 400) });
  });

  test("delays no request longer than that, in order of arrival", async () => {
    const check = async (rate: number, arrivals: number[]) => {
      const { grants } = await runSchedule({ rate, arrivals });
      const order = [...arrivals.entries()].toSorted(([, a], [, b]) => a - b);
      expect(grants.map(({ place }) => place)).toEqual(order.map(([place]) => place));
      let free = 0;
      for (const [index, { at }] of grants.entries()) {
        const earliest = Math.max(free, (order[index] as [number, number])[1]);
        expect(Math.abs(at - earliest)).toBeLessThan(TINY);
        free = earliest + 1000 / rate;
      }
    };
    await fc.assert(fc.asyncProperty(rates, times, check), { numRuns: draws(100, 300) });
  });

  test("lets no request through during a hold, and the waiting ones afterwards", async () => {
    const check = async (rate: number | undefined, arrivals: number[], all: { at: number; ms: number }[]) => {
      const { grants } = await runSchedule({ rate, arrivals, holds: all });
      expect(grants).toHaveLength(arrivals.length);
      const early = grants.filter(({ at }) => all.some((hold) => at > hold.at && at < hold.at + hold.ms));
      expect(early).toEqual([]);
    };
    await fc.assert(fc.asyncProperty(fc.option(rates, { nil: undefined }), times, holds, check), {
      numRuns: draws(120, 400),
    });
  });

  test("without a rate, requests wait for a hold only", async () => {
    const check = async (arrivals: number[], all: { at: number; ms: number }[]) => {
      const { grants } = await runSchedule({ rate: undefined, arrivals, holds: all });
      for (const { place, at } of grants) {
        const arrival = arrivals[place] as number;
        const held = all.some((hold) => hold.at + hold.ms === at);
        expect(at === arrival || held).toBe(true);
      }
    };
    await fc.assert(fc.asyncProperty(times, holds, check));
  });

  test("a late timer moves requests no closer than its delay", async () => {
    const check = async (rate: number, arrivals: number[], delays: number[]) => {
      let next = 0;
      const late = () => delays[next++ % delays.length] as number;
      const { grants } = await runSchedule({ rate, arrivals, late });
      expect(leastGap(grants)).toBeGreaterThanOrEqual(1000 / rate - Math.max(...delays) - TINY);
    };
    const delays = fc.array(fc.integer({ min: 0, max: 15 }), { minLength: 1, maxLength: 9 });
    await fc.assert(fc.asyncProperty(rates, times, delays, check));
  });

  test("an aborted request rejects at once; the others go through", async () => {
    const check = async (rate: number, arrivals: number[], [all, waits]: [{ at: number; ms: number }[], number[]]) => {
      const aborts = new Map(
        arrivals.flatMap((at, place) => (waits[place] === undefined ? [] : [[place, at + waits[place]] as const])),
      );
      const { grants, refused } = await runSchedule({ rate, arrivals, holds: all, aborts });
      expect(grants.length + refused.length).toBe(arrivals.length);
      expect(refused.filter(({ place, at }) => at !== aborts.get(place))).toEqual([]);
      expect(grants.filter(({ place, at }) => at > (aborts.get(place) ?? at))).toEqual([]);
      expect(leastGap(grants)).toBeGreaterThanOrEqual(1000 / rate - TINY);
    };
    const waits = fc.array(fc.integer({ min: 0, max: 6000 }), { maxLength: 12 });
    await fc.assert(fc.asyncProperty(rates, times, fc.tuple(holds, waits), check), { numRuns: draws(100, 300) });
  });

  test("a request that is already aborted rejects", async () => {
    const clock = createClock();
    const pace = createRateLimiter(2, clock);
    const reason = new Error("given up");
    await expect(pace.take(AbortSignal.abort(reason), (ms, signal) => clock.sleep(ms, signal))).rejects.toBe(reason);
  });
});
