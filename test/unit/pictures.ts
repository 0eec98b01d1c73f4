/** Series for pictures, and their pictures. */
import { buildPicture } from "../../src/format/picture/model/build-picture.ts";
import type { Panel, Picture, PictureSeries } from "../../src/format/picture/model/picture.ts";
import type { TimeSeries } from "../../src/series/time-series.ts";
import { createZone } from "../../src/time/iana-zone.ts";
import { type ItemModel, type LabelValue, readBody, toBody } from "./generators.ts";

type Values = readonly (number | null)[];
type SeriesOf = readonly [labels: Readonly<Record<string, LabelValue>>, values: Values];

const MINUTES: Readonly<Record<string, number>> = { "5m": 5, "1h": 60, "1d": 1440 };

/** 2025-01-31T14:00Z is midnight in network time. */
export const START = Date.UTC(2025, 0, 31, 14);

/**
 * A NEM TimeSeries from midnight of 1 February 2025; months start in January 2025, and seasons and financial years have
 * the public service's timestamps.
 */
export function createItem(kind: string, series: readonly SeriesOf[]): TimeSeries {
  const [metric = "", unit = "", interval = "5m"] = kind.split(" ");
  const model: ItemModel = {
    metric,
    unit,
    series: series.map(([labels, values]) => ({
      labels,
      points: values.map(
        (value, index) => [timestampOf(interval, index), value === null ? null : String(value)] as const,
      ),
    })),
  };
  const body = JSON.parse(toBody([model])) as { data: Record<string, unknown>[] };
  for (const item of body.data) item["interval"] = interval;
  return readBody(JSON.stringify(body))[0] as TimeSeries;
}

function timestampOf(interval: string, index: number): string {
  if (interval === "1y") return `${2025 + index}-01-01T00:00:00+10:00`;
  if (interval === "fy") return `${2024 + index}-01-01T00:00:00+10:00`;
  if (interval === "season") return new Date(Date.UTC(2025, 3 * index)).toISOString().replace(".000Z", "+10:00");
  if (interval === "1M") return new Date(Date.UTC(2025, index)).toISOString().replace(".000Z", "+10:00");
  return new Date(Date.UTC(2025, 1) + index * (MINUTES[interval] ?? 0) * 60_000)
    .toISOString()
    .replace(".000Z", "+10:00");
}

export const SUBJECT = { zone: createZone("network"), rawNames: true };

/** A query of units, without parameters. */
export const QUERY = {
  command: "facilities",
  network: "NEM",
  metrics: ["power"],
  interval: "5m",
  window: { start: undefined, end: undefined },
  parameters: [],
} as const;

/** With codes, as most tests are about other things than names. */
export function draw(...items: readonly TimeSeries[]): Picture {
  return buildPicture(items, SUBJECT);
}

/** With a list of units, given as `facility fueltech` by code. */
export function drawListed(
  list: Readonly<Record<string, readonly string[]>>,
  ...items: readonly TimeSeries[]
): Picture {
  const units = Object.entries(list).flatMap(([name, codes]) => {
    const [facility = "", fueltech] = name.split(" ");
    return codes.map((code) => [code, { facility, fueltech }] as const);
  });
  return buildPicture(items, { ...SUBJECT, units: new Map(units) });
}

export function onlyPanel({ panels }: Picture): Panel {
  if (panels.length !== 1) throw new Error(`${panels.length} panels`);
  return panels[0] as Panel;
}

export function findSeries({ series }: Panel, name: string): PictureSeries {
  const found = series.find((one) => one.name === name);
  if (!found) throw new Error(`no series ${name}, but ${series.map((one) => one.name).join(", ")}`);
  return found;
}

export function namesOf({ series }: Panel): string[] {
  return series.map(({ name }) => name);
}
