/** What is fast is also right: the fast way from a body to lines gives what the plain way gives, byte for byte. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FORMATS } from "../../src/format/registry.ts";
import { layOutLong, toLongTable } from "../../src/series/layout/long.ts";
import { type Envelope, readBody, readBodyPlainly } from "../../src/decode/envelope.ts";
import { ScannedPoints } from "../../src/series/scanned-points.ts";
import { readTimeSeries } from "../../src/decode/time-series.ts";
import type { TimeSeries } from "../../src/series/time-series.ts";
import { createStampPrinter } from "../../src/time/zones.ts";
import { runs } from "../support/extent.ts";
import { bodies } from "./bodies.ts";

const RECORDED = fileURLToPath(new URL("../../../shared/service/recorded/", import.meta.url));
const OPTIONS = { header: true, limit: 0, width: undefined, colors: false, terminal: false };

/** What a way of reading comes to: series, or the error. */
function outcomeOf(read: () => Envelope) {
  try {
    const series = readTimeSeries(read());
    return { series: series.map(describeItem), json: read().fields["version"] };
  } catch (error) {
    return { error: String(error) };
  }
}

function describeItem({ network, metric, unit, series }: TimeSeries) {
  const described = series.map(({ labels, points: { stamps, instants, values } }) => ({ labels, stamps, instants: [...instants], values }));
  return { network, metric, unit, described };
}

/** The lines of long rows: by rows, and straight from the points (undefined where that way is not open). */
async function linesOf(timeSeries: readonly TimeSeries[], format: "csv" | "tsv" | "ndjson", zone: string) {
  const loaded = await FORMATS[format].load();
  if (loaded.takes !== "rows") throw new Error("a format of rows");
  const options = { metrics: ["price"], printStamp: createStampPrinter(zone) };
  const { columns, rows } = toLongTable(timeSeries, options);
  const encoder = loaded.open(columns, OPTIONS);
  const plain = [...encoder.body(rows)].join("");
  const chunks = encoder.points?.(layOutLong(timeSeries, options).series, options.printStamp);
  let fast: string | undefined;
  // A chunk is good until the next is asked for.
  if (chunks) for (const chunk of chunks) fast = (fast ?? "") + Buffer.from(chunk).toString("utf8");
  return { plain, fast };
}

function isScanned(timeSeries: readonly TimeSeries[]): boolean {
  return timeSeries.every(({ series }) => series.every(({ points }) => points instanceof ScannedPoints || points.instants.length === 0));
}

test("a body read the fast way says what it says read plainly, or fails alike", () => {
  let scanned = 0;
  fc.assert(
    fc.property(bodies, (body) => {
      const fast = outcomeOf(() => readBody(body));
      expect(fast).toEqual(outcomeOf(() => readBodyPlainly(body)));
      if ("series" in fast && fast.series.length > 0 && readBody(body).plain) scanned++;
    }),
    { numRuns: runs(1500, 4000) },
  );
  // The fast way must have been gone, or nothing was compared.
  expect(scanned).toBeGreaterThan(runs(100, 400));
});

test.each(["csv", "tsv", "ndjson"] as const)("%s lines copied from the body are those of its rows", async (format) => {
  let copied = 0;
  await fc.assert(
    fc.asyncProperty(bodies, fc.constantFrom("network", "utc", "Australia/Lord_Howe"), async (body, zone) => {
      let timeSeries: TimeSeries[];
      try {
        timeSeries = readTimeSeries(readBody(body));
      } catch {
        return;
      }
      const { plain, fast } = await linesOf(timeSeries, format, zone);
      expect(fast).toBe(isScanned(timeSeries) ? plain : undefined);
      if (fast && isScanned(timeSeries)) copied++;
    }),
    { numRuns: runs(600, 1500) },
  );
  expect(copied).toBeGreaterThan(runs(40, 150));
});

describe.skipIf(!existsSync(RECORDED))("recorded responses (../shared/service/recorded)", () => {
  const files = existsSync(RECORDED) ? readdirSync(RECORDED).filter((name) => /^(data|market)-.*\.json$/.test(name)) : [];
  test.each(files)("%s: every series is scanned, and says what it says plainly", async (name) => {
    const body = readFileSync(RECORDED + name);
    expect(isScanned(readTimeSeries(readBody(body)))).toBe(true);
    expect(outcomeOf(() => readBody(body))).toEqual(outcomeOf(() => readBodyPlainly(body)));
    for (const zone of ["network", "Australia/Sydney"]) {
      const { plain, fast } = await linesOf(readTimeSeries(readBody(body)), "csv", zone);
      expect(fast).toBe(plain);
    }
  });

  test.each(files)("%s: cut short anywhere, it fails the fast way as it fails plainly", (name) => {
    const body = readFileSync(RECORDED + name);
    for (let end = 1; end < body.length; end += runs(60_013, 20_011)) {
      const part = body.subarray(0, end);
      expect(outcomeOf(() => readBody(part))).toEqual(outcomeOf(() => readBodyPlainly(part)));
    }
  });
});
