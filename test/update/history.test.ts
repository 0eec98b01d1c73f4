/** A file that is updated every night always has the bytes of a complete new export, and says where they are from. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createZone } from "../../src/time/iana-zone.ts";
import { createStampReader, isNearChange } from "../support/stamp-reader.ts";
import { draws } from "../support/extent.ts";
import type { History } from "./histories.ts";
import { type DescribedRequest, expectOrigins, type Row } from "./origins.ts";
import { type Night, type Place, playHistory } from "./play.ts";

interface DescribedSeries {
  readonly metric: string;
  readonly labels: object;
  readonly last: string;
}

interface Description {
  readonly resources: readonly [Readonly<Record<string, unknown>>];
  readonly ents: {
    readonly window: { readonly start: string };
    readonly series: readonly DescribedSeries[];
    readonly requests: readonly DescribedRequest[];
    readonly utc_offset?: string;
  };
}

/** The description of an update equals that of a complete export, except for the requests. */
function expectDescribed({ history, place, whole: name, told }: Night): void {
  const [own, other] = [readDescription(place, history.output), readDescription(place, name)];
  expect({ told, ...own.facts, series: own.series }).toEqual({ told, ...other.facts, series: other.series });
  expectOrigins(own.requests, listRows(place, history), { chance: history.chance, service: place.service });
}

function readDescription({ home }: Place, name: string) {
  const { resources, ents } = JSON.parse(readFileSync(home.path(`${name}.datapackage.json`), "utf8")) as Description;
  const { path, hash, ...file } = resources[0];
  const sha256 = createHash("sha256")
    .update(readFileSync(home.path(name)))
    .digest("hex");
  expect({ path, hash }).toEqual({ path: name, hash: `sha256:${sha256}` });
  const { window, requests, utc_offset: offset } = ents;
  // Series are in the order in which they came.
  const keyOf = ({ metric, labels }: DescribedSeries) => JSON.stringify([metric, labels]);
  const series = ents.series.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return { facts: { file, start: window.start, offset }, series, requests };
}

/** Rows with a certain instant: not when a wall clock may show a time twice. */
function listRows({ home }: Place, { output, zone, time, offset }: History): Row[] {
  const readStamp = createStampReader(createZone(zone), time, offset);
  const lines = readFileSync(home.path(output), "latin1").split("\n");
  return lines.flatMap((text) => {
    const stamp = output.endsWith("ndjson") ? /^\{"timestamp":"?([^",]+)/.exec(text)?.[1] : text.split(/[,\t]/)[0];
    const instant = readStamp(stamp ?? "");
    return instant === undefined || (time === "local" && isNearChange(createZone(zone), instant)) ? [] : [{ text, instant }];
  });
}

test("whatever the service adds, restates and withdraws, and whatever fails", async () => {
  const property = fc.asyncProperty(fc.nat(), (seed) => playHistory(seed, "file", expectDescribed));
  await fc.assert(property, { numRuns: draws(2, 200) });
});
