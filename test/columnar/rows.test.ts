/** Turning rows into frames of typed columns: any values, any number of rows, types that change. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeBody } from "../../src/decode/decode.ts";
import { ColumnsChanged, encodeChunks, type Encoding } from "../../src/format/encode.ts";
import { NO_SCREEN } from "../../src/format/format.ts";
import { readDouble } from "../../src/series/point-operations.ts";
import { printSeries, printTable } from "../../src/format/print.ts";
import { FORMATS } from "../../src/format/registry.ts";
import { typeSeriesColumns } from "../../src/format/columnar/columns.ts";
import { createSeriesFill } from "../../src/format/columnar/open-columnar.ts";
import { RowBatch } from "../../src/format/columnar/frame.ts";
import { addColumns, startColumns } from "../../src/series/layout/columns.ts";
import { createLayout, toTable } from "../../src/series/layout/create-layout.ts";
import { walkTimedRows } from "../../src/series/layout/rows.ts";
import type { Cell } from "../../src/series/layout/layout.ts";
import type { Chunk } from "../../src/series/merge.ts";
import type { TimeSeries } from "../../src/series/time-series.ts";
import { printAsSent } from "../../src/time/timestamp-printer.ts";
import { createZone } from "../../src/time/iana-zone.ts";
import { draws, FULL } from "../support/extent.ts";
import { type ItemModel, answers, askedMetrics, numberTexts, readBody, tables, toBody } from "../unit/generators.ts";
import type { Value } from "./cases.ts";
import { readBytes } from "./readers.ts";

const FORMAT_NAMES = ["parquet", "arrow"] as const;

async function print(
  timeSeries: readonly TimeSeries[],
  options: Omit<Parameters<typeof printSeries>[1], "format">,
  format: "parquet" | "arrow",
) {
  return readBytes(format, await join(printSeries(listChunks([timeSeries]), { ...options, format })));
}

async function join(parts: AsyncIterable<string | Uint8Array>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const part of parts) all.push(Buffer.from(part));
  return Buffer.concat(all);
}

async function* listChunks(chunks: readonly (readonly TimeSeries[])[]): AsyncGenerator<Chunk> {
  for (const timeSeries of chunks) yield { heads: [], timeSeries };
}

/** Decodes a body whose points are scanned lazily. */
function decode(items: readonly ItemModel[]): readonly TimeSeries[] {
  const answer = decodeBody(Buffer.from(toBody(items)));
  if (!("timeSeries" in answer)) throw answer.problem;
  return answer.timeSeries;
}

test("a double is the nearest one to its digits", () => {
  fc.assert(
    fc.property(fc.oneof(numberTexts, fc.double({ noNaN: true, noDefaultInfinity: true }).map(String)), (text) => {
      const bytes = Buffer.from(`[${text}]`);
      expect(readDouble(bytes, 1, text.length)).toBe(Number(text));
    }),
    { numRuns: draws(60, 20_000, 200) },
  );
});

/** Values that are not numbers are tested separately. */
const numbersAlone = answers.map((items) =>
  items.map((item) => ({
    ...item,
    series: item.series.map((one) => ({
      ...one,
      points: one.points.map(([timestamp, value]) => [timestamp, /^[-\d]/.test(value ?? "") ? value : null] as const),
    })),
  })),
);

const layouts = fc.constantFrom({ shape: "long" }, { shape: "wide" }, { shape: "wide", pivot: "region" }, {
  shape: "long",
  intervalEnd: true,
} as const);

test("frames have the rows of the layout, even if only a few fit in one", () => {
  fc.assert(
    fc.property(numbersAlone, layouts, fc.integer({ min: 1, max: 5 }), (items, options, capacity) => {
      const timeSeries = readBody(toBody(items));
      const layout = createLayout(options, addColumns(startColumns(["power"], options), timeSeries));
      const placed = layout.place(timeSeries);
      const frame = new RowBatch(typeSeriesColumns(layout.columns), capacity);
      const rows: unknown[] = [];
      const takeRows = () => {
        for (let row = 0; row < frame.rows; row++) {
          rows.push([
            Number(frame.times[0]!.values[row]) / 1000,
            ...frame.numbers.map(({ values, valid }) => (valid[row] ? values[row] : null)),
          ]);
        }
      };
      const fill = createSeriesFill(frame, createZone("network"));
      for (const _ of fill({ placed, rows: () => [] })) takeRows();
      takeRows();
      const expected = [...walkTimedRows(layout, placed)].map(({ instant, values }) => [
        instant,
        ...values.map((cell) => (cell === null ? null : Number(cell))),
      ]);
      expect(rows).toEqual(expected);
    }),
    { numRuns: draws(15, 1000, 30) },
  );
});

describe.each(FORMAT_NAMES)("%s", (format) => {
  test("has the rows of the layout, whatever the series", async () => {
    await fc.assert(
      fc.asyncProperty(numbersAlone, askedMetrics, layouts, async (items, metrics, layout) => {
        const timeSeries = readBody(toBody(items));
        const options = { metrics, ...layout } as const;
        const { columns, rows } = toTable(timeSeries, { ...options, printTimestamp: (_, instant) => String(instant) });
        const read = await print(timeSeries, options, format);
        const expected = [...rows].map((row) =>
          row.flatMap((cell, index) => toValues(cell, columns[index]?.name ?? "", read.types)),
        );
        expect(read.rows).toEqual(expected);
      }),
      { numRuns: draws(6, 500, 15) },
    );
  });

  test("has the rows of a table without series as text and numbers", async () => {
    await fc.assert(
      fc.asyncProperty(tables, async ({ columns, rows }) => {
        const numeric = rows.map((row) =>
          row.map((cell, index) => (columns[index]?.kind === "value" && !/^[-\d]/.test(String(cell)) ? null : cell)),
        );
        const read = readBytes(format, await join(printTable({ columns, rows: numeric }, format)));
        const texts = columns.map(({ kind }) => kind !== "value");
        expect(await read).toEqual({
          types: Object.fromEntries(columns.map(({ name }, index) => [name, texts[index] ? "text" : "number"])),
          rows: numeric.map((row) =>
            row.map((cell, index) => (cell === null ? null : texts[index] ? String(cell) : Number(cell))),
          ),
        });
      }),
      { numRuns: draws(5, 300, 10) },
    );
  });

  test.runIf(FULL)("has endless rows, even at one instant", async () => {
    const timestampAt = (index: number) =>
      new Date(Date.UTC(2025, 0) + Math.max(0, index - 105_000) * 300_000).toISOString().replace(".000Z", "+10:00");
    const points = Array.from(
      { length: 135_000 },
      (_, index) => [timestampAt(index), index % 7 === 0 ? null : `${index / 8}`] as const,
    );
    const read = await print(
      decode([{ metric: "power", unit: "MW", series: [{ labels: { region: "NSW1" }, points }] }]),
      { metrics: ["power"] },
      format,
    );
    expect(read.rows).toHaveLength(points.length);
    const wrong = read.rows.findIndex((row, index) => {
      const [timestamp, value] = points[index]!;
      return (
        row[0] !== Date.parse(timestamp) || row[5] !== "NSW1" || row[6] !== (value === null ? null : Number(value))
      );
    });
    expect(wrong).toBe(-1);
  });

  test.each(['"NaN"', "true"])("refuses the value %s, and names its place", async (value) => {
    const points = [["2025-01-01T00:00:00+10:00", value]] as const;
    const timeSeries = readBody(
      toBody([{ metric: "power", unit: "MW", series: [{ labels: { region: "NSW1" }, points }] }]),
    );
    await expect(print(timeSeries, { metrics: ["power"] }, format)).rejects.toMatchObject({
      kind: "refused",
      message: `the value ${value} of NEM, power, MW, NSW1, value at 2025-01-01T00:00:00+10:00 is not a number`,
      hint: "use --format csv or json, which keep such values",
    });
  });

  test("column types are those of all rows; if they change after the first ones, the output ends", async () => {
    const windowOf = (renewable: boolean | string, hour: number): ItemModel => ({
      metric: "power",
      unit: "MW",
      series: [{ labels: { renewable }, points: [[`2025-01-01T0${hour}:00:00+10:00`, "1"]] }],
    });
    const chunks = [windowOf(true, 1), windowOf("partly", 2), windowOf(false, 3)].map((item) =>
      readBody(toBody([item])),
    );
    const encoding: Encoding = {
      format: await FORMATS[format].load(),
      formatOptions: { header: true, screen: NO_SCREEN },
      layout: { shape: "long" },
      printTimestamp: printAsSent,
      zone: createZone("network"),
      columns: startColumns(["power"]),
    };
    const changed: unknown = await join(encodeChunks(listChunks(chunks), encoding)).catch((error: unknown) => error);
    expect(changed).toBeInstanceOf(ColumnsChanged);
    const columns = chunks.reduce((known, timeSeries) => addColumns(known, timeSeries), encoding.columns);
    const again = await join(encodeChunks(listChunks(chunks), { ...encoding, columns }));
    const { types, rows } = await readBytes(format, again);
    expect(types).toMatchObject({ renewable: "text" });
    expect(rows.map((row) => row[5])).toEqual(["true", "partly", "false"]);
    // Text has no column types, so the file need not be started again.
    expect(
      String(await join(encodeChunks(listChunks(chunks), { ...encoding, format: await FORMATS.csv.load() }))),
    ).toContain("partly");
  });
});

/** A cell as a reader returns it; a timestamp is followed by its wall clock in network time. */
function toValues(cell: Cell, name: string, types: Readonly<Record<string, string>>): Value[] {
  const value =
    cell === null
      ? null
      : types[name] === "text"
        ? String(cell)
        : types[name] === "boolean"
          ? cell === true
          : Number(cell);
  return name === "timestamp" ? [value, Number(cell) + 10 * 3_600_000] : [value];
}
