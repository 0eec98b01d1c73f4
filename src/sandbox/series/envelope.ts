import { formatOffset, formatTimestamp } from "../../time/local-time.ts";
import { isForecast, type Metric, METRICS, NETWORKS } from "../../base/vocabulary.ts";
import type { DayStore } from "../model/system.ts";
import type { DataRequest } from "../http/request.ts";
import { SERVICE_VERSION } from "../refusal.ts";
import { aggregateStretches, type ReadPoint, type Stretch } from "./series.ts";
import { localOfStep } from "../model/clock.ts";
import { findNewestRun, runOf } from "./forecast.ts";
import { type IntervalTable, hullOf, type Range, createTimestampFor } from "./intervals.ts";

interface SeriesReply {
  readonly request: DataRequest;
  readonly intervals: IntervalTable;
  /** In the order of their metrics; none is empty. */
  readonly stretches: readonly Stretch[];
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
}

/** Maximum points computed before they are written; limits memory use. */
const POINTS_PER_BATCH = 1_500_000;
/** In characters. */
const CHUNK_LENGTH = 40_000;

/** Streams the body of a data response. */
export async function* writeEnvelope(
  answer: SeriesReply,
  context: { days: DayStore; signal: AbortSignal },
): AsyncGenerator<string> {
  yield `{"version":"${SERVICE_VERSION}","created_at":"${new Date(answer.now).toISOString()}","success":true,"error":null,"data":[`;
  let previous: Metric | undefined;
  for (const batch of batchResults(joinResults(answer.stretches), POINTS_PER_BATCH)) {
    const readers = await aggregateStretches(
      batch.flatMap(({ stretches }) => stretches),
      answer.intervals,
      context,
    );
    if (context.signal.aborted) return;
    for (const part of batch) {
      const { metric } = part.result.stretches[0]!.series;
      if (part.from === part.result.from)
        yield writeSeparator(answer, previous, metric) + openResult(answer, part.result);
      yield* writePoints(answer, part, readers.splice(0, part.stretches.length));
      if (part.to === part.result.to) yield "]}";
      previous = metric;
    }
  }
  yield `${previous === undefined ? "" : closeItem(answer, previous)}],"total_records":null}`;
}

/** The text between two results: a comma, or the end of one metric's item and the start of the next. */
function writeSeparator(answer: SeriesReply, previous: Metric | undefined, next: Metric): string {
  if (previous === undefined) return openItem(answer, next);
  if (previous === next) return ",";
  return `${closeItem(answer, previous)},${openItem(answer, next)}`;
}

function openItem(answer: SeriesReply, metric: Metric): string {
  const { from, to } = hullOf(answer.stretches.filter((stretch) => stretch.series.metric === metric));
  const { network, interval, primary, secondary } = answer.request;
  const item = {
    network_code: network,
    metric,
    unit: METRICS[metric].unit,
    interval,
    date_start: formatInterval(answer, from),
    date_end: formatInterval(answer, to),
    // As in the public service, even if series are labelled by region.
    groupings: secondary === undefined ? [] : [primary, secondary],
  };
  return `${JSON.stringify(item).slice(0, -1)},"results":[`;
}

function closeItem(answer: SeriesReply, metric: Metric): string {
  const offset = formatOffset(offsetOf(answer.request));
  const run = isForecast(metric) ? { forecast_run_time: findRunTime(answer, metric) } : {};
  return `],${JSON.stringify({ network_timezone_offset: offset, ...run }).slice(1)}`;
}

/** When the newest run was issued of which a value was used. */
function findRunTime({ stretches, request, now }: SeriesReply, metric: Metric): string | null {
  const spans = stretches.filter(({ series }) => series.metric === metric).flatMap(({ series }) => series.spans);
  const run = runOf(Math.max(...spans.map(({ last }) => last)), findNewestRun(now));
  return run === undefined ? null : formatTimestamp(localOfStep(run), offsetOf(request));
}

function openResult(answer: SeriesReply, { stretches, from, to }: Result): string {
  const { metric, label, columns } = stretches[0]!.series;
  const result = {
    name: `${metric}_${label}`,
    date_start: formatInterval(answer, from),
    date_end: formatInterval(answer, to),
    columns,
  };
  return `${JSON.stringify(result).slice(0, -1)},"data":[`;
}

/** Writes every interval between the first and last point of a series; an interval without a value is null. */
function* writePoints(
  { request, intervals }: SeriesReply,
  { result, from, to }: Part,
  readers: readonly ReadPoint[],
): Generator<string> {
  const timestamp = createTimestampFor(offsetOf(request));
  let text = "";
  let comma = from === result.from ? "" : ",";
  for (let interval = from; interval <= to; interval++) {
    const at = timestamp(intervals.timestamps[interval]!);
    let isEmpty = true;
    for (const read of readers) {
      const value = read(interval);
      if (value === null) continue;
      text += `${isEmpty ? comma : ","}["${at}",${value}]`;
      isEmpty = false;
    }
    if (isEmpty) text += `${comma}["${at}",null]`;
    comma = ",";
    if (text.length < CHUNK_LENGTH && interval < to) continue;
    yield text;
    text = "";
  }
}

function formatInterval(answer: SeriesReply, interval: number): string {
  return formatTimestamp(answer.intervals.timestamps[interval]!, offsetOf(answer.request));
}

/** One item of `results`: the stretches with one metric and label, and the range of their intervals. */
interface Result extends Range {
  readonly stretches: readonly Stretch[];
}

/** The intervals `from` to `to` of a result. */
interface Part extends Result {
  readonly result: Result;
}

/** Joins consecutive stretches with the same metric and label. */
function joinResults(stretches: readonly Stretch[]): Result[] {
  const groups: Stretch[][] = [];
  for (const stretch of stretches) {
    const { metric, label } = stretch.series;
    const last = groups.at(-1)?.[0]?.series;
    if (last?.metric === metric && last.label === label) groups.at(-1)!.push(stretch);
    else groups.push([stretch]);
  }
  return groups.map((group) => ({ stretches: group, ...hullOf(group) }));
}

/** Splits results into batches of at most `maxPoints` points: several complete results, or a part of a long one. */
function* batchResults(results: readonly Result[], maxPoints: number): Generator<Part[]> {
  let batch: Part[] = [];
  let points = 0;
  for (const part of results.flatMap((result) => splitResult(result, maxPoints))) {
    const length = countPoints(part);
    if (batch.length > 0 && points + length > maxPoints) {
      yield batch;
      batch = [];
      points = 0;
    }
    batch.push(part);
    points += length;
  }
  yield batch;
}

function splitResult(result: Result, maxPoints: number): Part[] {
  const length = Math.max(1, Math.floor(maxPoints / result.stretches.length));
  const parts: Part[] = [];
  for (let from = result.from; from <= result.to; from += length) {
    const to = Math.min(result.to, from + length - 1);
    const within = result.stretches.filter((stretch) => stretch.from <= to && stretch.to >= from);
    const stretches = within.map((stretch) => ({
      ...stretch,
      from: Math.max(from, stretch.from),
      to: Math.min(to, stretch.to),
    }));
    parts.push({ result, stretches, from, to });
  }
  return parts;
}

function countPoints({ stretches }: Part): number {
  return stretches.reduce((sum, { from, to }) => sum + to - from + 1, 0);
}

function offsetOf(request: DataRequest): number {
  return NETWORKS[request.network].offsetMinutes;
}
