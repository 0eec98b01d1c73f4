/** Fetches new data once per interval, and keeps trying when the service fails. */
import type { Context } from "../base/context.ts";
import { EntsError } from "../base/errors.ts";
import type { Report } from "../base/report.ts";
import type { Query } from "../query/query.ts";
import type { Chunk } from "../series/merge.ts";
import { formatLocalTime, MINUTE } from "../time/local-time.ts";
import { explainNoData } from "../export/failure.ts";
import { formatSeconds } from "../export/progress-line.ts";
import { type FollowClock, createCalendar } from "./intervals.ts";
import { type News, Tracker } from "./tracker.ts";

interface Following {
  readonly query: Query;
  /** `now`: in milliseconds since 1970 UTC. */
  readonly fetch: (query: Query, now: number) => Promise<Chunk>;
}

/** Yields new data in order of time, without end. @throws {EntsError} if waiting does not help; the signal's reason. */
export async function* followRounds(
  { query, fetch }: Following,
  context: Context,
  report: Pick<Report, "note" | "progress">,
): AsyncGenerator<News> {
  const now = createSteadyClock(context);
  const tracker = new Tracker(query);
  const outage = createOutage(report, now);
  const schedule = createSchedule(context.random);
  let failures = 0;
  await waitForFirst();
  for (let isFirst = true; ; isFirst = false) {
    const sentAt = now();
    try {
      const news = tracker.take(await fetch(tracker.query, tracker.timeAt(sentAt)), sentAt);
      if (news) yield news;
      outage.end();
      failures = 0;
      if (isFirst && tracker.last === undefined)
        report.note(...explainNoData({ query, context }), "waiting for the first interval");
    } catch (error) {
      outage.begin(error);
      failures += 1;
    }
    await waitForNext(failures > 0 ? now() : sentAt);
  }

  /** Waits until the first interval of the window has ended, as there is nothing to fetch before. */
  async function waitForFirst(): Promise<void> {
    const { calendar } = tracker;
    const { start } = query.window;
    if (!calendar || start === undefined) return;
    const end = calendar.endOf(calendar.toInstant(start));
    if (end <= now()) return;
    report.note("no interval of this window has ended yet; waiting for the first one");
    await wait(schedule.next(calendar, end, now()) - now(), calendar);
  }

  async function waitForNext(since: number): Promise<void> {
    const { calendar = createCalendar("5m", 0), last } = tracker;
    const end = calendar.endOf(last ?? calendar.toInstant(calendar.startOf(since)));
    if (failures === 0 && last !== undefined && calendar.endOf(end) <= since) schedule.miss();
    const next = schedule.next(calendar, end, since) - now();
    await wait(failures > 0 ? Math.min(next, schedule.again(failures)) : next, calendar);
  }

  async function wait(ms: number, { toInstant }: FollowClock): Promise<void> {
    const due = formatLocalTime(now() + ms - toInstant(0)).slice("2025-01-31T".length);
    report.progress(() => `waiting: next request at ${due} network time; stop with Ctrl-C`);
    try {
      await waitFor(ms, context);
    } finally {
      report.progress(undefined);
    }
  }
}

interface Outage {
  /** A request failed. @throws the error, if waiting does not help. */
  begin(error: unknown): void;
  /** A request succeeded. */
  end(): void;
}

/** Prints a note when an outage begins and when it ends. */
function createOutage({ note }: Pick<Report, "note">, now: () => number): Outage {
  let since: number | undefined;
  let hasWorked = false;
  return {
    begin: (error) => {
      if (!(error instanceof EntsError) || !passes(error, hasWorked)) throw error;
      if (since === undefined) note(`${leaveOutLater(error.message)}; trying again`, ...listSteps(error));
      since ??= now();
    },
    end: () => {
      if (since !== undefined) note(`the service is back after ${formatSeconds((now() - since) / 1000)}`);
      since = undefined;
      hasWorked = true;
    },
  };
}

/**
 * True if waiting may help. A refusal counts only once the service has worked: it refuses a token whose daily quota is
 * used up, and a proxy may respond in place of a service that is restarting.
 */
function passes({ kind, refusal }: EntsError, hasWorked: boolean): boolean {
  return kind === "unavailable" || (hasWorked && (kind === "refused" || refusal !== undefined));
}

function listSteps({ hint = "" }: EntsError): string[] {
  return hint
    .split("\n")
    .map(leaveOutLater)
    .filter((step) => step !== "");
}

/** Removes the advice to try again later, as --follow does so anyway. */
function leaveOutLater(text: string): string {
  return text.replace(/[;,] (?:or )?try again later$|^try again later(?:, or )?|: try again tomorrow, or .*$/, "");
}

/**
 * A clock that keeps running if the machine's clock is set back: the later of that and the start plus the time elapsed.
 */
function createSteadyClock({ now, monotonic }: Pick<Context, "now" | "monotonic">): () => number {
  const lag = now() - monotonic();
  return () => Math.max(now(), monotonic() + lag);
}

/**
 * Delays between an interval's end and the request for it, as shares of the interval; longer ones are for services that
 * publish late.
 */
const DELAYS = [1 / 20, 1 / 8, 1 / 4, 1 / 2];
const MAX_FIRST_DELAY = 5 * MINUTE;
/**
 * Maximum random extra delay, as a share of the interval and in milliseconds, so that clients do not all send in the
 * same second.
 */
const SPREAD = 1 / 30;
const MAX_SPREAD = 10_000;

/** Schedules requests: one per interval, shortly after an interval has ended. */
interface Schedule {
  /**
   * Records that the last interval was not published in time: uses the next longer delay, and after the longest the
   * shortest again.
   */
  miss(): void;
  /** Milliseconds to wait after this many failures in a row, unless the next request is due earlier. */
  again(failures: number): number;
  /**
   * Time of the next request, shortly after the first interval that ends after `since`. `end`: the end of any interval.
   */
  next(calendar: Pick<FollowClock, "endOf" | "goBack">, end: number, since: number): number;
}

function createSchedule(random: () => number): Schedule {
  let misses = 0;
  return {
    miss: () => {
      misses += 1;
    },
    // By then, the request's own retries have failed.
    again: (failures) => MINUTE * 2 ** (failures - 1) * (1 + random() / 10),
    next: ({ endOf, goBack }, end, since) => {
      let due = end;
      while (due <= since) due = endOf(due);
      // This machine's clock may be behind the service's.
      while (goBack(due, 1) > since) due = goBack(due, 1);
      const length = endOf(due) - due;
      const delay = length * (DELAYS[misses % DELAYS.length] as number);
      const spread = Math.min(length * SPREAD, MAX_SPREAD) * random();
      return due + (misses % DELAYS.length === 0 ? Math.min(delay, MAX_FIRST_DELAY) : delay) + spread;
    },
  };
}

/** How soon a wait notices that the machine was asleep or its clock was set. */
const STEP_MS = 5000;

/**
 * Waits until `ms` have passed by the wall clock or by the monotonic clock, whichever is first. @throws the signal's
 * reason.
 */
async function waitFor(ms: number, { now, monotonic, sleep, signal }: Context): Promise<void> {
  const [clock, awake] = [now(), monotonic()];
  const left = () => ms - Math.max(now() - clock, monotonic() - awake);
  while (left() > 0) await sleep(Math.min(left(), STEP_MS), signal);
}
