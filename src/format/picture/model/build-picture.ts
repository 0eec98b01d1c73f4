/** Builds a picture: its panels, one for each unit, over one time axis. */
import { extent, group } from "d3-array";
import { findClockOffset, findInterval, type TimeSeries } from "../../../series/time-series.ts";
import { formatMinute, HOUR } from "../../../time/local-time.ts";
import { isForecast } from "../../../base/vocabulary.ts";
import { describeRuns } from "../../forecast-text.ts";
import { findPartialStarts } from "../../partial-starts.ts";
import { createStepper } from "../../../series/intervals/grid.ts";
import { nameIntervals } from "../../table/headings.ts";
import { WallClockTime } from "../../table/timestamps.ts";
import { buildPanels } from "./build-panels.ts";
import type { Panel, Picture, Subject, TimeAxis } from "./picture.ts";
import { describeSubject, nameSubject } from "./words.ts";

/** Builds the picture of merged series, in canonical order. */
export function buildPicture(timeSeries: readonly TimeSeries[], subject: Subject): Picture {
  const units = [...group(timeSeries, ({ unit }) => unit).values()];
  const panels = units.flatMap((items) => buildPanels(items, subject, units.length === 1));
  const { metrics, about } = nameSubject(timeSeries, subject);
  const unit = units.length === 1 ? panels[0]?.unit : undefined;
  const { time, remarks } = describeTime(panels, timeSeries, subject);
  return {
    title: `${metrics || (about === "" ? "No data" : "Data")}${about}${unit === undefined ? "" : ` (${unit})`}`,
    about,
    subtitle: describeSubject(timeSeries, { ...subject, time }),
    time,
    panels,
    isSplit: units.length === 1 && panels.length > 1,
    sharesLegend: panels.length > 1 && new Set(panels.map(describeLegend)).size === 1,
    notes: [...new Set(panels.flatMap((panel) => panel.notes))],
    remarks,
  };
}

function describeLegend({ mark, series }: Panel): string {
  return JSON.stringify([mark === "line", ...series.map(({ name, colour }) => [name, colour])]);
}

interface Times {
  readonly time: TimeAxis;
  readonly remarks: readonly string[];
}

function describeTime(panels: readonly Panel[], timeSeries: readonly TimeSeries[], subject: Subject): Times {
  const { zone, partial = [] } = subject;
  const first = timeSeries.find(({ series }) => series.some(({ points }) => points.instants.length > 0));
  const offset = first ? findClockOffset(first) : 0;
  const columns = panels.find(({ ends }) => ends !== undefined);
  const starts = columns?.series[0]?.times;
  const interval = first && findInterval(first);
  const toWallClock = (instant: number) => zone.toWallClock(instant, offset);
  const points = first?.series.find((series) => series.points.instants.length > 0)?.points;
  const marked = partial.map(({ starts: timestamps, why }) => ({
    instants: points ? findPartialStarts({ points, interval, offset }, timestamps) : [],
    why,
  }));
  const domain = findTimeDomain(panels);
  const forecast = describeForecast(timeSeries, subject, { domain, toWallClock });
  const next = (instant: number) => (first && createStepper(first, undefined)?.next(instant)) ?? instant;
  return {
    time: {
      domain,
      toWallClock,
      interval,
      intervals: starts && columns?.ends && { starts, ends: columns.ends },
      // Without columns, the newest point is at the end of the axis: the line to it is marked.
      partial: [
        ...marked.flatMap(({ instants }) =>
          instants.map(
            (instant) => [instant < domain[1] ? instant : instant - (next(instant) - instant), Math.min(next(instant), domain[1])] as const,
          ),
        ),
        ...(forecast.now === undefined ? [] : [[forecast.now, domain[1]] as const]),
      ],
      now: forecast.now,
    },
    remarks: [
      ...forecast.remarks,
      ...marked.flatMap(({ instants, why }) => {
        const names = nameIntervals(
          instants.map((instant) => new WallClockTime(instant, toWallClock(instant))),
          interval,
        );
        return names.length === 0 ? [] : [`${names.join(", ")} ${names.length === 1 ? "is" : "are"} ${why}`];
      }),
    ],
  };
}

/** Where measured data end, and what is said of the forecast. */
function describeForecast(
  timeSeries: readonly TimeSeries[],
  { zone, createdAt }: Subject,
  { domain: [first, last], toWallClock }: Pick<TimeAxis, "domain" | "toWallClock">,
): { readonly now: number | undefined; readonly remarks: readonly string[] } {
  const forecasts = timeSeries.filter(({ metric }) => isForecast(metric));
  if (forecasts.length === 0) return { now: undefined, remarks: [] };
  const issued = describeRuns(forecasts, zone);
  const now = createdAt !== undefined && createdAt > first && createdAt < last ? createdAt : undefined;
  if (now === undefined) return { now, remarks: issued === undefined ? [] : [`forecast ${issued}`] };
  const told = `after ${formatMinute(toWallClock(now))} (now): forecast`;
  return { now, remarks: [issued === undefined ? told : `${told}, ${issued}`] };
}

function findTimeDomain(panels: readonly Panel[]): [number, number] {
  const instants = panels.flatMap(({ series, ends }) => [...series.flatMap(({ times }) => [times[0], times.at(-1)]), ends?.at(-1)]);
  const [start, end] = extent(instants, (instant) => instant);
  if (start === undefined || end === undefined) return [0, HOUR];
  return start === end ? [start - HOUR, end + HOUR] : [start, end];
}
