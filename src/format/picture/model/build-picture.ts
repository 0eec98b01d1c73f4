/** Builds a picture: its panels, one for each unit, over one time axis. */
import { extent, group, min, rollup, sort } from "d3-array";
import { findClockOffset, findInterval, type TimeSeries } from "../../../series/time-series.ts";
import { formatMinute, HOUR } from "../../../time/local-time.ts";
import { escapeControls } from "../../../base/terminal.ts";
import { describeCapacity } from "../../../query/computation.ts";
import { isForecast } from "../../../base/vocabulary.ts";
import { describeRuns } from "../../forecast-text.ts";
import { findPartialStarts } from "../../../series/partial-starts.ts";
import { createStepper } from "../../../series/intervals/grid.ts";
import { nameIntervals } from "../../table/headings.ts";
import { WallClockTime } from "../../table/timestamps.ts";
import { buildPanels } from "./build-panels.ts";
import { chooseStyles } from "./colours.ts";
import { describeFigures } from "./legend.ts";
import { type Figures, type Panel, type Picture, printUnit, type Subject, type TimeAxis } from "./picture.ts";
import { OTHER_AXES } from "./time-ticks.ts";
import { composeTitle, describeSubject, nameSubject, titleMetrics } from "./words.ts";

/** Builds the picture of merged series, in canonical order. */
export function buildPicture(timeSeries: readonly TimeSeries[], subject: Subject): Picture {
  const incomplete = findIncomplete(timeSeries, subject);
  const partial = new Set(incomplete.flatMap(({ instants }) => instants));
  const units = [...group(timeSeries, ({ unit }) => unit).values()];
  const drafts = units.flatMap((items) => buildPanels(items, { ...subject, partial }, units.length === 1));
  const late = new Set(drafts.flatMap((draft) => draft.late));
  const styleOf = chooseStyles(
    drafts.map(({ mark, isOrdered, unfolded, entries }) => ({ mark, isOrdered, entries: [...unfolded, ...entries] })),
    subject,
  );
  const panels = drafts.map(
    ({ entries, isPart: _isPart, unfolded: _unfolded, late: ownLate, remarks: _remarks, ...panel }): Panel => {
      const figures = describeFigures(
        entries,
        panel.mark,
        ownLate.length === 0 ? partial : new Set([...partial, ...ownLate]),
      );
      const series = entries.map(({ name, times, values, picked }, index) => ({
        name,
        times,
        values,
        picked,
        ...styleOf(name, panel.mark),
        figures: figures[index] as Figures,
      }));
      return { ...panel, series };
    },
  );
  const subjectName = nameSubject(timeSeries, subject);
  const hasSeries = timeSeries.some(({ series }) => series.length > 0);
  const metrics = titleMetrics([
    ...new Set(hasSeries ? timeSeries.map(({ metric }) => metric) : subject.query?.metrics),
  ]);
  const isSplit = panels.length > 1 && drafts.some(({ isPart }) => isPart);
  const unit = panels.length === 1 || isSplit ? ` (${printUnit(panels[0] as Panel)})` : "";
  const { time, remarks } = createPictureTime(panels, timeSeries, { ...subject, incomplete, late });
  const title = composeTitle(subjectName, metrics || (subjectName.about === "" ? "No data" : "Data")) + unit;
  const subtitle = describeSubject(timeSeries, { ...subject, time });
  return {
    title: subject.title === undefined ? title : escapeControls(subject.title),
    subjectName,
    ...(subject.title === undefined ? { subtitle } : { hasOwnTitle: true, subtitle: `${title}, ${subtitle}` }),
    isSynthetic: subject.isSynthetic === true,
    time,
    panels,
    isSplit,
    sharesLegend: panels.length > 1 && new Set(panels.map(describeLegend)).size === 1,
    notes: isSplit ? [...new Set(panels.flatMap(({ notes }) => notes))] : describeNotes(panels),
    remarks: [
      ...describeCapacity(subject.query ?? {}),
      ...new Set(drafts.flatMap((draft) => draft.remarks)),
      ...(subject.analysis?.picked && subject.analysis.about !== undefined ? [subject.analysis.about] : []),
      ...remarks,
    ],
    source: subject.source,
  };
}

/** What is said of some panels alone names them. */
function describeNotes(panels: readonly Panel[]): string[] {
  const titles = rollup(
    panels.flatMap(({ title, notes }) => notes.map((note) => ({ title, note }))),
    (all) => all.map(({ title }) => title),
    ({ note }) => note,
  );
  return Array.from(titles, ([note, of]) => (of.length === panels.length ? note : `${note} (${of.join(", ")})`));
}

interface Incomplete {
  readonly instants: readonly number[];
  readonly why: string;
}

/** Finds the intervals that are not complete in any series. */
function findIncomplete(timeSeries: readonly TimeSeries[], { partial = [] }: Subject): Incomplete[] {
  return partial.map(({ starts, why }) => {
    const instants = timeSeries.flatMap((item) =>
      item.series.flatMap(({ points }) =>
        findPartialStarts({ points, interval: findInterval(item), offset: findClockOffset(item) }, starts),
      ),
    );
    return { instants: sort(new Set(instants)), why };
  });
}

function describeLegend({ mark, series }: Panel): string {
  return JSON.stringify([mark === "line", ...series.map(({ name, colour }) => [name, colour])]);
}

interface PictureTime {
  readonly time: TimeAxis;
  readonly remarks: readonly string[];
}

function createPictureTime(
  panels: readonly Panel[],
  timeSeries: readonly TimeSeries[],
  subject: Subject & { readonly incomplete: readonly Incomplete[]; readonly late: ReadonlySet<number> },
): PictureTime {
  const { zone, incomplete, late, analysis } = subject;
  const other = analysis?.axis && OTHER_AXES[analysis.axis];
  const first = timeSeries.find(({ series }) => series.some(({ points }) => points.instants.length > 0));
  const offset = first ? findClockOffset(first) : 0;
  const columns = panels.find(({ ends }) => ends !== undefined);
  const starts = columns?.series[0]?.times;
  const interval = first && findInterval(first);
  const toWallClock = (instant: number) => (other ? instant + other.start : zone.toWallClock(instant, offset));
  const next = (instant: number) => (first && createStepper(first, undefined)?.next(instant)) ?? instant;
  const points = findTimeDomain(panels);
  const isAlone = points[0] === points[1] && next(points[0]) > points[0];
  const domain = other?.domain ?? (isAlone ? ([points[0], next(points[0])] as const) : widen(points));
  const forecast = describeForecast(timeSeries, subject, { domain, toWallClock });
  const lateFrom = min(late);
  return {
    time: {
      domain,
      toWallClock,
      interval,
      intervals:
        isAlone && !other
          ? { starts: Float64Array.of(domain[0]), ends: Float64Array.of(domain[1]) }
          : starts && columns?.ends && { starts, ends: columns.ends },
      // Without columns, the newest point is at the end of the axis: the line to it is marked.
      partial: [
        ...incomplete.flatMap(({ instants }) =>
          instants.map(
            (instant) =>
              [
                instant < domain[1] ? instant : instant - (next(instant) - instant),
                Math.min(next(instant), domain[1]),
              ] as const,
          ),
        ),
        ...[forecast.now, lateFrom].flatMap((start) => (start === undefined ? [] : [[start, domain[1]] as const])),
      ],
      now: forecast.now,
      other,
    },
    remarks: [
      ...forecast.remarks,
      ...(lateFrom === undefined
        ? []
        : [`from ${formatMinute(toWallClock(lateFrom))} on, rooftop solar has no values yet`]),
      ...incomplete.flatMap(({ instants, why }) => {
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
  const instants = panels.flatMap(({ series, ends }) => [
    ...series.flatMap(({ times }) => [times[0], times.at(-1)]),
    ends?.at(-1),
  ]);
  const [start, end] = extent(instants, (instant) => instant);
  return start === undefined || end === undefined ? [0, HOUR] : [start, end];
}

/** A domain is never empty. */
function widen([start, end]: readonly [number, number]): readonly [number, number] {
  return start === end ? [start - HOUR, end + HOUR] : [start, end];
}
