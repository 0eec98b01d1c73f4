/** `Error executing query`: what the public service says of a query that is too heavy (in-practice.md, Errors). */
import { INTERVALS, isInterval } from "../base/vocabulary.ts";
import { FETCH_FLAGS } from "../options/fetch-options.ts";
import { networkNow } from "../plan/plan.ts";
import { bucketLengths } from "../time/buckets.ts";
import { formatDuration } from "../time/duration.ts";
import { DAY, MINUTE } from "../time/local-time.ts";

export function isHeavyQuery(status: number, said: string | undefined): boolean {
  return status === 500 && /\bexecuting query\b/i.test(said ?? "");
}

/** Proposes half of the window of a request, where that can be split. */
export function adviseSmallerWindow({ pathname, searchParams }: URL, now: number): string {
  const half = findHalf(searchParams, networkNow(decodeURIComponent(pathname.split("/").at(-1) ?? ""), now));
  return `if it fails again, use ${half === undefined ? "a shorter window or fewer metrics" : `a smaller ${FETCH_FLAGS.maxWindow}, such as ${half}`}`;
}

const UNITS = [
  { unit: "days", ms: DAY },
  { unit: "hours", ms: 60 * MINUTE },
  { unit: "minutes", ms: MINUTE },
] as const;

/** Undefined where a window, or an interval to cut it by, was not given, or half of it is shorter than a bucket. */
function findHalf(query: URLSearchParams, now: number | undefined): string | undefined {
  const [start, end, interval] = ["date_start", "date_end", "interval"].map((name) => query.get(name) ?? undefined);
  const to = end === undefined ? now : Date.parse(`${end}Z`);
  if (start === undefined || to === undefined || interval === undefined || !isInterval(interval)) return undefined;
  const half = (to - Date.parse(`${start}Z`)) / 2;
  const { bucket } = INTERVALS[interval];
  const { unit, ms } = UNITS.find((one) => half >= one.ms) ?? UNITS[2];
  const amount = Math.round(half / ms);
  return amount * ms < bucketLengths(bucket).longest ? undefined : formatDuration({ amount, unit });
}
