import { formatOffset, formatStamp, type LocalTime } from "../../time/local-time.ts";
import { METRICS } from "../../base/vocabulary.ts";
import type { DayStore } from "../model/days.ts";
import type { DataRequest } from "../request/request.ts";
import { SERVICE_VERSION } from "../version.ts";
import { aggregate, type ReadPoint, type Stretch } from "./aggregate.ts";
import type { Buckets } from "./buckets.ts";
import { offsetOf } from "./catalogue.ts";
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
const POINTS_PER_CHUNK = 1_000;

/** Streams the body of a data response. */
export async function* writeEnvelope(answer: Answer, context: { days: DayStore; signal: AbortSignal }): AsyncGenerator<string> {
  yield `{"version":"${SERVICE_VERSION}","created_at":"${answer.createdAt}","success":true,"error":null,"data":[`;
  let previous: Stretch | undefined;
  for (const batch of batchStretches(answer.stretches)) {
    const readers = await aggregate(batch, answer.buckets, context);
    if (context.signal.aborted) return;
    for (const [index, stretch] of batch.entries()) {
      yield writeSeparator(answer, previous, stretch);
      yield* writeResult(answer, stretch, readers[index]!);
      previous = stretch;
    }
  }
  yield `${closeItem(answer)}],"total_records":null}`;
}

function* batchStretches(stretches: readonly Stretch[]): Generator<Stretch[]> {
  let batch: Stretch[] = [];
  let points = 0;
  for (const stretch of stretches) {
    const length = stretch.to - stretch.from + 1;
    if (batch.length > 0 && points + length > POINTS_PER_BATCH) {
      yield batch;
      batch = [];
      points = 0;
    }
    batch.push(stretch);
    points += length;
  }
  yield batch;
}

/** The text between two results: a comma, or the end of one metric's item and the start of the next. */
function writeSeparator(answer: Answer, previous: Stretch | undefined, next: Stretch): string {
  if (previous === undefined) return openItem(answer, next);
  if (previous.series.metric === next.series.metric) return ",";
  return `${closeItem(answer)},${openItem(answer, next)}`;
}

function openItem(answer: Answer, first: Stretch): string {
  const { metric } = first.series;
  const stretches = answer.stretches.filter((stretch) => stretch.series.metric === metric);
  const { network, interval } = answer.request;
  const item = {
    network_code: network,
    metric,
    unit: METRICS[metric].unit,
    interval,
    date_start: stampOf(answer, Math.min(...stretches.map((stretch) => stretch.from))),
    date_end: stampOf(answer, Math.max(...stretches.map((stretch) => stretch.to))),
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

function* writeResult(answer: Answer, stretch: Stretch, read: ReadPoint): Generator<string> {
  const { series, from, to } = stretch;
  const result = {
    name: `${series.metric}_${series.label}`,
    date_start: stampOf(answer, from),
    date_end: stampOf(answer, to),
    columns: series.columns,
  };
  yield `${JSON.stringify(result).slice(0, -1)},"data":[`;
  const length = to - from + 1;
  const stamp = createStamper(offsetOf(answer.request));
  for (let start = 0; start < length; start += POINTS_PER_CHUNK) {
    const end = Math.min(length, start + POINTS_PER_CHUNK);
    let text = start === 0 ? "" : ",";
    for (let i = start; i < end; i++) text += `["${stamp(answer.buckets.starts[from + i]!)}",${read(i)}]${i + 1 < end ? "," : ""}`;
    yield text;
  }
  yield "]}";
}

function stampOf(answer: Answer, bucket: number): string {
  const start: LocalTime = answer.buckets.starts[bucket]!;
  return formatStamp(start, offsetOf(answer.request));
}
