/** Tables and charts: the whole window, redrawn with each new bucket. */
import type { Context } from "../../base/context.ts";
import type { Report } from "../../base/report.ts";
import { encodeChunks, type Encoding } from "../../format/encode.ts";
import { joinTimeSeries } from "../../series/join.ts";
import type { Chunk } from "../../series/merge.ts";
import { findLastInstant, splitTimeSeries } from "../../series/overlap.ts";
import type { TimeSeries } from "../../series/time-series.ts";
import type { Interval } from "../../base/vocabulary.ts";
import type { Duration } from "../../time/duration.ts";
import { calendarOfAnswer } from "./buckets.ts";
import { isEmpty, once } from "./print-new.ts";
import { openScreen } from "./screen.ts";
import type { News } from "./tracker.ts";

export interface RedrawOptions {
  readonly encoding: Encoding;
  readonly interval: Interval | undefined;
  /** How much is shown, up to the newest bucket; undefined: all since the start. */
  readonly last: Duration | undefined;
}

/** Frames: on a terminal each in the place of the one before, elsewhere one under the other. */
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

function slide(timeSeries: readonly TimeSeries[], last: Duration, interval: Interval | undefined): readonly TimeSeries[] {
  const [item] = timeSeries;
  const calendar = item && calendarOfAnswer(item, interval);
  const newest = findLastInstant(timeSeries);
  if (!calendar || !Number.isFinite(newest)) return timeSeries;
  return splitTimeSeries(timeSeries, calendar.findStart(calendar.endOf(newest), last))[1];
}
