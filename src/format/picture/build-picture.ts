import { group } from "d3-array";
import type { Query } from "../../query/query.ts";
import type { TimeSeries } from "../../series/time-series.ts";
import type { Zone } from "../../time/zones.ts";
import { buildPanel } from "./panel.ts";
import type { Picture } from "./picture.ts";
import { findTimeAxis } from "./time-axis.ts";
import { describeSubject, nameSubject } from "./words.ts";

export interface Subject {
  readonly zone: Zone;
  /** Undefined for users of the library. */
  readonly query?: Query | undefined;
}

/** Describes merged series, in canonical order, as a picture. */
export function buildPicture(timeSeries: readonly TimeSeries[], { zone, query }: Subject): Picture {
  const units = group(timeSeries, ({ unit }) => unit);
  const built = [...units.values()].map(buildPanel).filter((one) => one !== undefined);
  const panels = built.map(({ panel }) => panel);
  const time = findTimeAxis(panels, timeSeries, zone);
  return {
    title: nameSubject(timeSeries, query),
    subtitle: describeSubject(timeSeries, { time, zone, query }),
    time,
    panels,
    notes: [...new Set(built.flatMap(({ notes }) => notes))],
  };
}
