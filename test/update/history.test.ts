/** Random histories of a service, a clock, a disk and a window: what an update may take away, and what it has in the end. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { draws } from "../support/extent.ts";
import { playHistory } from "./play.ts";

test("every value is the service's or was; none is gone that it did not lack twice; the journal has each change; after each run, its output can be shown again; in the end, it is a new export", async () => {
  const property = fc.asyncProperty(fc.nat(), async (seed) => {
    expect(await playHistory(seed)).toBe("");
  });
  await fc.assert(property, { numRuns: draws(3, 500, 20) });
});
