/** Checks of what is physically or arithmetically impossible in outputs. A new rule is a file in `rules/` and an entry in `rules.ts`. */
import type { Interval } from "../base/intervals.ts";
import { UNIT_LABEL } from "../base/vocabulary.ts";
import { type Facility, listUnits, type Unit } from "../facilities/facility.ts";
import { createNumberReader } from "../series/point-operations.ts";
import { createStepper } from "../series/intervals/grid.ts";
import { findClockOffset, findInterval, type Labels, type TimeSeries } from "../series/time-series.ts";

/** A series of an output, without intervals that are not over. */
export interface CheckedSeries {
  /** The name of the output. */
  readonly output: string;
  readonly network: string;
  readonly metric: string;
  readonly unit: string;
  readonly interval: Interval;
  readonly labels: Labels;
  /** Instants. */
  readonly times: readonly number[];
  /** By instant; NaN for a null. */
  readonly values: ReadonlyMap<number, number>;
  /** The end of the interval that starts at an instant. */
  readonly next: (instant: number) => number;
  /** UTC offset of network time, in minutes. */
  readonly offset: number;
}

export interface CheckedData {
  readonly series: readonly CheckedSeries[];
  /** The list of units; undefined if none is stored. */
  readonly facilities: readonly Facility[] | undefined;
}

/** A reading that cannot be right. */
export interface Reading {
  readonly series: CheckedSeries;
  readonly instant: number;
  readonly found: number;
  readonly expected: number;
}

export interface Rule {
  readonly name: string;
  /** What must hold, and how far from it a reading must be. */
  readonly says: string;
  /** What outputs must have to be checked. */
  readonly needs: string;
  readonly source: string;
  /** The readings that cannot be right, in order of time for each series; undefined if there is nothing to check. */
  readonly find: (data: CheckedData) => readonly Reading[] | undefined;
}

export interface Finding extends Reading {
  readonly rule: string;
  /** The end of the last of consecutive readings. */
  readonly until: number;
}

/** `now`: milliseconds since 1970 UTC. Series of unknown intervals are left out. */
export function readSeries(
  output: string,
  timeSeries: readonly TimeSeries[],
  { interval, now }: { interval: Interval | undefined; now: number },
): CheckedSeries[] {
  return timeSeries.flatMap((item) => {
    const own = findInterval(item) ?? interval;
    const step = createStepper(item, own);
    if (own === undefined || !step) return [];
    const { network, metric, unit } = item;
    return item.series.map(({ labels, points }): CheckedSeries => {
      const read = createNumberReader(points);
      const times = [...points.instants].filter((instant) => step.next(instant) <= now);
      const values = new Map(times.map((instant, index) => [instant, read(index) ?? Number.NaN]));
      return { output, network, metric, unit, interval: own, labels, times, values, next: step.next, offset: findClockOffset(item) };
    });
  });
}

/** Consecutive readings of one series are one finding, with the one farthest from what is expected. */
export function makeFindings({ name }: Rule, readings: readonly Reading[]): Finding[] {
  const findings: Finding[] = [];
  for (const reading of readings) {
    const { series, instant } = reading;
    const last = findings.at(-1);
    const until = series.next(instant);
    if (last?.series !== series || last.until !== instant) findings.push({ ...reading, rule: name, until });
    else {
      const isWorse = Math.abs(reading.found - reading.expected) > Math.abs(last.found - last.expected);
      findings[findings.length - 1] = { ...last, ...(isWorse ? { found: reading.found, expected: reading.expected } : {}), until };
    }
  }
  return findings;
}

/** The key that comparable series share: all but their metric, the output, and some labels. */
export function keyOfSeries({ network, interval, labels }: CheckedSeries, without: readonly string[] = []): string {
  const own = Object.entries(labels).filter(([name]) => !without.includes(name));
  return JSON.stringify([network, interval, own.toSorted(([a], [b]) => (a < b ? -1 : 1))]);
}

/** Pairs series with the other of the same key. */
export function pairSeries(
  series: readonly CheckedSeries[],
  others: readonly CheckedSeries[],
  keyOf: (one: CheckedSeries) => string,
): (readonly [one: CheckedSeries, other: CheckedSeries])[] {
  const known = new Map(others.map((other) => [keyOf(other), other]));
  return series.flatMap((one) => {
    const other = known.get(keyOf(one));
    return other ? [[one, other] as const] : [];
  });
}

/** The power of units that have a limit, each with it, in MW. */
export function limitPower({ series, facilities = [] }: CheckedData, limitOf: (unit: Unit) => number | undefined) {
  const limits = new Map(
    listUnits(facilities).flatMap(({ unit }) => {
      const limit = limitOf(unit);
      return limit === undefined ? [] : [[unit.code, limit] as const];
    }),
  );
  return series.flatMap((one) => {
    const limit = one.metric === "power" ? limits.get(String(one.labels[UNIT_LABEL])) : undefined;
    return limit === undefined ? [] : [{ one, limit }];
  });
}

/** How far a value may be from what is expected: by a share of the expected size, or by as much as `least`. */
interface Tolerance {
  readonly share: number;
  readonly least: number;
}

function isFar(found: number, expected: number, { share, least }: Tolerance): boolean {
  const difference = Math.abs(found - expected);
  return difference > share * Math.abs(expected) && difference > least;
}

/** Compares readings at which both values are known. */
export function compareAll(series: CheckedSeries, expectedAt: (instant: number) => number | undefined, tolerance: Tolerance): Reading[] {
  return series.times.flatMap((instant) => {
    const [found = Number.NaN, expected = Number.NaN] = [series.values.get(instant), expectedAt(instant)];
    return isFar(found, expected, tolerance) ? [{ series, instant, found, expected }] : [];
  });
}
