/** A file that is updated night after night has, each time, the bytes of a whole new export. */
import fc from "fast-check";
import { test } from "vitest";
import { runs } from "../support/extent.ts";
import { expectSameEveryNight } from "./play.ts";

test("whatever the service adds, restates and withdraws, and whatever fails", async () => {
  await fc.assert(fc.asyncProperty(fc.nat(), expectSameEveryNight), { numRuns: runs(3, 200) });
}, 600_000);
