/** `--follow`: after the window, each new bucket as it comes. */
import type { Context } from "../../base/context.ts";
import { INTERVALS } from "../../base/vocabulary.ts";
import { BrokenPipe, Interrupted } from "../../base/errors.ts";
import { formatCount } from "../../base/phrases.ts";
import { type Report, warnOnce, type Surroundings } from "../../base/report.ts";
import type { Encoding } from "../../format/encode.ts";
import type { Provenance } from "../../format/format.ts";
import { type Plan, planQuery } from "../../plan/plan.ts";
import type { MaxWindow } from "../../plan/limits.ts";
import type { Query } from "../../query/query.ts";
import type { KeyLimits } from "../../settings/key-limits.ts";
import { startColumns } from "../../series/layout/columns.ts";
import { type Chunk, createUnitWatch, joinChunks } from "../../series/merge.ts";
import { createGaps, fetchPlan, warnAtEnd } from "../../source/fetch-series.ts";
import type { Source } from "../../source/source.ts";
import { DAY } from "../../time/local-time.ts";
import type { Duration } from "../../time/duration.ts";
import { openSink } from "../destination/destination.ts";
import { writeAll } from "../destination/interface.ts";
import type { Observer } from "../observer.ts";
import type { Output } from "../output.ts";
import { describeShare, isCostly } from "../quota.ts";
import { explainFailure } from "../failure.ts";
import { countAnswers, type Progress } from "../progress.ts";
import { redraw } from "./redraw.ts";
import { printNew } from "./print-new.ts";
import { followRounds } from "./rounds.ts";
import type { News } from "./tracker.ts";

export interface Follow {
  readonly query: Query;
  readonly output: Output;
  readonly options: { readonly maxWindow?: MaxWindow | undefined; readonly concurrency: number; readonly last?: Duration | undefined };
  readonly provenance: Provenance;
  /** The window, as it is fetched first. */
  readonly plan: Plan;
  readonly keyLimits: KeyLimits;
  readonly source: Source;
  readonly progress: Progress;
  readonly observers: readonly Observer[];
  /** The command line, with this window. */
  readonly rerunCommand: string;
}

/** Writes until it is stopped, or the reader leaves. @throws {EntsError} of every kind; {Interrupted}; {BrokenPipe}. */
export async function followQuery(follow: Follow, context: Context, report: Report): Promise<void> {
  const run = (current: Context) => writeRounds(follow, current, report);
  await (follow.output.target === undefined ? whileRead(context, run) : run(context));
}

async function writeRounds(follow: Follow, context: Context, report: Report): Promise<void> {
  const { query, output, options, provenance, observers } = follow;
  const { interval } = query;
  const { pivot } = output.layout;
  const encoding: Encoding = { ...output, provenance, columns: startColumns(query.metrics, { interval, pivot }) };
  for (const observer of observers) observer.start();
  tellCost(follow, report);
  const fetch = createFetch(follow, { context, report });
  // A frame covers the line.
  const waiting = output.format.collects ? { ...report, progress: () => {} } : report;
  const rounds = observe(followRounds({ query, fetch }, context, waiting), observers);
  const parts = output.format.collects
    ? redraw(rounds, { encoding, interval, last: options.last }, { context, report })
    : printNew(rounds, { ...encoding, formatName: output.formatName }, report);
  try {
    await writeAll(await openSink(output.target, context, { report }), parts);
  } catch (error) {
    if (error instanceof Interrupted || error instanceof BrokenPipe) for (const observer of observers) await observer.finish();
    throw explainFailure(error, { ...follow, folder: undefined, resumes: false, progress: NOTHING_DONE, report });
  }
}

/** There is nothing to resume. */
const NOTHING_DONE = { done: 0, count: { planned: 0 } };

/** Says how many requests a day without failures takes, where they are much of what the key has. */
function tellCost({ query: { interval }, plan: { windows }, keyLimits }: Follow, { note }: Pick<Report, "note">): void {
  const bucket = interval && INTERVALS[interval].bucket;
  if (!bucket || !("ms" in bucket)) return;
  const requests = (DAY / bucket.ms) * (windows.at(-1)?.requests.length ?? 0);
  if (isCostly(requests, keyLimits))
    note(`following takes ${formatCount(requests, "request")} a day, ${describeShare(requests, keyLimits)}`);
}

/** The first fetch shows its progress; those that come after it are one request each, if nothing fails. */
function createFetch(
  { source, options, progress }: Follow,
  { context, report }: Surroundings,
): (query: Query, now: number) => Promise<Chunk> {
  const warn = warnOnce(report.warn);
  const watchUnit = createUnitWatch(warn);
  let isFirst = true;
  return (query, now) => {
    const plan = planQuery(query, { now, maxWindow: options.maxWindow });
    if (isFirst) progress.plan(plan);
    const fetching = {
      source: isFirst ? countAnswers(source, progress) : source,
      concurrency: options.concurrency,
      signal: context.signal,
      warn,
      watchUnit,
      onReplan: (_: unknown, why: string) => report.detail(`${why}; planning the rest again`),
    };
    isFirst = false;
    const gaps = createGaps(plan, { collects: true });
    return joinChunks(warnAtEnd(fetchPlan(plan, fetching, gaps), gaps, warn)).finally(() => progress.stop());
  };
}

async function* observe(rounds: AsyncIterable<News>, observers: readonly Observer[]): AsyncGenerator<News> {
  for await (const news of rounds) {
    for (const { take } of observers) take(news.fresh);
    yield news;
  }
}

/** A reader who has left is noticed so soon. */
const READER_MS = 1000;

/** Runs with a context that is stopped when the reader of the output has left, which no write shows while a request waits. */
async function whileRead(context: Context, run: (context: Context) => Promise<void>): Promise<void> {
  const { hasReader } = context.stdout;
  if (!hasReader) return run(context);
  // A reader is known by its process, which may end with the first lines.
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
