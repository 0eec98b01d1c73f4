/** Asks again and again for what is new. */
import type { Context } from "../../base/context.ts";
import { EntsError } from "../../base/errors.ts";
import type { Report } from "../../base/report.ts";
import type { Query } from "../../query/query.ts";
import type { Chunk } from "../../series/merge.ts";
import { formatLocalTime, MINUTE } from "../../time/local-time.ts";
import { explainNoData } from "../no-data.ts";
import { formatSeconds } from "../progress-line.ts";
import { type Calendar, createCalendar } from "./buckets.ts";
import { type News, Tracker } from "./tracker.ts";

export interface Following {
  readonly query: Query;
  /** `now`: in milliseconds since 1970 UTC. */
  readonly fetch: (query: Query, now: number) => Promise<Chunk>;
}

type RoundsContext = Pick<Context, "now" | "monotonic" | "sleep" | "random" | "signal">;

/** What is new, in order of time, and without end. @throws {EntsError} what does not pass by itself; the signal's reason. */
export async function* followRounds(
  { query, fetch }: Following,
  context: RoundsContext,
  report: Pick<Report, "note" | "progress">,
): AsyncGenerator<News> {
  const now = createClock(context);
  const tracker = new Tracker(query);
  const outage = createOutage(report, now);
  const pace = createPace(context.random);
  let failures = 0;
  await waitForFirst();
  for (let isFirst = true; ; isFirst = false) {
    const asked = now();
    try {
      const news = tracker.take(await fetch(tracker.query, tracker.timeAt(asked)), asked);
      if (news) yield news;
      outage.end();
      failures = 0;
      if (isFirst && tracker.last === undefined) report.note(...explainNoData(query), "waiting for the first bucket");
    } catch (error) {
      outage.begin(error);
      failures += 1;
    }
    await waitForNext(failures > 0 ? now() : asked);
  }

  /** Where the window starts with a bucket that has not ended, there is nothing to ask for yet. */
  async function waitForFirst(): Promise<void> {
    const { calendar } = tracker;
    const { start } = query.window;
    if (!calendar || start === undefined) return;
    const end = calendar.endOf(calendar.toInstant(start));
    if (end <= now()) return;
    report.note("no bucket of this window has ended yet; waiting for the first one");
    await wait(pace.next(calendar, end, now()) - now(), calendar);
  }

  async function waitForNext(since: number): Promise<void> {
    const { calendar = createCalendar("5m", 0), last } = tracker;
    const end = calendar.endOf(last ?? calendar.toInstant(calendar.startOf(since)));
    if (failures === 0 && last !== undefined && calendar.endOf(end) <= since) pace.miss();
    const next = pace.next(calendar, end, since) - now();
    await wait(failures > 0 ? Math.min(next, pace.again(failures)) : next, calendar);
  }

  async function wait(ms: number, { toInstant }: Calendar): Promise<void> {
    const due = formatLocalTime(now() + ms - toInstant(0)).slice("2025-01-31T".length);
    report.progress(() => `waiting: next request at ${due} network time; stop with Ctrl-C`);
    try {
      await pause(ms, context);
    } finally {
      report.progress(undefined);
    }
  }
}

interface Outage {
  /** @throws the error, if it does not pass by itself. */
  begin(error: unknown): void;
  /** A request was answered. */
  end(): void;
}

/** Tells failures that pass when they begin, and when they are over. */
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
      if (since !== undefined) note(`the service answers again, after ${formatSeconds((now() - since) / 1000)}`);
      since = undefined;
      hasWorked = true;
    },
  };
}

/**
 * What the service has answered before is not wrong: a token is refused when its daily quota is spent, and a proxy answers with
 * pages and refusals of its own while the service restarts.
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

/** Trying again later is what --follow does by itself. */
function leaveOutLater(text: string): string {
  return text.replace(/[;,] (?:or )?try again later$|^try again later(?:, or )?|: try again tomorrow, or .*$/, "");
}

/** A clock that a step back does not stop: the later of this machine's and its time since the start. */
function createClock({ now, monotonic }: Pick<Context, "now" | "monotonic">): () => number {
  const lag = now() - monotonic();
  return () => Math.max(now(), monotonic() + lag);
}

/** Shares of an interval by which a request may come after a bucket's end: which one suits the service shows. */
const DELAYS = [1 / 20, 1 / 8, 1 / 4, 1 / 2];
const MAX_FIRST_DELAY = 5 * MINUTE;
/** At most so much later, at random: not everybody asks in the same second. */
const SPREAD = 1 / 30;
const MAX_SPREAD = 10_000;

/** When to ask next: once an interval, shortly after a bucket has ended. */
interface Pace {
  /** The bucket that has just ended did not come: later next time, and early again where that does not help. */
  miss(): void;
  /** Milliseconds to wait after so many failures in a row, where the next request is not due before. */
  again(failures: number): number;
  /** The time of the next request: after the first bucket that ends after `since`. `end`: where one ends. */
  next(calendar: Pick<Calendar, "endOf" | "goBack">, end: number, since: number): number;
}

function createPace(random: () => number): Pace {
  let misses = 0;
  return {
    miss: () => {
      misses += 1;
    },
    // The first retries of a request are over.
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

/** A machine that sleeps, or whose clock is set, is noticed so soon. */
const STEP_MS = 5000;

/** Waits for so many milliseconds, by the clock or by the time that this machine was awake. @throws the signal's reason. */
async function pause(ms: number, { now, monotonic, sleep, signal }: PauseContext): Promise<void> {
  const [clock, awake] = [now(), monotonic()];
  const left = () => ms - Math.max(now() - clock, monotonic() - awake);
  while (left() > 0) await sleep(Math.min(left(), STEP_MS), signal);
}

type PauseContext = Pick<Context, "now" | "monotonic" | "sleep" | "signal">;
