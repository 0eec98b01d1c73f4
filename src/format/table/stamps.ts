/** Timestamps for reading: as short as possible while still distinct. */
import { INTERVALS, type Interval } from "../../base/vocabulary.ts";
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

/** The start of the year 0, and how many of its characters each precision leaves out. */
const START = "0000-01-01T00:00:00.000";
const LEFT_OUT = { year: 19, month: 16, day: 13, minute: 7, second: 4, millisecond: 0 } as const;

type Precision = keyof typeof LEFT_OUT;

/**
 * Creates a printer of timestamps, as short as their interval allows: `2025`, `2025-01`, `2025-01-31` or `2025-01-31 14:05`, or
 * longer if one of them needs it. Different instants with the same wall clock, as in the hour that daylight saving repeats, get
 * the UTC offset. `moments`: the timestamps that determine length and offsets.
 */
export function createMomentPrinter(moments: readonly WallClockTime[], interval: Interval | undefined): (moment: WallClockTime) => string {
  const length = measureStamps(moments, interval);
  const print = ({ wall }: WallClockTime) => wall.slice(0, length).replace("T", " ");
  const ambiguous = listAmbiguous(moments);
  let last: WallClockTime | undefined;
  let text = "";
  return (moment) => {
    // Most rows of the same instant follow each other.
    if (moment !== last) text = ambiguous.has(moment.wall) ? `${print(moment)} ${formatOffset(moment.offset)}` : print(moment);
    last = moment;
    return text;
  };
}

/** Number of characters of `2025-01-31T14:05:00.000` that are needed. */
export function measureStamps(moments: readonly WallClockTime[], interval: Interval | undefined): number {
  const names = Object.keys(LEFT_OUT) as Precision[];
  const allowed = names.slice(names.indexOf(findCoarsest(interval)));
  const isExact = (name: Precision) => moments.every(({ wall }) => LEFT_OUT[name] === 0 || wall.endsWith(START.slice(-LEFT_OUT[name])));
  return START.length - LEFT_OUT[allowed.find(isExact) ?? "millisecond"];
}

function findCoarsest(interval: Interval | undefined): Precision {
  if (interval === undefined) return "minute";
  const { bucket } = INTERVALS[interval];
  if ("ms" in bucket) return bucket.ms < DAY ? "minute" : "day";
  // A financial year spans two calendar years.
  return bucket.months === 12 && bucket.phase === 0 ? "year" : "month";
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
