/**
 * Checks of what is physically or arithmetically impossible in outputs. A new rule is a file in `rules/` and an entry
 * in `rules.ts`.
 */
import type { Interval } from "../base/intervals.ts";
import { groupBy } from "../base/group-by.ts";
import { UNIT_LABEL } from "../base/vocabulary.ts";
import { type Facility, listUnits, type Unit } from "../facilities/facility.ts";
import { joinLists } from "../series/number-list.ts";
import { createNumberReader, lowerBound } from "../series/point-operations.ts";
import { createStepper } from "../series/intervals/grid.ts";
import { findClockOffset, findInterval, type Labels, type TimeSeries } from "../series/time-series.ts";

/** What an output has of a metric, by instants of its first and last interval. */
interface Cover {
  readonly output: string;
  from: number;
  to: number;
  /** True if it has only some fueltechs. */
  readonly isFiltered: boolean;
}

/** A series of one output or of several, one after the other, without intervals that are not over. */
export interface CheckedSeries {
  /** The outputs that it is from, in order of time, each with the instant from which on. */
  readonly pieces: readonly { readonly cover: Cover; readonly since: number }[];
  readonly network: string;
  readonly metric: string;
  readonly unit: string;
  readonly interval: Interval;
  readonly labels: Labels;
  /** Instants, in order. */
  readonly instants: Float64Array;
  /** One for each instant; NaN for a null. */
  readonly values: Float64Array;
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
export interface Violation {
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
  readonly find: (data: CheckedData) => readonly Violation[] | undefined;
}

export interface Finding extends Violation {
  readonly rule: string;
  /** The output that has it. */
  readonly output: string;
  /** The end of the last of consecutive readings. */
  readonly until: number;
}

interface OutputFacts {
  readonly interval: Interval | undefined;
  /** In milliseconds since 1970 UTC. */
  readonly now: number;
  /** True if fueltechs were asked for. */
  readonly isFiltered?: boolean;
  /** By metric, of all parts of the output that have been read. */
  readonly covers?: Map<string, Cover>;
}

/**
 * Copies the series of an output, or of a part of it. Series of unknown intervals are left out, and so are those without
 * an interval that is over.
 */
export function readSeries(
  output: string,
  timeSeries: readonly TimeSeries[],
  { interval, now, isFiltered = false, covers = new Map() }: OutputFacts,
): CheckedSeries[] {
  return timeSeries.flatMap((item) => {
    const own = findInterval(item) ?? interval;
    const step = createStepper(item, own);
    if (own === undefined || !step) return [];
    const { network, metric, unit } = item;
    const offset = findClockOffset(item);
    return item.series.flatMap(({ labels, points }): CheckedSeries | [] => {
      const instants = new Float64Array(points.instants).filter((instant) => step.next(instant) <= now);
      if (instants.length === 0) return [];
      const read = createNumberReader(points);
      const values = instants.map((_, index) => read(index) ?? Number.NaN);
      const cover = covers.get(metric) ?? { output, from: firstOf(instants), to: lastOf(instants), isFiltered };
      covers.set(metric, cover);
      cover.from = Math.min(cover.from, firstOf(instants));
      cover.to = Math.max(cover.to, lastOf(instants));
      const pieces = [{ cover, since: firstOf(instants) }];
      return { pieces, network, metric, unit, interval: own, labels, instants, values, next: step.next, offset };
    });
  });
}

/**
 * Joins series of which there are several parts: those of one output, or of several, as with a file a year. Parts of the
 * same time stay apart: both are checked.
 */
export function joinPieces(series: readonly CheckedSeries[]): CheckedSeries[] {
  return [...groupBy(series, (one) => one.metric + one.unit + keyOfSeries(one)).values()].flatMap((members) => {
    const chains: [CheckedSeries, ...CheckedSeries[]][] = [];
    for (const one of members.toSorted((a, b) => firstOf(a.instants) - firstOf(b.instants))) {
      const chain = chains.find(
        (earlier) => lastOf((earlier.at(-1) as CheckedSeries).instants) < firstOf(one.instants),
      );
      if (chain) chain.push(one);
      else chains.push([one]);
    }
    return chains.map((chain) =>
      chain.length === 1
        ? chain[0]
        : {
            ...chain[0],
            pieces: chain
              .flatMap(({ pieces }) => pieces)
              .filter(({ cover }, index, all) => cover !== all[index - 1]?.cover),
            instants: joinLists(chain.map(({ instants }) => instants)),
            values: joinLists(chain.map(({ values }) => values)),
          },
    );
  });
}

function firstOf(instants: Float64Array): number {
  return instants[0] as number;
}

function lastOf(instants: Float64Array): number {
  return instants.at(-1) as number;
}

/** NaN if there is no value at that instant. */
export function readAt({ instants, values }: CheckedSeries, instant: number): number {
  const index = lowerBound({ instants }, instant);
  return instants[index] === instant ? (values[index] as number) : Number.NaN;
}

/**
 * Of series with the same name: the value of the first that has one; NaN if none is known at this instant, undefined
 * outside of all.
 */
export function findValue(series: readonly CheckedSeries[], instant: number): number | undefined {
  let isInside = false;
  for (const one of series) {
    if (instant < firstOf(one.instants) || instant > lastOf(one.instants)) continue;
    const value = readAt(one, instant);
    if (!Number.isNaN(value)) return value;
    isInside = true;
  }
  return isInside ? Number.NaN : undefined;
}

/** Consecutive readings of one series are one finding, with the one farthest from what is expected. */
export function makeFindings({ name }: Rule, readings: readonly Violation[]): Finding[] {
  const findings: Finding[] = [];
  for (const reading of readings) {
    const { series, instant } = reading;
    const last = findings.at(-1);
    const until = series.next(instant);
    const { output } = (series.pieces.findLast(({ since }) => since <= instant) as CheckedSeries["pieces"][0]).cover;
    if (last?.series !== series || last.until !== instant || last.output !== output)
      findings.push({ ...reading, rule: name, output, until });
    else {
      const isWorse = Math.abs(reading.found - reading.expected) > Math.abs(last.found - last.expected);
      findings[findings.length - 1] = {
        ...last,
        ...(isWorse ? { found: reading.found, expected: reading.expected } : {}),
        until,
      };
    }
  }
  return findings;
}

/** The key that comparable series share: all but their metric, the output, and some labels. */
export function keyOfSeries({ network, interval, labels }: CheckedSeries, without: readonly string[] = []): string {
  const own = Object.entries(labels).filter(([name]) => !without.includes(name));
  return JSON.stringify([network, interval, own.toSorted(([a], [b]) => (a < b ? -1 : 1))]);
}

/** Pairs series with each other of the same key. */
export function pairSeries(
  series: readonly CheckedSeries[],
  others: readonly CheckedSeries[],
  keyOf: (one: CheckedSeries) => string,
): (readonly [one: CheckedSeries, other: CheckedSeries])[] {
  const known = groupBy(others, keyOf);
  return series.flatMap((one) => (known.get(keyOf(one)) ?? []).map((other) => [one, other] as const));
}

/** The power of units that have a limit, each with it, in MW. */
export function pairWithLimits({ series, facilities = [] }: CheckedData, limitOf: (unit: Unit) => number | undefined) {
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
export function compareAll(
  series: CheckedSeries,
  expectedAt: (instant: number) => number | undefined,
  tolerance: Tolerance,
): Violation[] {
  return findViolations(series, (found, instant) => {
    const expected = expectedAt(instant) ?? Number.NaN;
    return isFar(found, expected, tolerance) ? expected : undefined;
  });
}

/** `judge`: what is expected in place of a reading that cannot be right; undefined for any other. */
export function findViolations(
  series: CheckedSeries,
  judge: (found: number, instant: number) => number | undefined,
): Violation[] {
  const violations: Violation[] = [];
  series.values.forEach((found, index) => {
    const instant = series.instants[index] as number;
    const expected = judge(found, instant);
    if (expected !== undefined) violations.push({ series, instant, found, expected });
  });
  return violations;
}
