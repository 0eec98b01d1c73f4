/** The fast way from a body to lines gives the same bytes as the slow one. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findOverlap } from "../../src/series/intervals/grid.ts";
import type { Batch, FormatOptions } from "../../src/format/format.ts";
import { printSeries } from "../../src/format/print.ts";
import { FORMATS } from "../../src/format/registry.ts";
import { decodeBody, decodeFully } from "../../src/decode/decode.ts";
import { type DecodedResponse, headOf, isKnown } from "../../src/series/decoded-response.ts";
import { addColumns, startColumns } from "../../src/series/layout/columns.ts";
import { createLayout } from "../../src/series/layout/create-layout.ts";
import type { LayoutOptions } from "../../src/series/layout/layout.ts";
import { walkRows } from "../../src/series/layout/rows.ts";
import { ScannedPoints } from "../../src/series/points.ts";
import { countPoints } from "../../src/series/overlap.ts";
import type { TimeSeries } from "../../src/series/time-series.ts";
import { createZonedPrinter } from "../../src/time/timestamp-printer.ts";
import { createZone } from "../../src/time/iana-zone.ts";
import { draws, runs } from "../support/extent.ts";
import type { ListedInterval } from "../../src/base/intervals.ts";
import { eachPart, OPTIONS } from "../unit/encode.ts";
import { intervals } from "../unit/generators.ts";
import { bodies } from "./bodies.ts";

const RECORDED = fileURLToPath(new URL("../../../shared/service/recorded/", import.meta.url));

/** The result of decoding: the series, or the error. */
function outcomeOf(decode: () => DecodedResponse) {
  try {
    const answer = decode();
    const { envelope } = answer;
    return isKnown(answer)
      ? { series: answer.timeSeries.map(describeItem), envelope }
      : { problem: String(answer.problem), envelope };
  } catch (error) {
    return { error: String(error) };
  }
}

function describeItem({ fields, network, metric, unit, series }: TimeSeries) {
  const described = series.map(({ fields: own, labels, points: { timestamps, instants, values } }) => ({
    own,
    labels,
    timestamps,
    instants: [...instants],
    values,
  }));
  return { fields, network, metric, unit, described };
}

interface Lines extends Partial<FormatOptions> {
  readonly format: "csv" | "tsv" | "ndjson";
  readonly zone?: string;
  /** Long by default. */
  readonly layout?: LayoutOptions;
  /** The requested interval. */
  readonly interval?: ListedInterval | undefined;
}

/** The lines of a format: made from rows, and directly from points. */
async function linesOf(
  timeSeries: readonly TimeSeries[],
  { format, zone = "network", layout: asked = { shape: "long" }, interval, ...options }: Lines,
) {
  const loaded = await FORMATS[format].load();
  const printTimestamp = createZonedPrinter(createZone(zone), options.timeFormat);
  const layout = createLayout(asked, addColumns(startColumns(["price"], { ...asked, interval }), timeSeries));
  const placed = layout.place(timeSeries);
  const rows = () => walkRows(layout, placed, { printTimestamp });
  const write = (batch: Batch) => {
    let text = "";
    // A part is only valid until the next one is requested.
    for (const part of eachPart(
      loaded
        .open({ columns: layout.columns, printTimestamp, zone: createZone(zone) }, { ...OPTIONS, ...options })
        .write(batch),
    ))
      text += Buffer.from(part).toString("utf8");
    return text;
  };
  let walked = false;
  const watched = function* () {
    walked = true;
    yield* rows();
  };
  let counted = 0;
  const onRows = (lines: number) => {
    counted += lines;
  };
  return { plain: write({ rows }), fast: write({ rows: watched, placed, onRows }), copied: !walked, counted };
}

function seriesOf(body: Buffer): readonly TimeSeries[] | undefined {
  try {
    const answer = decodeBody(body);
    return isKnown(answer) ? answer.timeSeries : undefined;
  } catch {
    return undefined;
  }
}

function isScanned(timeSeries: readonly TimeSeries[]): boolean {
  return timeSeries.every(({ series }) =>
    series.every(({ points }) => points instanceof ScannedPoints || points.instants.length === 0),
  );
}

test("a body gives the same series, or fails alike, on the fast and the slow way", () => {
  let scanned = 0;
  fc.assert(
    fc.property(bodies, (body) => {
      expect(outcomeOf(() => decodeBody(body))).toEqual(outcomeOf(() => decodeFully(body)));
      const timeSeries = seriesOf(body) ?? [];
      if (timeSeries.length > 0 && isScanned(timeSeries)) scanned++;
    }),
    { numRuns: draws(300, 4000) },
  );
  // Ensures that the fast way was used at all.
  expect(scanned).toBeGreaterThan(draws(20, 400));
});

const layouts = fc.oneof(
  fc.constantFrom<LayoutOptions>({ shape: "long" }, { shape: "wide" }),
  fc.constantFrom("region", "fueltech", "renewable", "unit_code").map((pivot) => ({ shape: "wide" as const, pivot })),
);

const printed = fc.record({
  layout: fc.tuple(layouts, fc.boolean()).map(([layout, intervalEnd]) => ({ ...layout, intervalEnd })),
  interval: fc.option(intervals, { nil: undefined }),
  zone: fc.constantFrom("network", "utc", "Australia/Lord_Howe"),
  timeFormat: fc.constantFrom("iso", "iso", "local", "unix", "unix-ms"),
  null: fc.constantFrom("", "NA", "=NA()", 'a,"b"'),
});

test.each(["csv", "tsv", "ndjson"] as const)(
  "%s lines copied from the body equal those made from rows",
  async (format) => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(bodies, printed, async (body, options) => {
        const timeSeries = seriesOf(body);
        if (!timeSeries) return;
        const { plain, fast, copied, counted } = await linesOf(timeSeries, { format, ...options });
        expect(fast).toBe(plain);
        const overlaps = timeSeries.some((item) => findOverlap(item, options.interval) !== undefined);
        const hasEnds =
          !options.layout.intervalEnd || (options.interval !== undefined && !overlaps) || countPoints(timeSeries) === 0;
        const hasColumns = timeSeries.some(({ series }) => series.length > 0) || options.layout.pivot === undefined;
        expect(copied).toBe(isScanned(timeSeries) && hasEnds && hasColumns);
        expect(counted).toBe(copied ? countLines(fast, format) : 0);
        if (copied && fast !== "") count++;
      }),
      { numRuns: draws(120, 1500) },
    );
    expect(count).toBeGreaterThan(draws(6, 150));
  },
);

/** Counts lines without the header; line breaks inside quotes do not count. */
function countLines(text: string, format: Lines["format"]): number {
  if (format === "ndjson") return text.split("\n").length - 1;
  return text.replaceAll(/"(?:[^"]|"")*"/g, "").split("\n").length - 2;
}

describe("a window of many lines", () => {
  const count = 4000;
  const body = (value: (index: number) => string) => {
    const points = Array.from({ length: count }, (_, index) => {
      const timestamp = new Date(Date.UTC(2025, 0, 1) + index * 300_000).toISOString().slice(0, 19);
      return `["${timestamp}+10:00",${value(index)}]`;
    });
    const results = ["NSW1", "QLD1"].map(
      (region) => `{"name":"x","columns":{"region":"${region}"},"data":[${points.join(",")}]}`,
    );
    const item = `{"network_code":"NEM","metric":"price","unit":"$/MWh","results":[${results.join(",")}]}`;
    return Buffer.from(`{"version":"4","created_at":"2025-02-01T00:00:00Z","success":true,"data":[${item}]}`);
  };

  test("is written in several parts, with the same bytes as row by row", async () => {
    const timeSeries = seriesOf(body((index) => `${index}.25`)) ?? [];
    const { plain, fast, copied } = await linesOf(timeSeries, { format: "ndjson" });
    expect(copied).toBe(true);
    expect(fast.length).toBeGreaterThan(3 * 256 * 1024);
    expect(fast).toBe(plain);
  });

  test("is passed to a program in parts that it may keep", async () => {
    const answer = decodeBody(body((index) => `${index}.25`));
    async function* answerOnce() {
      yield { heads: [headOf(answer)], timeSeries: isKnown(answer) ? answer.timeSeries : [] };
    }
    const parts: (string | Uint8Array)[] = [];
    for await (const part of printSeries(answerOnce(), { format: "csv", metrics: ["price"] })) parts.push(part);
    expect(parts.length).toBeGreaterThan(2);
    const lines = parts
      .map((part) => Buffer.from(part).toString("utf8"))
      .join("")
      .trimEnd()
      .split("\n");
    expect(new Set(lines).size).toBe(1 + 2 * count);
  });

  test.each([
    ["csv", /^2025-01-01 00:00:00,NEM,price,[^\n]*,NA$/m],
    ["ndjson", /^{"timestamp":"2025-01-01 00:00:00".*"value":null}$/m],
    ["json", /^ *\["2025-01-01T00:00:00\+10:00", null\]/m],
  ] as const)("is printed by a program with the same options, as far as %s supports them", async (format, line) => {
    const answer = decodeBody(body(() => "null"));
    async function* answerOnce() {
      yield { heads: [headOf(answer)], timeSeries: isKnown(answer) ? answer.timeSeries : [] };
    }
    const options = { format, metrics: ["price"], timeFormat: "local", null: "NA" } as const;
    const texts: string[] = [];
    for await (const part of printSeries(answerOnce(), options)) texts.push(Buffer.from(part).toString("utf8"));
    expect(texts.join("")).toMatch(line);
  });

  test.each([
    ["numbers of 300 digits", () => "1".repeat(300)],
    ["300 blanks before a number", () => `${" ".repeat(300)}1`],
    ["the placeholder of the scanner", () => "-0e909090"],
  ])("%s are read unchanged", (_, value) => {
    const bytes = body((index) => (index === 7 ? value() : "1"));
    expect(outcomeOf(() => decodeBody(bytes))).toEqual(outcomeOf(() => decodeFully(bytes)));
    expect(seriesOf(bytes)?.[0]?.series[0]?.points.values[7]).toBe(value().trim());
  });
});

test.each(["0", " 0", "x", "[]", '"'])("%j after an array of points is an error, as on the slow way", (text) => {
  const bodyOf = (after: string) => {
    const results = Array.from({ length: 11 }, (_, index) => {
      const points = `[["2025-01-01T00:00:00+10:00",${index}]]${index === 1 ? after : ""}`;
      return `{"name":"x","columns":{"region":"R${index}"},"data":${points}}`;
    });
    const item = `{"network_code":"NEM","metric":"price","unit":"$/MWh","results":[${results.join(",")}]}`;
    return Buffer.from(`{"version":"4","created_at":"2025-02-01T00:00:00Z","success":true,"data":[${item}]}`);
  };
  expect(isScanned(seriesOf(bodyOf("")) ?? [])).toBe(true);
  expect(outcomeOf(() => decodeFully(bodyOf(text)))).toHaveProperty("error");
  expect(outcomeOf(() => decodeBody(bodyOf(text)))).toEqual(outcomeOf(() => decodeFully(bodyOf(text))));
});

test.each([200, 100_000, 300_000])("a null text of %i characters is written in full", async (length) => {
  const points = Array.from(
    { length: 2000 },
    (_, index) => `["2025-01-01T00:00:00+10:00",${index % 1000 === 0 ? "null" : "1"}]`,
  );
  const timeSeries = seriesOf(bodyOfPoints(points.join(","))) ?? [];
  const { plain, fast } = await linesOf(timeSeries, { format: "csv", null: "-".repeat(length) });
  expect(fast).toBe(plain);
  expect(fast.split("-".repeat(length))).toHaveLength(3);
});

test("series of two networks each have their own wall clock", async () => {
  const [one] = seriesOf(bodyOfPoints('["2025-01-01T00:00:00Z",1]')) ?? [];
  if (!one) throw new Error("unread");
  const { plain, fast, copied } = await linesOf([one, { ...one, network: "WEM" }], {
    format: "tsv",
    timeFormat: "local",
  });
  expect(plain).toMatch(/^2025-01-01 10:00:00\tNEM\t.*\n2025-01-01 08:00:00\tWEM\t.*\n$/m);
  expect({ fast, copied }).toEqual({ fast: plain, copied: false });
});

function bodyOfPoints(points: string): Buffer {
  const item = `{"network_code":"NEM","metric":"price","unit":"$/MWh","results":[{"name":"x","columns":{},"data":[${points}]}]}`;
  return Buffer.from(`{"version":"4","created_at":"2025-02-01T00:00:00Z","success":true,"data":[${item}]}`);
}

test("a label longer than a part of the output is written in full", async () => {
  const label = "x".repeat(300_000);
  const timeSeries =
    seriesOf(
      Buffer.from(
        `{"version":"4","created_at":"2025-02-01T00:00:00Z","success":true,"data":[{"network_code":"NEM","metric":"price","unit":"$/MWh",` +
          `"results":[{"name":"x","columns":{"region":"${label}"},"data":[["2025-01-01T00:00:00+10:00",1]]}]}]}`,
      ),
    ) ?? [];
  const { plain, fast } = await linesOf(timeSeries, { format: "csv" });
  expect(fast).toBe(plain);
  expect(fast).toContain(label);
});

describe.skipIf(!existsSync(RECORDED))("recorded responses (../shared/service/recorded)", () => {
  const files = existsSync(RECORDED)
    ? readdirSync(RECORDED).filter((name) => /^(data|market)-.*\.json$/.test(name))
    : [];
  test.each(files)("%s: every series is scanned, with the result of the slow way", async (name) => {
    const body = readFileSync(RECORDED + name);
    const timeSeries = seriesOf(body) ?? [];
    expect(timeSeries.length > 0 && isScanned(timeSeries)).toBe(true);
    expect(outcomeOf(() => decodeBody(body))).toEqual(outcomeOf(() => decodeFully(body)));
    for (const zone of ["network", "Australia/Sydney"]) {
      const { plain, fast } = await linesOf(timeSeries, { format: "csv", zone });
      expect(fast).toBe(plain);
    }
  });

  test.each(files)("%s: truncated anywhere, it fails on the fast way as on the slow one", (name) => {
    const body = readFileSync(RECORDED + name);
    for (let end = 1; end < body.length; end += runs(300_007, 20_011)) {
      const part = body.subarray(0, end);
      expect(outcomeOf(() => decodeBody(part))).toEqual(outcomeOf(() => decodeFully(part)));
    }
  });
});

test("series of many points are read in steps: those at the ends of a step are where they are", () => {
  const START = Date.UTC(2024, 0);
  const timestamps = Array.from(
    { length: 60_000 },
    (_, index) => `${new Date(START + index * 300_000).toISOString().slice(0, 19)}Z`,
  );
  // The second one has the timestamps of the first, which are compared instead of parsed.
  const values = [7, 9].map((digits) => timestamps.map((_, index) => `${index % 997}.${index % digits}`));
  const results = values.map((own, index) => {
    const data = timestamps.map((timestamp, at) => `["${timestamp}",${own[at]}]`);
    return `{"name":"a","columns":{"region":"${index}"},"data":[${data.join(",")}]}`;
  });
  const item = `{"network_code":"NEM","metric":"power","unit":"MW","interval":"5m","results":[${results.join(",")}]}`;
  const decoded = decodeBody(Buffer.from(`{"version":"4","success":true,"error":null,"data":[${item}]}`));
  const series = isKnown(decoded) ? (decoded.timeSeries[0]?.series ?? []) : [];
  expect(series.map(({ points }) => points instanceof ScannedPoints)).toEqual([true, true]);
  expect(series.map(({ points }) => points.timestamps)).toEqual([timestamps, timestamps]);
  expect(series.map(({ points }) => points.values)).toEqual(values);
});
