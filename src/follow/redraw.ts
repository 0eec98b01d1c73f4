/** Tables and charts: the complete window, redrawn with each new interval. */
import type { Context } from "../base/context.ts";
import type { Report } from "../base/report.ts";
import { encodeChunks, type Encoding, isEmpty } from "../format/encode.ts";
import { joinTimeSeries } from "../series/join.ts";
import type { Chunk } from "../series/merge.ts";
import { findLastInstant, splitTimeSeries } from "../series/overlap.ts";
import type { TimeSeries } from "../series/time-series.ts";
import type { Interval } from "../base/intervals.ts";
import type { Duration } from "../time/duration.ts";
import { calendarOfResponse } from "./intervals.ts";
import { once } from "./print-new.ts";
import { openScreen } from "./screen.ts";
import type { News } from "./tracker.ts";

export interface RedrawOptions {
  readonly encoding: Encoding;
  readonly interval: Interval | undefined;
  /** How much to show, counted back from the newest interval; undefined: everything since the start. */
  readonly last: Duration | undefined;
}

/** On a terminal, each frame replaces the previous one; elsewhere, it is written below it. */
export async function* redraw(
  rounds: AsyncIterable<News>,
  drawing: RedrawOptions,
  { context, report }: { readonly context: Context; readonly report: Report },
): AsyncGenerator<string> {
  let held: Chunk | undefined;
  const draw = async () => {
    const drawn = held;
    const parts: string[] = [];
    if (drawn) for await (const part of encodeChunks(once(drawn), drawing.encoding)) parts.push(String(part));
    return drawn && drawn === held ? parts.join("") : undefined;
  };
  const isScreen = drawing.encoding.formatOptions.screen.isTerminal && context.env["TERM"] !== "dumb";
  const screen = isScreen ? openScreen(context, report, draw) : undefined;
  try {
    for await (const news of rounds) {
      const isFirst = held === undefined;
      if (isEmpty(news.fresh) && (isFirst || !screen)) continue;
      held = hold(held, news, drawing);
      const frame = (await draw()) ?? "";
      yield screen ? screen.show(frame) : isFirst ? frame : `\n${frame}`;
    }
  } finally {
    screen?.close();
  }
}

function hold(held: Chunk | undefined, { fresh, earlier, since }: News, { interval, last }: RedrawOptions): Chunk {
  if (fresh.unknown ?? fresh.incomplete) return fresh;
  const before = held ? splitTimeSeries(held.timeSeries, since)[0] : [];
  const timeSeries = joinTimeSeries([before, earlier, fresh.timeSeries]);
  return { heads: [], timeSeries: last ? slide(timeSeries, last, interval) : timeSeries };
}

function slide(
  timeSeries: readonly TimeSeries[],
  last: Duration,
  interval: Interval | undefined,
): readonly TimeSeries[] {
  const [item] = timeSeries;
  const calendar = item && calendarOfResponse(item, interval);
  const newest = findLastInstant(timeSeries);
  if (!calendar || !Number.isFinite(newest)) return timeSeries;
  return splitTimeSeries(timeSeries, calendar.findStart(calendar.endOf(newest), last))[1];
}
