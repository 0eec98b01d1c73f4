/** A job: fetches what a destination is missing from a source. */
import { EntsError } from "../base/errors.ts";
import { warnOnce } from "../base/report.ts";
import { UNIT_LABEL } from "../base/vocabulary.ts";
import { OUTPUT_FLAGS, OUTPUT_OPTIONS } from "../format/output-options.ts";
import { FETCH_FLAGS } from "../options/fetch-options.ts";
import { QUERY_FLAGS } from "../options/query-options.ts";
import { collectsAll, ColumnsChanged, type Encoding } from "../format/encode.ts";
import type { Plan } from "../plan/plan.ts";
import { type KnownColumns, startColumns } from "../series/layout/columns.ts";
import { explainUnknownEnd } from "../series/layout/interval-end.ts";
import type { Gaps } from "../series/gaps.ts";
import type { Chunk } from "../series/merge.ts";
import { countPoints } from "../series/overlap.ts";
import { findLabel, type TimeSeries } from "../series/time-series.ts";
import { createGaps, fetchPlan, readPlan } from "../source/fetch-series.ts";
import { lacksFacilities } from "../source/suspect-answers.ts";
import type { FetchOptions } from "../source/windows.ts";
import type { Destination } from "./destination/destination.ts";
import type { PutOptions } from "./destination/interface.ts";

export interface Job extends FetchOptions {
  readonly plan: Plan;
  readonly destination: Destination;
  readonly encoding: Omit<Encoding, "columns" | "hasAllColumns" | "gaps" | "onColumns" | "onChunk" | "onRows">;
  readonly watch: JobWatch;
  readonly put?: PutOptions | undefined;
  /** What the answers hold, where all of them are at hand. */
  readonly known?: Known | undefined;
}

export interface Known {
  readonly columns: KnownColumns;
  readonly gaps: Gaps;
}

export interface JobWatch {
  /** The output starts. */
  readonly onStart: () => void;
  /** Points, or items of unknown shape, are passed to the output. */
  readonly onPoints: (points: number) => void;
  /** The rows of the output, where each is not a point; its columns; and what is written. */
  readonly onRows?: Encoding["onRows"];
  readonly onColumns?: Encoding["onColumns"];
  readonly onChunk?: Encoding["onChunk"];
}

/** Runs a job to its end, or leaves the destination unchanged. @throws {EntsError} of every kind. */
export async function runJob({ warn, ...rest }: Job): Promise<void> {
  const job = { ...rest, warn: warnOnce(warn) };
  let incomplete: EntsError | undefined;
  const onIncomplete = (error: EntsError) => (incomplete ??= error);
  const { onRows, onColumns } = job.watch;
  const onChunk = (chunk: Chunk) => {
    job.watch.onPoints(chunk.unknown ? chunk.unknown.data.length : countPoints(chunk.timeSeries));
    job.watch.onChunk?.(chunk);
  };
  const { metrics, interval } = job.plan.query;
  const start = startColumns(metrics, { interval, pivot: job.encoding.layout.pivot });
  const hasAllColumns = job.known !== undefined;
  const collects = collectsAll({ ...job.encoding, hasAllColumns });
  const { gaps, columns } = job.known ?? { gaps: createGaps(job.plan, { collects }), columns: start };
  const encoding = { ...job.encoding, gaps, columns, hasAllColumns, onRows, onColumns, onChunk };
  job.watch.onStart();
  const chunks = fetchChunks(job, { gaps, releaseBodies: !collects, onIncomplete });
  await job.destination.put(chunks, encoding, job.put).catch((error: unknown) => {
    throw error instanceof ColumnsChanged ? refuseColumns(error) : error;
  });
  // Rows would have failed.
  if (incomplete) job.warn(incomplete.message);
}

interface Pass {
  readonly gaps: Gaps;
  readonly releaseBodies: boolean;
  readonly onIncomplete: (error: EntsError) => void;
}

async function* fetchChunks({ plan, ...job }: Job, { gaps, releaseBodies, onIncomplete }: Pass): AsyncGenerator<Chunk> {
  const merge = job.known ? readPlan : fetchPlan;
  for await (const chunk of merge(plan, { ...job, releaseBodies }, gaps)) {
    if (chunk.incomplete) onIncomplete(chunk.incomplete);
    if (job.encoding.layout.intervalEnd) for (const item of chunk.timeSeries) warnOfEnd(item, plan, job.warn);
    if (job.encoding.layout.join && chunk.timeSeries.some(lacksUnits)) job.warn(describeEmptyJoin(plan));
    yield chunk;
  }
  if (gaps.doubt !== undefined) job.warn(gaps.doubt);
  if (gaps.problem !== undefined) job.warn(`${gaps.problem}; ${TO_A_FILE}, so that ents knows it before the first row`);
}

function warnOfEnd(item: TimeSeries, { query }: Plan, warn: Job["warn"]): void {
  const why = explainUnknownEnd(item, query.interval);
  if (why !== undefined) warn(why);
}

function lacksUnits({ series }: TimeSeries): boolean {
  return series.some((one) => one.points.instants.length > 0 && findLabel(one, UNIT_LABEL) === null);
}

function describeEmptyJoin({ query }: Plan): string {
  const what = `the columns of ${OUTPUT_FLAGS.with} are empty where rows have no ${UNIT_LABEL}`;
  return lacksFacilities(query) ? `${what}; add ${QUERY_FLAGS.facilityCode} to get it` : what;
}

function refuseColumns(cause: ColumnsChanged): EntsError {
  return new EntsError("refused", `${cause.message}, after the header was written`, {
    cause,
    hint: `${TO_A_FILE}, so that ents knows all columns before the first row`,
  });
}

const TO_A_FILE = `write to a file (${OUTPUT_OPTIONS.output.short}, without ${FETCH_FLAGS.resume})`;
