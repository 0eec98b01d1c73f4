import { group } from "d3-array";
import { findClockOffset, findInterval, type TimeSeries } from "../../../series/time-series.ts";
import { MAX_ENTRIES } from "./entries.ts";
import { buildPanel } from "./panel.ts";
import type { Panel, Picture, Subject, TimeAxis } from "./picture.ts";
import { describeSubject, nameSubject } from "./words.ts";
import { HOUR } from "../../../time/local-time.ts";
import type { Zone } from "../../../time/zone.ts";

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

/** The time axis of all panels. */
function findTimeAxis(panels: readonly Panel[], timeSeries: readonly TimeSeries[], zone: Zone): TimeAxis {
  const [first] = timeSeries;
  const columns = panels.find(({ ends }) => ends !== undefined);
  const offset = first ? findClockOffset(first) : 0;
  return {
    domain: findDomain(panels),
    toWallClock: (instant) => zone.toWallClock(instant, offset),
    interval: first && findInterval(first),
    ...(columns?.ends && columns.series[0] ? { buckets: { starts: columns.series[0].times, ends: columns.ends } } : {}),
  };
}

function findDomain(panels: readonly Panel[]): [number, number] {
  let start = Number.POSITIVE_INFINITY;
  let end = Number.NEGATIVE_INFINITY;
  for (const { series, ends } of panels) {
    for (const { times } of series) {
      start = Math.min(start, times[0] ?? start);
      end = Math.max(end, times.at(-1) ?? end, ends?.at(-1) ?? end);
    }
  }
  if (start > end) return [0, HOUR];
  return start === end ? [start - HOUR, end + HOUR] : [start, end];
}
