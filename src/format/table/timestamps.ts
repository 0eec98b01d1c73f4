/** Timestamps for reading: as short as possible while still distinct. */
import { findRule, type Interval } from "../../base/intervals.ts";
import { nameInterval } from "../../time/interval-names.ts";
import { DAY, formatOffset, MINUTE } from "../../time/local-time.ts";

/** An instant with the wall clock of the table's zone. */
export class WallClockTime {
  /** Milliseconds since 1970 UTC. */
  readonly instant: number;
  /** The UTC offset of the wall clock, in minutes. */
  readonly offset: number;
  #iso: string | undefined;

  /** `wall`: the wall-clock time in milliseconds, as if it were UTC. */
  constructor(instant: number, wall: number) {
    this.instant = instant;
    this.offset = (wall - instant) / MINUTE;
  }

  /** `2025-01-31T14:05:00.000` */
  get wall(): string {
    this.#iso ??= new Date(this.instant + this.offset * MINUTE).toISOString().slice(0, -1);
    return this.#iso;
  }
}

/**
 * The characters of `2025-01-31T14:05:00.000` that each precision shows, and whether a wall clock needs no finer one.
 */
const PRECISIONS = [
  {
    name: "year",
    length: 4,
    isExact: (wall: number) => isMidnight(wall) && /-01-01T/.test(new Date(wall).toISOString()),
  },
  { name: "month", length: 7, isExact: (wall: number) => isMidnight(wall) && new Date(wall).getUTCDate() === 1 },
  { name: "day", length: 10, isExact: isMidnight },
  { name: "minute", length: 16, isExact: (wall: number) => wall % MINUTE === 0 },
  { name: "second", length: 19, isExact: (wall: number) => wall % 1000 === 0 },
  { name: "millisecond", length: 23, isExact: () => true },
] as const;

function isMidnight(wall: number): boolean {
  return wall % DAY === 0;
}

/**
 * Creates a printer of timestamps, as short as their interval allows: `2025`, `2025-01`, `FY2025`, `2025-01-31` or
 * `2025-01-31 14:05`, or longer if one of them needs it. Different instants with the same wall clock, as in the hour
 * that daylight saving repeats, get the UTC offset. `moments`: the timestamps that determine the offsets and, by
 * default, the `length`.
 */
export function createMomentPrinter(
  moments: readonly WallClockTime[],
  interval: Interval | undefined,
  length = measureTimestamps(
    Array.from(moments, ({ instant, offset }) => instant + offset * MINUTE),
    interval,
  ),
): (moment: WallClockTime) => string {
  const nameOf = ({ instant, offset }: WallClockTime) => nameInterval(interval, instant + offset * MINUTE);
  // No service has two intervals of one name.
  const isNamed = new Set(moments.map(nameOf)).size === new Set(moments.map(({ instant }) => instant)).size;
  const print = (moment: WallClockTime) =>
    (isNamed ? nameOf(moment) : undefined) ?? moment.wall.slice(0, length).replace("T", " ");
  const ambiguous = listAmbiguous(moments);
  let last: WallClockTime | undefined;
  let text = "";
  return (moment) => {
    // Most rows of the same instant follow each other.
    if (moment !== last)
      text = ambiguous.has(moment.wall) ? `${print(moment)} ${formatOffset(moment.offset)}` : print(moment);
    last = moment;
    return text;
  };
}

/** The characters that an ambiguous timestamp has more than others: ` +10:00`. */
export const OFFSET_LENGTH = 7;

/**
 * Number of characters of `2025-01-31T14:05:00.000` that are needed. `walls`: wall clocks in milliseconds, as if they
 * were UTC.
 */
export function measureTimestamps(walls: Iterable<number>, interval: Interval | undefined): number {
  let precision = PRECISIONS.findIndex(({ name }) => name === findCoarsest(interval));
  for (const wall of walls) while (!PRECISIONS[precision]?.isExact(wall)) precision++;
  return PRECISIONS[precision]?.length ?? 0;
}

function findCoarsest(interval: Interval | undefined): (typeof PRECISIONS)[number]["name"] {
  if (interval === undefined) return "minute";
  const rule = findRule(interval);
  if ("ms" in rule) return rule.ms < DAY ? "minute" : "day";
  // A financial year spans two calendar years.
  return rule.months === 12 && rule.phase === 0 ? "year" : "month";
}

function listAmbiguous(moments: readonly WallClockTime[]): ReadonlySet<string> {
  const offsets = new Map<string, number>();
  const ambiguous = new Set<string>();
  for (const { wall, offset } of moments) {
    if ((offsets.get(wall) ?? offset) !== offset) ambiguous.add(wall);
    offsets.set(wall, offset);
  }
  return ambiguous;
}
