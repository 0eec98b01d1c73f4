/** A file that is updated night after night has, each time, the bytes of a whole new export. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "../support/extent.ts";
import { playHistory } from "./play.ts";

test("whatever the service adds, restates and withdraws, and whatever fails", async () => {
  const property = fc.asyncProperty(fc.nat(), async (seed) => {
    expect(await playHistory(seed, "file")).toBeUndefined();
  });
  await fc.assert(property, { numRuns: runs(3, 200) });
}, 600_000);
