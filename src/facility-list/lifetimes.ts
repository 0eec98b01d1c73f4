/** Explains a result without data by when its units had any. */
import { formatCount } from "../base/phrases.ts";
import type { PlacedUnit } from "../facilities/facility.ts";
import type { Window } from "../query/window.ts";
import { formatShort, type LocalTime } from "../time/local-time.ts";

/** How many units are named. */
const MOST = 3;

/** When the units had data, if that is never in the window. Empty if one may have some. */
export function describeLifetimes(units: readonly PlacedUnit[], { start, end }: Window): string[] {
  // The service's timestamps are in network time.
  const timeOf = (timestamp: string | undefined) =>
    timestamp === undefined ? undefined : Date.parse(`${timestamp.slice(0, 19)}Z`);
  const lives = units.map(({ unit }) => ({
    code: unit.code,
    first: timeOf(unit.firstData),
    last: unit.status === "retired" ? timeOf(unit.lastData) : undefined,
  }));
  const isOutside = ({ first, last }: (typeof lives)[0]) =>
    first === undefined ||
    (end !== undefined && first > end) ||
    (start !== undefined && last !== undefined && last < start);
  if (lives.length === 0 || !lives.every(isOutside)) return [];
  const day = (at: LocalTime) => formatShort(at).slice(0, 10);
  const named = lives.slice(0, MOST).map(({ code, first, last }) => {
    if (first === undefined) return `${code} has had no data yet`;
    return start !== undefined && last !== undefined && last < start
      ? `${code} has data until ${day(last)}`
      : `${code} has data from ${day(first)} on`;
  });
  const rest = lives.length - named.length;
  return [...named, ...(rest > 0 ? [`and so on for ${formatCount(rest, "more unit")}`] : [])];
}
