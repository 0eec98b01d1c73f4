/** Random values for the property tests, and their conversion to the types of the code. */
import fc from "fast-check";
import type { Cell, Column, Row, Table } from "../../src/series/layout/layout.ts";
import { openEnvelope } from "../../src/decode/envelope.ts";
import { parseJson, toJsonText } from "../../src/base/json.ts";
import { runAtOnce } from "../../src/base/steps.ts";
import { readTimeSeries } from "../../src/decode/time-series.ts";
import type { TimeSeries } from "../../src/series/time-series.ts";
import { INTERVALS, type ListedInterval } from "../../src/base/intervals.ts";

export const intervals = fc.constantFrom(...(Object.keys(INTERVALS) as ListedInterval[]));

/** Whole seconds from 1900 to 2100, as milliseconds. */
export const seconds = fc
  .integer({ min: Date.UTC(1900, 0) / 1000, max: Date.UTC(2100, 0) / 1000 })
  .map((second) => second * 1000);

/** Numbers in all spellings of JSON: any length, any exponent, trailing zeros. */
export const numberTexts = fc
  .tuple(
    fc.constantFrom("", "-"),
    fc.oneof(fc.constant("0"), fc.stringMatching(/^[1-9]\d{0,24}$/)),
    fc.oneof(fc.constant(""), fc.stringMatching(/^\.\d{1,20}$/)),
    fc.oneof({ weight: 3, arbitrary: fc.constant("") }, fc.stringMatching(/^[eE][+-]?\d{1,3}$/)),
  )
  .map((parts) => parts.join(""));

const NASTY_PARTS = [
  '"',
  "'",
  ",",
  ";",
  "\t",
  "\n",
  "\r",
  "\r\n",
  "=",
  "+",
  "-",
  "@",
  "#",
  " ",
  "\\",
  "\u001b[31m",
  "\u0007",
  "\u009b",
  "\u007f",
  "\u0000",
  "\u202e",
  "\u2028",
  "é",
  "日本",
  "💡",
  "1",
  "true",
  "null",
  "NSW1",
  "..",
];

/** Text that breaks careless writers. */
export const nastyTexts = fc.array(fc.constantFrom(...NASTY_PARTS), { maxLength: 5 }).map((parts) => parts.join(""));

/** JSON text of a point's value. */
export const valueTexts = fc.oneof(
  { weight: 6, arbitrary: numberTexts },
  { weight: 1, arbitrary: nastyTexts.map((text) => JSON.stringify(text)) },
  { weight: 1, arbitrary: fc.constantFrom("true", "false") },
);

export type LabelValue = string | boolean;

interface SeriesModel {
  readonly labels: Readonly<Record<string, LabelValue>>;
  /** Timestamp and JSON text. */
  readonly points: readonly (readonly [timestamp: string, value: string | null])[];
}

export interface ItemModel {
  readonly metric: string;
  readonly unit: string;
  readonly series: readonly SeriesModel[];
}

const METRIC_NAMES = ["power", "energy", "price", "new_metric"];

const FIRST = Date.UTC(2025, 0, 31, 13, 50);

/** A few instants, each in several spellings, so that series share some and repeat others. */
const timestamps = fc
  .tuple(fc.integer({ min: 0, max: 6 }), fc.constantFrom("Z", "+10:00", ""))
  .map(([step, suffix]) => {
    const offset = suffix === "Z" ? 0 : 10 * 3_600_000;
    return new Date(FIRST + step * 300_000 + offset).toISOString().slice(0, 19) + suffix;
  });

const labelTexts = fc.oneof(fc.constantFrom("NSW1", "QLD1", "a", "B", "coal_black", "coal"), nastyTexts);

const labels: fc.Arbitrary<Record<string, LabelValue>> = fc.oneof(
  fc.constant({}),
  fc.record({ region: labelTexts }),
  fc.record({ region: labelTexts, renewable: fc.boolean() }),
  fc.record({ region: labelTexts, fueltech: labelTexts }),
  fc.record({ unit_code: labelTexts }),
);

const series: fc.Arbitrary<SeriesModel> = fc.record({
  labels,
  points: fc.array(fc.tuple(timestamps, fc.option(valueTexts, { nil: null })), { maxLength: 8 }),
});

/** Any answer: ragged series out of order, repeated timestamps, repeated labels and metrics. */
export const answers: fc.Arbitrary<ItemModel[]> = fc.array(
  fc.record({ metric: fc.constantFrom(...METRIC_NAMES), series: fc.array(series, { maxLength: 4 }) }).map((item) => ({
    ...item,
    // Each metric has one unit.
    unit: METRIC_NAMES.indexOf(item.metric) % 2 === 0 ? "MW" : "$/MWh",
  })),
  { maxLength: 4 },
);

/** A response without two series of the same metric and labels, so that their order is certain. */
export const distinctAnswers: fc.Arbitrary<ItemModel[]> = fc.uniqueArray(
  fc.record({
    metric: fc.constantFrom(...METRIC_NAMES),
    unit: fc.constant("MW"),
    series: fc.uniqueArray(series, { maxLength: 5, selector: (one) => JSON.stringify(one.labels) }),
  }),
  { maxLength: 4, selector: ({ metric }) => metric },
);

const hours = fc.integer({ min: 0, max: 4 }).map((hour) => `2025-01-31T0${hour}:00:00+10:00`);

/** Series in order of time: labels that come and go, repeated timestamps, repeated labels. */
export const sortedAnswers: fc.Arbitrary<ItemModel[]> = fc.array(
  fc.record({
    metric: fc.constantFrom(...METRIC_NAMES.slice(0, 2)),
    unit: fc.constant("MW"),
    series: fc.array(
      fc.record({
        labels: fc.record({ region: fc.constantFrom("A", "B"), renewable: fc.boolean() }, { requiredKeys: [] }),
        points: fc
          .array(fc.tuple(hours, fc.constantFrom("1", "2.5", null)), { maxLength: 6 })
          .map((all) => all.toSorted(([a], [b]) => a.localeCompare(b))),
      }),
      { maxLength: 4 },
    ),
  }),
  { maxLength: 3 },
);

export const askedMetrics = fc.shuffledSubarray(METRIC_NAMES);

/** The body that a service would send. */
export function toBody(items: readonly ItemModel[]): string {
  const data = items.map(({ metric, unit, series: all }) => {
    const head = { network_code: "NEM", metric, unit, network_timezone_offset: "+10:00" };
    const results = all.map(({ labels: columns, points }, index) => {
      const pairs = points.map(([timestamp, value]) => `["${timestamp}",${value ?? "null"}]`);
      return `{"name":"series_${index}","columns":${JSON.stringify(columns)},"data":[${pairs.join(",")}]}`;
    });
    return `${JSON.stringify(head).slice(0, -1)},"results":[${results.join(",")}]}`;
  });
  return `{"version":"4.5.0","created_at":"2025-02-01T00:00:00Z","success":true,"data":[${data.join(",")}]}`;
}

export function readBody(body: string): TimeSeries[] {
  return runAtOnce(readTimeSeries(openEnvelope(parseJson(body)).data));
}

/** Cells of any type in columns of any name, all of which a format must write readably. */
export const tables: fc.Arbitrary<{ columns: Column[]; rows: Row[] }> = fc
  .uniqueArray(nastyTexts, { minLength: 2, maxLength: 4, selector: (name) => name })
  .chain((names) => {
    const columns: Column[] = [
      { name: "timestamp", kind: "timestamp" },
      ...names.map((name): Column => ({ name: `l${name}`, kind: "text" })),
      { name: "value", kind: "value", unit: "MW" },
    ];
    const cells = columns.map(({ kind }) => cellsOf(kind));
    return fc.record({ columns: fc.constant(columns), rows: fc.array(fc.tuple(...cells), { maxLength: 8 }) });
  });

function cellsOf(kind: Column["kind"]): fc.Arbitrary<Cell> {
  if (kind === "timestamp") return timestamps;
  if (kind === "value") return fc.option(valueTexts.map(normalizeJson), { nil: null });
  return fc.oneof(nastyTexts, fc.boolean(), fc.constant(null));
}

/** JSON text as in rows: control characters escaped, numbers digit for digit. */
export function normalizeJson(text: string): string {
  return toJsonText(parseJson(text));
}

/** The rows of a table as a list, for comparison. */
export function listRows(table: Table): Row[] {
  return [...table.rows];
}
