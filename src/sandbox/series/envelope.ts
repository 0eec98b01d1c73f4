import { formatOffset, formatStamp, type LocalTime } from "../../time/local-time.ts";
import { type Metric, METRICS } from "../../base/vocabulary.ts";
import type { DayStore } from "../model/days.ts";
import type { DataRequest } from "../request/request.ts";
import { SERVICE_VERSION } from "../version.ts";
import { aggregate, type ReadPoint, type Stretch } from "./aggregate.ts";
import { type Buckets, hullOf } from "./buckets.ts";
import { offsetOf } from "./catalogue.ts";
import { batchResults, joinResults, type Part, type Result } from "./results.ts";
import { createStamper } from "./stamps.ts";

export interface Answer {
  readonly request: DataRequest;
  readonly buckets: Buckets;
  /** In the order of their metrics; none is empty. */
  readonly stretches: readonly Stretch[];
  /** UTC. */
  readonly createdAt: string;
}

/** Points computed before they are written; bounds the memory. */
const POINTS_PER_BATCH = 1_500_000;
/** Characters. */
const CHUNK_LENGTH = 40_000;

/** Streams the body of a data response. */
export async function* writeEnvelope(answer: Answer, context: { days: DayStore; signal: AbortSignal }): AsyncGenerator<string> {
  yield `{"version":"${SERVICE_VERSION}","created_at":"${answer.createdAt}","success":true,"error":null,"data":[`;
  let previous: Metric | undefined;
  for (const batch of batchResults(joinResults(answer.stretches), POINTS_PER_BATCH)) {
    const readers = await aggregate(
      batch.flatMap(({ stretches }) => stretches),
      answer.buckets,
      context,
    );
    if (context.signal.aborted) return;
    for (const part of batch) {
      const { metric } = part.result.stretches[0]!.series;
      if (part.from === part.result.from) yield writeSeparator(answer, previous, metric) + openResult(answer, part.result);
      yield* writePoints(answer, part, readers.splice(0, part.stretches.length));
      if (part.to === part.result.to) yield "]}";
      previous = metric;
    }
  }
  yield `${closeItem(answer)}],"total_records":null}`;
}

/** The text between two results: a comma, or the end of one metric's item and the start of the next. */
function writeSeparator(answer: Answer, previous: Metric | undefined, next: Metric): string {
  if (previous === undefined) return openItem(answer, next);
  if (previous === next) return ",";
  return `${closeItem(answer)},${openItem(answer, next)}`;
}

function openItem(answer: Answer, metric: Metric): string {
  const { from, to } = hullOf(answer.stretches.filter((stretch) => stretch.series.metric === metric));
  const { network, interval } = answer.request;
  const item = {
    network_code: network,
    metric,
    unit: METRICS[metric].unit,
    interval,
    date_start: formatBucket(answer, from),
    date_end: formatBucket(answer, to),
    groupings: groupingsOf(answer.request),
  };
  return `${JSON.stringify(item).slice(0, -1)},"results":[`;
}

function closeItem(answer: Answer): string {
  return `],"network_timezone_offset":"${formatOffset(offsetOf(answer.request))}"}`;
}

/** As in the public service: empty without a secondary grouping, even if series are labelled by region. */
function groupingsOf(request: DataRequest): string[] {
  return request.secondary === undefined ? [] : [request.primary, request.secondary];
}

function openResult(answer: Answer, { stretches, from, to }: Result): string {
  const { metric, label, columns } = stretches[0]!.series;
  const result = { name: `${metric}_${label}`, date_start: formatBucket(answer, from), date_end: formatBucket(answer, to), columns };
  return `${JSON.stringify(result).slice(0, -1)},"data":[`;
}

/** A bucket that no stretch has a value for is null: between its first and its last point a series has every bucket. */
function* writePoints({ request, buckets }: Answer, { result, from, to }: Part, readers: readonly ReadPoint[]): Generator<string> {
  const stamp = createStamper(offsetOf(request));
  let text = "";
  let comma = from === result.from ? "" : ",";
  for (let bucket = from; bucket <= to; bucket++) {
    const at = stamp(buckets.stamps[bucket]!);
    let isEmpty = true;
    for (const read of readers) {
      const value = read(bucket);
      if (value === null) continue;
      text += `${isEmpty ? comma : ","}["${at}",${value}]`;
      isEmpty = false;
    }
    if (isEmpty) text += `${comma}["${at}",null]`;
    comma = ",";
    if (text.length < CHUNK_LENGTH && bucket < to) continue;
    yield text;
    text = "";
  }
}

function formatBucket(answer: Answer, bucket: number): string {
  const stamp: LocalTime = answer.buckets.stamps[bucket]!;
  return formatStamp(stamp, offsetOf(answer.request));
}
