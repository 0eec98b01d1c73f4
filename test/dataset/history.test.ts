/** A dataset that is updated every night always has the rows and the description of a complete new export. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { draws } from "../support/extent.ts";
import { type Night, type Place, playHistory } from "../update/play.ts";

function expectDescribed({ history, place, whole, told }: Night): void {
  expect({ told, ...readFacts(place, history.output) }).toEqual({ told, ...readFacts(place, whole) });
}

/** Leaves out where each file came from: answers to other requests carry other marks, so hashes differ. */
function readFacts({ home }: Place, name: string) {
  const { resources, ents } = JSON.parse(readFileSync(home.path(`${name}/datapackage.json`), "utf8")) as {
    readonly resources: readonly object[];
    readonly ents: { readonly window: { readonly start: string }; readonly utc_offset?: string };
  };
  return { files: resources.map((file) => ({ ...file, hash: undefined })), start: ents.window.start, offset: ents.utc_offset };
}

test("whatever the service adds, restates and withdraws, and whatever fails", async () => {
  const property = fc.asyncProperty(fc.nat(), (seed) => playHistory(seed, "dataset", expectDescribed));
  await fc.assert(property, { numRuns: draws(1, 100) });
});
