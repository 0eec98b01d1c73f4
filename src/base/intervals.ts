/**
 * Intervals: those of v4, those that the public OpenElectricity service has added since, and any other that is so many
 * minutes, hours or days long. The maximum windows are the public service's (opennem/opennem 4.5.x).
 */

/**
 * The length of an interval, in milliseconds or calendar months, and its `phase`: the start of any one interval, in
 * milliseconds of network time since 1970, or as a month (0 is January).
 */
export type IntervalRule =
  | { readonly ms: number; readonly phase: number }
  | { readonly months: number; readonly phase: number };

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
/** 1970-01-04, a Sunday: the public service's weeks start on Sundays. */
const FIRST_SUNDAY = 3 * DAY;

interface IntervalFacts {
  readonly rule: IntervalRule;
  /** Where a window may be split, if not at every interval's start. */
  readonly splits?: IntervalRule;
  /** Maximum window of one request to the public service, in days, by kind of key; for `fy` it falls back to a week. */
  readonly maxDays: { readonly community: number; readonly paid: number };
  /** The version of the public service that added it, if v4 does not list it. */
  readonly since?: string;
}

/** The intervals that ents offers, from short to long. */
export const INTERVALS = {
  "5m": { rule: { ms: 5 * MINUTE, phase: 0 }, maxDays: { community: 8, paid: 30 } },
  "30m": { rule: { ms: 30 * MINUTE, phase: 0 }, maxDays: { community: 16, paid: 180 }, since: "4.5.17" },
  "1h": { rule: { ms: HOUR, phase: 0 }, maxDays: { community: 32, paid: 365 } },
  "1d": { rule: { ms: DAY, phase: 0 }, maxDays: { community: 366, paid: 3650 } },
  "7d": { rule: { ms: WEEK, phase: FIRST_SUNDAY }, maxDays: { community: 366, paid: 3650 } },
  "1M": { rule: { months: 1, phase: 0 }, maxDays: { community: 732, paid: 36500 } },
  "3M": { rule: { months: 3, phase: 0 }, maxDays: { community: 1830, paid: 36500 } },
  // Stamped with the first day of a quarter; January, February and December of a year are one season.
  season: {
    rule: { months: 3, phase: 0 },
    splits: { months: 12, phase: 0 },
    maxDays: { community: 1830, paid: 36500 },
  },
  "1y": { rule: { months: 12, phase: 0 }, maxDays: { community: 3700, paid: 36500 } },
  fy: { rule: { months: 12, phase: 6 }, maxDays: { community: 7, paid: 7 } },
} as const satisfies Record<string, IntervalFacts>;

export type ListedInterval = keyof typeof INTERVALS;

/** `30m needs OpenElectricity 4.5.17 or newer`: intervals that v4 does not list. */
export const NEWER_INTERVALS = Object.entries<IntervalFacts>(INTERVALS).flatMap(([interval, { since }]) =>
  since === undefined ? [] : [`${interval} needs OpenElectricity ${since} or newer`],
);

const UNITS = { m: MINUTE, h: HOUR, d: DAY } as const;

/** A listed interval, or one of whole minutes, hours or days, such as `15m`. */
export type Interval = ListedInterval | `${number}${keyof typeof UNITS}`;

export function isInterval(name: string): name is Interval {
  return isListed(name) || /^[1-9]\d{0,3}[mhd]$/.test(name);
}

function isListed(name: string): name is ListedInterval {
  return Object.hasOwn(INTERVALS, name);
}

export function findRule(interval: Interval): IntervalRule {
  if (isListed(interval)) return INTERVALS[interval].rule;
  const ms = Number.parseInt(interval, 10) * UNITS[interval.at(-1) as keyof typeof UNITS];
  return { ms, phase: ms % WEEK === 0 ? FIRST_SUNDAY : 0 };
}

/** Where a window may be split: at the starts of intervals; for seasons, only between years. */
export function findSplits(interval: Interval): IntervalRule {
  const facts: IntervalFacts | undefined = isListed(interval) ? INTERVALS[interval] : undefined;
  return facts?.splits ?? findRule(interval);
}

export function hasFixedLength(interval: Interval): boolean {
  return "ms" in findRule(interval);
}

/** False if it is unknown. */
export function isDayOrLonger(interval: Interval | undefined): boolean {
  const rule = interval && findRule(interval);
  return rule !== undefined && (!("ms" in rule) || rule.ms >= DAY);
}

/** The listed intervals of fixed length, from short to long. */
export const FIXED_INTERVALS = (Object.keys(INTERVALS) as ListedInterval[]).filter(hasFixedLength);

/** Maximum window of one request, in days. */
export type MaxDays = Readonly<Partial<Record<Interval, number>>>;

/** The built-in maximum windows of a kind of key. */
export function listMaxDays(kind: keyof IntervalFacts["maxDays"]): MaxDays {
  const facts = Object.entries<IntervalFacts>(INTERVALS);
  return Object.fromEntries(facts.map(([interval, { maxDays }]) => [interval, maxDays[kind]]));
}

/** An unlisted interval has the maximum window of the next shorter one with a limit, but at least its own length. */
export function findMaxDays(interval: Interval, maxDays: MaxDays): number {
  const shorter =
    FIXED_INTERVALS.findLast((other) => maxDays[other] !== undefined && lengthOf(other) <= lengthOf(interval)) ?? "5m";
  return maxDays[interval] ?? Math.max(maxDays[shorter] ?? 1, Math.ceil(lengthOf(interval) / DAY));
}

/** The next shorter listed interval, which fits into most limits; undefined for the shortest. */
export function findFiner(interval: Interval): Interval | undefined {
  const rule = findRule(interval);
  if ("months" in rule) return rule.months === 1 ? "1d" : "1M";
  return FIXED_INTERVALS.findLast((other) => lengthOf(other) < rule.ms);
}

/** Milliseconds of an interval of fixed length; Infinity for months. */
export function lengthOf(interval: Interval): number {
  const rule = findRule(interval);
  return "ms" in rule ? rule.ms : Number.POSITIVE_INFINITY;
}
