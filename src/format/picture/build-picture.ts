import { group } from "d3-array";
import type { TimeSeries } from "../../series/time-series.ts";
import { MAX_ENTRIES } from "./entries.ts";
import { buildPanel } from "./panel.ts";
import type { Picture, Subject } from "./picture.ts";
import { findTimeAxis } from "./time-axis.ts";
import { describeSubject, nameSubject } from "./words.ts";

/** Describes merged series, in canonical order, as a picture. */
export function buildPicture(timeSeries: readonly TimeSeries[], subject: Subject): Picture {
  const units = group(timeSeries, ({ unit }) => unit);
  const built = [...units.values()].map((items) => buildPanel(items, subject.maxEntries ?? MAX_ENTRIES)).filter((one) => one !== undefined);
  const panels = built.map(({ panel }) => panel);
  const time = findTimeAxis(panels, timeSeries, subject.zone);
  return {
    title: nameSubject(timeSeries, subject.query),
    subtitle: describeSubject(timeSeries, { ...subject, time }),
    time,
    panels,
    notes: [...new Set(built.flatMap(({ notes }) => notes))],
  };
}
