/**
 * Whatever the service and the clocks do: each interval is printed once, in order, with a value that the service gave
 * for it, and requests are few.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { draws } from "../support/extent.ts";
import { at, startLive } from "./live-service.ts";
import { countAllowed, expectRows, FOLLOW, MINUTES, playWorld, type World, worlds } from "./worlds.ts";

/** This machine's clock is slow, and created_at stands still. */
const BOTH_BEHIND: World = {
  oddities: [],
  outages: [],
  steps: [{ from: 0, by: -5 }],
  lag: 0,
  forecasts: 0,
  created: "stale",
  start: 0,
};

/** This machine's clock is 20 minutes fast, and the service has a forecast. */
const FORECAST: World = { ...BOTH_BEHIND, steps: [{ from: 0, by: 20 }], forecasts: 1, created: 0 };

/** Both clocks are slow by more than an interval, and by different amounts: ended intervals look like forecasts. */
const BEHIND_APART: World = { ...BOTH_BEHIND, steps: [{ from: 0, by: -15 }], forecasts: undefined, created: -73 };

test("each interval once, in order, with a value that the service gave for it; few requests", async () => {
  await fc.assert(
    fc.asyncProperty(worlds, async (world) => {
      const skew = (now: number) =>
        world.steps.filter(({ from }) => now >= at(from)).reduce((sum, { by }) => sum + by * 60_000, 0);
      const { run, asked } = await startLive({ ...playWorld(world), until: at(MINUTES), skew });
      const { code, stdout } = await run(FOLLOW);
      expect(code).toBe(130);
      expectRows(stdout, world);
      expect(asked.length).toBeLessThanOrEqual(countAllowed(world));
    }),
    { numRuns: draws(3, 400), examples: [[BOTH_BEHIND], [FORECAST], [BEHIND_APART]] },
  );
});
