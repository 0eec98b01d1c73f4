/** Small answers of a v4 service. */
import type { Answer } from "../support/scripted-service.ts";

/** A token, to check that it never appears. */
export const TOKEN = "oe_3ZKx81mTq7LwYd0PaBfE";

/** A string is sent as it is, to test the digits of a number. */
export type Points = readonly (readonly [timestamp: string, value: number | string | null])[];

interface SeriesSketch {
  readonly labels?: Readonly<Record<string, string | boolean>>;
  readonly points: Points;
}

export interface ItemSketch {
  readonly metric?: string;
  readonly unit?: string;
  readonly series: readonly SeriesSketch[];
}

export const HOUR: Points = [
  ["2025-01-01T00:00:00+10:00", 20380.1976],
  ["2025-01-01T01:00:00+10:00", 19727.6194],
];

/** Puts TimeSeries in the envelope of v4, as the public service sends them. */
export function envelope(items: readonly ItemSketch[]): Record<string, unknown> {
  return {
    version: "4.5.1",
    created_at: "2025-01-02T00:00:00+00:00",
    success: true,
    error: null,
    data: items.map(formatItem),
    total_records: null,
  };
}

function formatItem({ metric = "power", unit = "MW", series }: ItemSketch): unknown {
  const timestamps = series.flatMap(({ points }) => points.map(([timestamp]) => timestamp)).sort();
  const edges = { date_start: timestamps[0], date_end: timestamps.at(-1) };
  return {
    network_code: "NEM",
    metric,
    unit,
    interval: "1h",
    ...edges,
    groupings: [],
    network_timezone_offset: "+10:00",
    results: series.map(({ labels = {}, points }) => ({
      name: [metric, Object.values(labels).join("|") || "total"].join("_"),
      ...edges,
      columns: labels,
      data: points,
    })),
  };
}

/** Two hours of power. */
export const POWER: Answer = { body: envelope([{ series: [{ points: HOUR }] }]) };

/** An error body of the public service. */
export function refusal(status: number, error: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers, body: { version: "4.5.1", response_status: "ERROR", error, success: false } };
}
