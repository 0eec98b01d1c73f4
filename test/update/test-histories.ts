/**
 * Random histories of a service, a clock, a disk and a window: what an update may take away, and what it has in the
 * end.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { draws } from "../support/extent.ts";
import { SEED } from "../support/random.ts";
import { playHistory } from "./play.ts";

/** A quarter of them, as they take minutes: each part is a file of its own, so that they run at the same time. */
export function testHistories(part: number): void {
  test("every value is the service's or was; none is gone that it did not lack twice; the journal has each change; after each run, its output can be shown again; no failure stays; in the end, it is a new export", async () => {
    const property = fc.asyncProperty(fc.nat(), async (seed) => {
      expect(await playHistory(seed)).toBe("");
    });
    await fc.assert(property, { seed: SEED + part, numRuns: draws(3, 125, 50) });
  });
}
