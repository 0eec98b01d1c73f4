/** Asks again and again for what is new. */
import type { Context } from "../../base/context.ts";
import type { Report } from "../../base/report.ts";
import type { Query } from "../../query/query.ts";
import { type Chunk, joinChunks } from "../../series/merge.ts";
import { formatLocalTime } from "../../time/local-time.ts";
import { explainNoData } from "../no-data.ts";
import { type Calendar, createCalendar } from "./calendar.ts";
import { createOutage } from "./outage.ts";
import { createClock, createPace, pause } from "./pace.ts";
import { type News, Tracker } from "./tracker.ts";

export interface Following {
  readonly query: Query;
  /** `now`: in milliseconds since 1970 UTC. */
  readonly fetch: (query: Query, now: number) => AsyncIterable<Chunk>;
  /** Whether all of a round comes as one. */
  readonly joins: boolean;
}

type Surroundings = Pick<Context, "now" | "monotonic" | "sleep" | "random" | "signal">;

/** What is new, in order of time, and without end. @throws {EntsError} what does not pass by itself; the signal's reason. */
export async function* followRounds(
  following: Following,
  context: Surroundings,
  report: Pick<Report, "note" | "progress">,
): AsyncGenerator<News> {
  const { query, joins, fetch } = following;
  const now = createClock(context);
  const tracker = new Tracker(query);
  const outage = createOutage(report, now);
  const pace = createPace(context.random);
  let failures = 0;
  await waitForFirst();
  for (let round = 1; ; round++) {
    const asked = now();
    let isDown = false;
    try {
      const chunks = fetch(tracker.startRound(), tracker.timeAt(asked));
      for await (const [chunk, continues] of markLast(joins ? joinAll(chunks) : chunks))
        yield tracker.take(chunk, { now: asked, continues });
      outage.end();
      failures = 0;
    } catch (error) {
      outage.begin(error);
      isDown = true;
      failures += 1;
    }
    if (round === 1 && !isDown && tracker.last === undefined) report.note(...explainNoData(query), "waiting for the first bucket");
    await waitForNext(isDown ? now() : asked, isDown);
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

  async function waitForNext(since: number, isDown: boolean): Promise<void> {
    const { calendar = createCalendar("5m", 0), last } = tracker;
    const end = calendar.endOf(last ?? calendar.toInstant(calendar.startOf(since)));
    if (!isDown && last !== undefined && calendar.endOf(end) <= since) pace.miss();
    const next = pace.next(calendar, end, since) - now();
    await wait(isDown ? Math.min(next, pace.again(failures)) : next, calendar);
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

async function* joinAll(chunks: AsyncIterable<Chunk>): AsyncGenerator<Chunk> {
  yield await joinChunks(chunks);
}

/** With each, whether another one comes after it. */
async function* markLast<T>(items: AsyncIterable<T>): AsyncGenerator<readonly [item: T, continues: boolean]> {
  let held: readonly [T] | undefined;
  for await (const item of items) {
    if (held) yield [held[0], true];
    held = [item];
  }
  if (held) yield [held[0], false];
}
