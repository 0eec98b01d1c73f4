/** A job: what a destination needs, from a source. */
import { EntsError } from "../base/errors.ts";
import { ColumnsChanged, type Encoding } from "../format/encode.ts";
import { findLimits } from "../plan/limits.ts";
import type { Plan, PlanFacts } from "../plan/plan.ts";
import { startColumns } from "../series/layout/columns.ts";
import { type Chunk, mergeWindows } from "../series/merge.ts";
import { countPoints } from "../series/settle.ts";
import type { Source } from "../source/source.ts";
import { fetchWindows } from "../source/windows.ts";
import type { Destination } from "./destination/destination.ts";

export interface Job {
  readonly plan: Plan;
  /** What the plan was made with. */
  readonly facts: PlanFacts;
  readonly source: Source;
  readonly destination: Destination;
  readonly encoding: Omit<Encoding, "columns">;
  /** Maximum concurrent requests. */
  readonly concurrency: number;
  /** Whether the source gives the same answers a second time, at no cost. */
  readonly repeatable: boolean;
  readonly signal: AbortSignal;
  readonly watch: JobWatch;
}

/** Those who are told how a job goes. */
export interface JobWatch {
  /** Answers disagree, or have what was not asked for. */
  readonly warn: (text: string) => void;
  /** What is left to fetch was planned anew. */
  readonly onReplan: (rest: Plan, why: string) => Promise<void>;
  /** The output is begun, or begun anew. */
  readonly onStart: () => void;
  /** So many points, or items whose shape is not known, go to the output. */
  readonly onPoints: (points: number) => void;
}

/** Runs a job to its end, or leaves the destination as it was. @throws {EntsError} of every kind. */
export async function runJob(job: Job): Promise<void> {
  let columns = startColumns(job.destination.query.metrics);
  for (let done = false; !done; ) {
    job.watch.onStart();
    try {
      await job.destination.put(fetchChunks(job), { ...job.encoding, columns });
      done = true;
    } catch (error) {
      if (!(error instanceof ColumnsChanged)) throw error;
      if (!job.repeatable || !job.destination.rewritable) throw refuseColumns(error);
      // From the start, with the columns that are known by now.
      columns = error.columns;
    }
  }
}

async function* fetchChunks({ plan, facts, source, destination, concurrency, signal, watch }: Job): AsyncGenerator<Chunk> {
  const { query } = destination;
  const limits = query.interval && findLimits(query.interval, facts.maxWindow);
  const { onReplan } = watch;
  const windows = fetchWindows(plan, { query, source, now: facts.now, limits, concurrency, signal, onReplan });
  for await (const chunk of mergeWindows(windows, watch.warn)) {
    watch.onPoints(chunk.unknown ? chunk.unknown.data.length : countPoints(chunk.timeSeries));
    yield chunk;
  }
}

function refuseColumns(cause: ColumnsChanged): EntsError {
  return new EntsError("refused", `${cause.message}, and what is written cannot be taken back`, {
    cause,
    hint: "write to a file (-o, without --no-resume), where the header can still be completed",
  });
}
