/** `--minus`, `--rolling` and `--compare`: what they need, and how far back. */
import { usageError } from "../base/errors.ts";
import { findNearest } from "../base/nearest.ts";
import { nameOrCode } from "../base/code-names.ts";
import { FUELTECH_GROUP_OF } from "../base/fueltechs.ts";
import { findRule, findSplits, type Interval, type IntervalRule } from "../base/intervals.ts";
import { formatCount, formatList } from "../base/phrases.ts";
import { type CommandName, findNetwork, LABEL_OF_FILTER } from "../base/vocabulary.ts";
import { QUERY_FLAGS, QUERY_OPTIONS } from "../options/query-options.ts";
import { TRANSFORM_FLAGS, type TransformValues } from "../options/transform-options.ts";
import { addInterval, intervalStart, listSeasons } from "../time/calendar.ts";
import { type Duration, durationMs, formatDuration, subtractDuration } from "../time/duration.ts";
import { DAY, HOUR, type LocalTime, MINUTE } from "../time/local-time.ts";
import type { Computation } from "./computation.ts";
import { listRowLabels } from "./labels.ts";
import { findValues, type Parameter } from "./parameters.ts";
import type { Window } from "./window.ts";

/** What is made of the values of other intervals or series, in this order. */
export interface Transforms {
  /** The series that is subtracted from each other series. */
  readonly minus?: { readonly label: string; readonly value: string } | undefined;
  readonly rolling?: Duration | undefined;
  readonly compare?: Duration | undefined;
}

/** What the values are: `minus Victoria`, `rolling 12 months`, `compared with 1 year before`. */
export function describeTransforms({ transforms }: { readonly transforms?: Transforms | undefined }): string[] {
  const { minus, rolling, compare } = transforms ?? {};
  return [
    ...(minus ? [`minus ${nameOrCode(minus.label, minus.value, false)}`] : []),
    ...(rolling ? [`rolling ${nameDuration(rolling)}`] : []),
    ...(compare ? [`compared with ${nameBefore(compare)}`] : []),
  ];
}

/** `1 year before` */
export function nameBefore(duration: Duration): string {
  return `${nameDuration(duration)} before`;
}

function nameDuration({ amount, unit }: Duration): string {
  return formatCount(amount, unit.slice(0, -1));
}

/** How far back data are needed. */
interface Reach {
  /** How far before the start of the window data are asked for, in milliseconds. */
  readonly lead?: number;
  /** Another window that is asked for, before that. */
  readonly earlier?: Window;
}

interface TransformSubject {
  readonly command: CommandName;
  readonly network: string;
  readonly interval: Interval | undefined;
  readonly window: Window;
  readonly parameters: readonly Parameter[];
  readonly computation?: Computation | undefined;
}

/**
 * `now`: in network time, if it is known. @throws {EntsError} usage: a series, an interval or a window that transforms
 * cannot do with.
 */
export function resolveTransforms(
  { minus, rolling, compare }: Partial<TransformValues>,
  query: TransformSubject,
  now: LocalTime | undefined,
): Reach & { readonly transforms?: Transforms } {
  if (minus === undefined && !rolling && !compare) return {};
  const transforms: Transforms = {
    ...(minus === undefined ? {} : { minus: resolveMinus(minus, query) }),
    ...(rolling ? { rolling } : {}),
    ...(compare ? { compare } : {}),
  };
  if (!rolling && !compare) return { transforms };
  const flag = rolling ? TRANSFORM_FLAGS.rolling : TRANSFORM_FLAGS.compare;
  const { interval, window } = query;
  if (interval === undefined) throw usageError(`${flag} needs an interval`, `add ${QUERY_OPTIONS.interval.short} 1h`);
  for (const key of ["rolling", "compare"] as const) checkMultiple(key, transforms[key], interval);
  if (window.start === undefined)
    throw usageError(
      `${flag} needs the start of the window, to know what comes before it`,
      `add ${QUERY_FLAGS.last} 7d, or ${QUERY_OPTIONS.dateStart.short}`,
    );
  return { transforms, ...findReach(transforms, { ...window, start: window.start }, { interval, now }) };
}

/** The first instant that is printed of a window: the start of its first interval, or of its season's timestamp. */
export function findFirstPrinted(interval: Interval, start: LocalTime): LocalTime {
  return interval === "season" ? Math.min(...listSeasons(start, start + 92 * DAY)) : intervalStart(interval, start);
}

/** How far before the window data are asked for, and the other window that a comparison needs if that is far away. */
function findReach(
  { rolling, compare }: Transforms,
  { start, end }: Window & { readonly start: LocalTime },
  { interval, now }: { readonly interval: Interval; readonly now: LocalTime | undefined },
): Reach {
  const first = findFirstPrinted(interval, start);
  // A part of a summer would be missing from a window that begins in spring.
  const whole = (at: LocalTime) => intervalStart(findSplits(interval), at);
  const from = whole(rolling ? rollingStart(findRule(interval), first, rolling) : first);
  if (!compare) return { lead: start - from };
  const [earliest, until] = [whole(subtractDuration(from, compare)), end ?? now];
  if (until === undefined || interval === "season") return { lead: start - earliest };
  const earlier = { start: earliest, end: subtractDuration(until, compare) };
  // A service's gap is never as long as what is not asked for.
  const isApart = from - earlier.end > until - from && until >= start;
  return isApart ? { lead: start - from, earlier } : { lead: start - earliest };
}

/** The start of the first of the intervals that end with the one that starts at `start`. */
export function rollingStart(rule: IntervalRule, start: LocalTime, duration: Duration): LocalTime {
  return subtractDuration(addInterval(rule, start), duration);
}

function checkMultiple(key: "rolling" | "compare", duration: Duration | undefined, interval: Interval): void {
  if (!duration) return;
  const rule = findRule(interval);
  const [ms, { amount, unit }] = [durationMs(duration), duration];
  const months = unit === "years" ? 12 * amount : unit === "months" ? amount : undefined;
  const isMultiple =
    "months" in rule
      ? months !== undefined && months % rule.months === 0
      : ms === undefined
        ? DAY % rule.ms === 0
        : ms % rule.ms === 0;
  if (isMultiple) return;
  throw usageError(
    `${TRANSFORM_FLAGS[key]} ${formatDuration(duration)} is not a whole number of ${interval} intervals`,
    `use ${suggestDuration(rule, months)}, or a finer ${QUERY_FLAGS.interval}`,
  );
}

function suggestDuration(rule: IntervalRule, months: number | undefined): string {
  if ("months" in rule) return rule.months === 12 ? "1y or 2y" : `${rule.months === 1 ? 12 : rule.months}M or 1y`;
  if (rule.ms % (7 * DAY) === 0) return `${(rule.ms / DAY) * (months === undefined ? 1 : 52)}d`;
  if (rule.ms % DAY === 0) return `${(7 * rule.ms) / DAY}d`;
  return [rule.ms, 24 * rule.ms]
    .map((length) => (length % HOUR === 0 ? `${length / HOUR}h` : `${length / MINUTE}m`))
    .join(" or ");
}

/** @throws {EntsError} usage: no label, several labels, or a value that no series has. */
function resolveMinus(text: string, query: TransformSubject): NonNullable<Transforms["minus"]> {
  const flag = TRANSFORM_FLAGS.minus;
  const labels = [...new Set(listRowLabels(query))];
  const [, named, rest = text] = /^([a-z_]+)=(.*)$/.exec(text) ?? [];
  if (named !== undefined && !labels.includes(named))
    throw usageError(
      `${flag} ${text} needs series by ${named}`,
      labels.length > 0 ? `these are by ${formatList(labels, "and")}` : `add ${QUERY_FLAGS.groupBy} ${named}`,
    );
  const [only, ...others] = named === undefined ? labels : [named];
  if (only === undefined)
    throw usageError(
      `${flag} ${text} needs several series to choose from`,
      `add ${QUERY_FLAGS.groupBy} region, or another label`,
    );
  if (others.length > 0) {
    const known = labels.filter((label) => findKnownValues(label, query)?.some((one) => isSameText(one, text)));
    const written = (known.length > 0 ? known : labels).map((label) => `${flag} ${label}=${text}`);
    throw usageError(
      `${flag} ${text} needs a label: the series are by ${formatList(labels, "and")}`,
      `use ${formatList(written, "or")}`,
    );
  }
  return { label: only, value: spellValue(rest, only, query) };
}

/** As the service spells it. */
function spellValue(value: string, label: string, query: TransformSubject): string {
  const known = findKnownValues(label, query);
  if (known === undefined) return value;
  const spelt = known.find((one) => isSameText(one, value));
  if (spelt === undefined)
    throw usageError(`no series has the ${label} "${value}"`, `use ${formatList(known.slice(0, 8), "or")}`, {
      value,
      allowed: known,
      didYouMean: findNearest(value, known),
    });
  const parameter = Object.keys(LABEL_OF_FILTER).find((name) => LABEL_OF_FILTER[name] === label) ?? "";
  const asked = findValues(query, parameter);
  if (!asked || asked.includes(spelt)) return spelt;
  throw usageError(
    `${TRANSFORM_FLAGS.minus} ${spelt}: only ${formatList(asked, "and")} ${asked.length === 1 ? "is" : "are"} asked for`,
    `add ${spelt} to ${flagOfFilter(parameter)}`,
  );
}

function isSameText(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** Undefined if ents does not know the values of a label. */
function findKnownValues(label: string, { network }: TransformSubject): readonly string[] | undefined {
  return label === "region" ? findNetwork(network)?.regions : VALUES[label];
}

/** The values of labels, of any network. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  fueltech: Object.keys(FUELTECH_GROUP_OF),
  renewable: ["true", "false"],
};

function flagOfFilter(parameter: string): string {
  return parameter === "fueltech" ? QUERY_FLAGS.fueltech : QUERY_FLAGS.networkRegion;
}
