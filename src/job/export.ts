/** From checked flags to a job with its service, checkpoint and progress. */
import type { Context } from "../base/context.ts";
import type { Report } from "../base/report.ts";
import type { FetchValues } from "../options/fetch-options.ts";
import { listRequests, type Plan, type PlanFacts, planQuery } from "../plan/plan.ts";
import type { Query } from "../query/query.ts";
import { findMaxWindow, loadSettings } from "../settings/settings.ts";
import type { Service } from "../source/open-service.ts";
import type { Checkpoint } from "./checkpoint/checkpoint.ts";
import { keepAnswers } from "./checkpoint/keep-answers.ts";
import { chooseDestination, type Destination } from "./destination/destination.ts";
import { writePlan } from "./dry-run.ts";
import { explainFailure } from "./failure.ts";
import { explainNoData } from "./no-data.ts";
import type { Output } from "./output.ts";
import { countAnswers, createProgress, type Progress } from "./progress.ts";
import { type Job, runJob } from "./run.ts";

export interface Export {
  readonly query: Query;
  readonly output: Output;
  readonly fetch: FetchValues;
  /** The command that resumes this export if it stops. */
  readonly again: string;
}

/**
 * Fetches what the query asks and writes it in full, or leaves the output unchanged.
 * @throws {EntsError} of every kind.
 */
export async function exportData(request: Export, context: Context, report: Report): Promise<void> {
  const { output, fetch, again } = request;
  const settings = await loadSettings(context);
  const destination = chooseDestination(request.query, output.path, context);
  const { query } = destination;
  const facts = { now: context.now(), maxWindow: findMaxWindow(fetch.maxWindow, settings) };
  const plan = planQuery(query, facts);
  if (fetch.dryRun) return writePlan(plan, { output, fetch, settings, report }, context);
  const progress = createProgress(report, context.now);
  const { openService } = await import("../source/open-service.ts");
  const service = await openService(fetch, settings, { context, report, onEvent: progress.watch });
  const kept = output.path === undefined ? undefined : await loadCheckpoint(output.path, service, context);
  const checkpoint = fetch.resume ? kept : undefined;
  let done = false;
  try {
    progress.plan(listRequests(plan).length);
    if (listRequests(plan).length > 1) await resume(checkpoint, plan, report);
    await runJob(createJob({ request, destination, plan, facts, service, checkpoint, progress }, context, report));
    done = true;
    if (progress.points === 0) report.note(...explainNoData(query));
    progress.finish();
  } catch (error) {
    throw explainFailure(error, { query, again, checkpoint, progress, report });
  } finally {
    // An error while closing must not replace the first one.
    await kept?.close(done).catch((error: Error) => report.warn(error.message));
    await service.close();
  }
}

/** Loaded only for files: its node:crypto takes 4 ms. */
async function loadCheckpoint(output: string, { baseUrl }: Service, context: Context): Promise<Checkpoint> {
  const { createCheckpoint } = await import("./checkpoint/checkpoint.ts");
  return createCheckpoint({ output, service: baseUrl?.href ?? "sandbox" }, context);
}

async function resume(checkpoint: Checkpoint | undefined, plan: Plan, report: Report): Promise<void> {
  if (!checkpoint) return;
  await checkpoint.open();
  const requests = listRequests(plan);
  const kept = requests.filter((request) => checkpoint.has(request)).length;
  if (kept > 0) report.note(`resuming: ${kept} of ${requests.length} requests are already done (kept in ${checkpoint.folder})`);
}

interface Parts {
  readonly request: Export;
  readonly destination: Destination;
  readonly plan: Plan;
  readonly facts: PlanFacts;
  readonly service: Service;
  readonly checkpoint: Checkpoint | undefined;
  readonly progress: Progress;
}

function createJob({ checkpoint, progress, ...parts }: Parts, context: Context, report: Report): Job {
  const { request, destination, plan, facts, service } = parts;
  const answers = checkpoint ? keepAnswers(service.client, checkpoint) : service.client;
  return {
    plan,
    facts,
    source: countAnswers(answers, progress),
    destination,
    encoding: request.output,
    concurrency: request.fetch.concurrency,
    repeatable: checkpoint !== undefined,
    signal: context.signal,
    watch: {
      warn: report.warn,
      onStart: progress.start,
      onPoints: progress.add,
      onReplan: async (rest, why) => {
        report.detail(`${why}; planning the rest again`);
        progress.plan(progress.done + listRequests(rest).length);
        await checkpoint?.open();
      },
    },
  };
}
