/**
 * openmetrics: the newest values as gauges, for Prometheus' textfile collector. Samples have no timestamps, which it
 * refuses.
 */
import { isLosslessNumber } from "../base/json.ts";
import { groupBy } from "../base/group-by.ts";
import { isSummed } from "../base/vocabulary.ts";
import { parseTimestamp } from "../time/timestamp.ts";
import { toPlainText } from "./cells.ts";
import type { Format, Header } from "./format.ts";
import type { Row } from "../series/layout/layout.ts";

export const openmetrics: Format = {
  collects: false,
  open: (header) => {
    const rows: Row[] = [];
    return {
      write: (batch) => {
        rows.push(...batch.rows());
        return [];
      },
      end: () => [listSamples(header, rows).join("")],
    };
  },
};

interface Sample {
  readonly labels: string;
  readonly value: string;
  readonly seconds: number;
}

/** The columns that are no labels of a sample. */
const OTHERS = ["timestamp", "age_seconds", "metric", "value"];

function listSamples({ columns, provenance }: Header, rows: readonly Row[]): string[] {
  const at = (name: string) => columns.findIndex((column) => column.name === name);
  const [timestamp, metric, unit, value] = ["timestamp", "metric", "unit", "value"].map(at) as [
    number,
    number,
    number,
    number,
  ];
  const labelled = columns.flatMap(({ name }, index) =>
    OTHERS.includes(name) ? [] : [{ name: toLabelName(name), index }],
  );
  const interval = provenance?.query.interval;
  // A label of the service with this name stays.
  const fixed = interval === undefined || at("interval") >= 0 ? [] : [`interval="${interval}"`];
  const textOf = (row: Row, index: number) => toPlainText(row[index] ?? null, "text");
  const families = groupBy(
    // A series without a value has no sample.
    rows.filter((row) => isNumericCell(row[value])),
    (row) => textOf(row, metric),
  );
  const lines = Array.from(families, ([name, own]) => {
    const samples = own.map((row): Sample => {
      const labels = labelled.flatMap(({ name: label, index }) =>
        row[index] === null ? [] : [`${label}="${escape(textOf(row, index))}"`],
      );
      const seconds = (parseTimestamp(textOf(row, timestamp), "Z") ?? 0) / 1000;
      return { labels: `{${[...labels, ...fixed].join(",")}}`, value: textOf(row, value), seconds };
    });
    const units = [...new Set(own.map((row) => textOf(row, unit)))].join(", ");
    const gauge = `ents_${toLabelName(name)}`;
    const of = isSummed(name, units) ? "the sum of the newest interval" : "the newest value";
    const what = escape(`${name}${units === "" ? "" : ` in ${units}`}: ${of}`);
    return [
      ...describeGauge(
        gauge,
        what,
        samples.map((sample) => sample.labels + " " + sample.value),
      ),
      ...describeGauge(
        `${gauge}_timestamp_seconds`,
        `The timestamp of the interval of ${gauge}`,
        samples.map((sample) => `${sample.labels} ${sample.seconds}`),
      ),
    ];
  });
  return [...lines.flat(), "# EOF\n"];
}

function describeGauge(name: string, help: string, samples: readonly string[]): string[] {
  return [`# TYPE ${name} gauge\n`, `# HELP ${name} ${help}\n`, ...samples.map((sample) => `${name}${sample}\n`)];
}

function isNumericCell(cell: Row[number] | undefined): boolean {
  return isLosslessNumber(cell) || (typeof cell === "string" && /^[-\d]/.test(cell));
}

function toLabelName(name: string): string {
  return name.replace(/\W/g, "_").replace(/^(?=\d)/, "_");
}

function escape(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
