/** `--follow`: writes the window, then each new interval as it is published. */
import type { Context } from "../base/context.ts";
import { findRule, type Interval } from "../base/intervals.ts";
import { BrokenPipe, Interrupted } from "../base/errors.ts";
import { formatCount } from "../base/phrases.ts";
import { warnOnce, type Report } from "../base/report.ts";
import { type Encoding, encodeChunks, isEmpty } from "../format/encode.ts";
import { planQuery } from "../plan/plan.ts";
import type { Query } from "../query/query.ts";
import { startColumns } from "../series/layout/columns.ts";
import { warnOfUnits } from "../series/unit-watch.ts";
import { type Chunk, joinChunks } from "../series/merge.ts";
import { computeIfNeeded, createGaps, fetchPlan, warnAtEnd } from "../source/fetch-series.ts";
import { DAY } from "../time/local-time.ts";
import { openSink } from "../export/destination/destination.ts";
import { writeAll } from "../export/destination/interface.ts";
import type { Observer } from "../export/observe.ts";
import type { Job } from "../export/job.ts";
import { describeShare, isCostly } from "../export/quota.ts";
import { explainFailure } from "../export/failure.ts";
import { countResponses } from "../export/progress.ts";
import { printNew, once } from "./print-new.ts";
import { followRounds } from "./rounds.ts";
import type { News } from "./tracker.ts";
import { joinTimeSeries } from "../series/join.ts";
import { findLastInstant, splitTimeSeries } from "../series/overlap.ts";
import type { TimeSeries } from "../series/time-series.ts";
import type { Duration } from "../time/duration.ts";
import { calendarOfResponse } from "./intervals.ts";
import { openScreen } from "./screen.ts";

/**
 * Writes until stopped, or until the reader closes the pipe. @throws {EntsError} of every kind; {Interrupted};
 * {BrokenPipe}.
 */
export async function followPlan(job: Job): Promise<void> {
  const { context, output } = job;
  const run = (current: Context) => writeRounds({ ...job, context: current });
  await (output.target === undefined ? whileRead(context, run) : run(context));
}

async function writeRounds(job: Job): Promise<void> {
  const { query, output, options, provenance, observers, plan, context, report } = job;
  const { interval } = query;
  const { pivot } = output.layout;
  const encoding: Encoding = { ...output, provenance, columns: startColumns(query.metrics, { interval, pivot }) };
  noteDailyCost(job);
  const fetch = createFetch(job);
  // Frames would cover the progress line.
  const waiting = output.format.collects ? { ...report, progress: () => {} } : report;
  const rounds = observeRounds(followRounds({ query, fetch }, context, waiting), observers);
  const drawn = output.format.collects
    ? redraw(rounds, { encoding, interval, last: options.last }, { context, report })
    : printNew(rounds, { ...encoding, formatName: output.formatName }, report);
  try {
    await writeAll(await openSink(output.target, context, { report }), drawn);
  } catch (error) {
    if (error instanceof Interrupted || error instanceof BrokenPipe)
      for (const observer of observers) await observer.finish?.();
    throw explainFailure(error, {
      plan,
      rerunCommand: job.rerunCommand,
      folder: undefined,
      isPeriod: false,
      resumes: false,
      progress: NOTHING_DONE,
      report,
    });
  }
}

/** There is nothing to resume. */
const NOTHING_DONE = { done: 0, count: { planned: 0 } };

/** Notes how many requests a day this takes, retries not included, if that is a large share of the key's quota. */
function noteDailyCost({ query: { interval }, keyLimits, plan: { windows }, report: { note } }: Job): void {
  const rule = interval && findRule(interval);
  if (!rule || !("ms" in rule)) return;
  const requests = (DAY / rule.ms) * (windows.at(-1)?.requests.length ?? 0);
  if (!isCostly(requests, keyLimits)) return;
  const share = describeShare(requests, { ...keyLimits, perMonth: undefined });
  note(`following takes ${formatCount(requests, "request")} a day, ${share}`);
}

/** Shows progress for the first fetch only: a later one is usually a single request. */
function createFetch({
  options,
  service,
  progress,
  context,
  report,
}: Job): (query: Query, now: number) => Promise<Chunk> {
  const warn = warnOnce(report.warn);
  const note = warnOnce(report.note);
  const watchUnit = warnOfUnits(warn);
  let isFirst = true;
  return (query, now) => {
    const plan = planQuery(query, { now, maxWindow: options.maxWindow });
    if (isFirst) progress.plan(plan);
    const fetching = {
      source: isFirst ? countResponses(service.client, progress) : service.client,
      concurrency: options.concurrency,
      signal: context.signal,
      warn,
      watchUnit,
      onReplan: (_: unknown, why: string) => report.detail(`${why}; planning the rest again`),
    };
    isFirst = false;
    const gaps = createGaps(plan, { collects: true });
    return joinChunks(
      computeIfNeeded(warnAtEnd(fetchPlan(plan, fetching, gaps), gaps, warn), query, { collects: true, warn, note }),
    ).finally(() => progress.stop());
  };
}

async function* observeRounds(rounds: AsyncIterable<News>, observers: readonly Observer[]): AsyncGenerator<News> {
  for await (const news of rounds) {
    for (const { onChunk } of observers) onChunk?.(news.fresh);
    yield news;
  }
}

/** How often to check whether the reader has left. */
const READER_MS = 1000;

/** Aborts the run when the reader of the output has left, which no write would show while ents waits for a request. */
async function whileRead(context: Context, run: (context: Context) => Promise<void>): Promise<void> {
  const { hasReader } = context.stdout;
  if (!hasReader) return run(context);
  // Called early to find the reader's process, which may end after the first lines.
  hasReader();
  const left = new AbortController();
  const timer = setInterval(() => {
    if (!hasReader()) left.abort(new BrokenPipe("the reader closed the pipe"));
  }, READER_MS);
  try {
    await run({ ...context, signal: AbortSignal.any([context.signal, left.signal]) });
  } finally {
    clearInterval(timer);
  }
}

interface RedrawOptions {
  readonly encoding: Encoding;
  readonly interval: Interval | undefined;
  /** How much to show, counted back from the newest interval; undefined: everything since the start. */
  readonly last: Duration | undefined;
}

/** On a terminal, each frame replaces the previous one; elsewhere, it is written below it. */
async function* redraw(
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
