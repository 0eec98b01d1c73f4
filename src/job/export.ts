/** From checked flags to a job with its service, checkpoint and progress. */
import { existsSync, statSync } from "node:fs";
import type { Context } from "../base/context.ts";
import { EntsError } from "../base/errors.ts";
import type { Report } from "../base/report.ts";
import type { KeyPlan } from "../base/vocabulary.ts";
import type { About } from "../format/format.ts";
import type { OutputValues } from "../format/output-options.ts";
import { describeFormat } from "../format/registry.ts";
import type { FetchValues } from "../options/fetch-options.ts";
import type { QueryValues } from "../options/query-options.ts";
import type { UpkeepValues } from "../options/upkeep-options.ts";
import { listRequests, type Plan, planQuery } from "../plan/plan.ts";
import type { Query } from "../query/query.ts";
import { resolveFetch } from "../settings/fetch-settings.ts";
import { loadSettings } from "../settings/settings.ts";
import type { Service } from "../source/open-service.ts";
import type { Checkpoint, CheckpointOptions } from "./checkpoint/checkpoint.ts";
import { keepAnswers } from "./checkpoint/keep-answers.ts";
import { checkRows } from "./choose-format.ts";
import { type Destination, openDestination } from "./destination/destination.ts";
import { writePlan } from "./dry-run.ts";
import { explainFailure } from "./failure.ts";
import { explainNoData } from "./no-data.ts";
import type { Observer } from "./observer.ts";
import type { Output } from "./output.ts";
import { countAnswers, createProgress, type Progress, type Written } from "./progress.ts";
import { describeRequests, describeShare, findQuotaPlan, isCostly } from "./quota.ts";
import { findDescriptor } from "./package/kept.ts";
import { type Job, runJob } from "./run.ts";

export interface Export {
  readonly query: Query;
  readonly output: Output;
  readonly options: FetchValues & OutputValues & UpkeepValues & Pick<QueryValues, "last">;
  /** The command that resumes this export if it stops. */
  readonly again: string;
}

/**
 * Fetches what the query asks and writes it in full, or leaves the output unchanged.
 * @throws {EntsError} of every kind.
 */
export async function exportData({ options: flags, ...asked }: Export, context: Context, report: Report): Promise<void> {
  const settings = await loadSettings(context);
  const options = resolveFetch(flags, settings);
  const request = { ...asked, options, keyPlan: findQuotaPlan(flags, settings) };
  const { output } = request;
  if (options.follow) (await import("./follow/check.ts")).checkFollow(output);
  const destination = await openDestination(request, context, report);
  const plan = planQuery(destination.query, { now: context.now(), maxWindow: options.maxWindow });
  checkRows(output.formatName, plan);
  if (options.dryRun) return writePlan(plan, { output, fetch: options, settings, report }, context);
  const progress = createProgress(report, context.monotonic);
  const { openService } = await import("../source/open-service.ts");
  const service = await openService(options, settings, { context, report, onEvent: progress.watch });
  const run = options.follow ? followPlan : exportPlan;
  await closeAfter(
    () => run(request, { plan, destination, service, progress }, { context, report }),
    () => service.close(),
  );
}

/** An export with what is stored for it. */
interface Resolved extends Export {
  readonly options: Export["options"] & { readonly concurrency: number };
  readonly keyPlan: KeyPlan | undefined;
}

interface Parts {
  readonly plan: Plan;
  readonly destination: Destination;
  readonly service: Service;
  readonly progress: Progress;
}

interface Surroundings {
  readonly context: Context;
  readonly report: Report;
}

async function exportPlan(request: Resolved, parts: Parts, { context, report }: Surroundings): Promise<void> {
  const { output, options, again } = request;
  const { plan, destination, service, progress } = parts;
  const isLong = listRequests(plan).length > 1;
  const folder =
    output.target?.kind === "file"
      ? await loadCheckpoint({ output: output.target.name, settlesAfter: destination.settlesAfter }, service, context)
      : undefined;
  const checkpoint = options.resume ? folder : undefined;
  const about = describeRun(request, service, context);
  const observers = await loadObservers(request, { ...parts, about }, { context, report });
  const run = async () => {
    try {
      progress.plan(plan);
      if (isLong) await resume(checkpoint, plan, report);
      tellCost(listRequests(plan).filter((one) => !checkpoint?.has(one)).length, request.keyPlan, report);
      await runJob(createJob(request, { ...parts, about, checkpoint, observers }, { context, report }));
    } catch (error) {
      throw explainFailure(error, { plan, again, checkpoint, resumes: options.resume, progress, report });
    } finally {
      progress.stop();
    }
    if (progress.rows === 0) report.note(...explainNoData(plan.query));
    progress.finish(findWritten(output));
    for (const observer of observers) await observer.finish();
  };
  await closeAfter(run, async (done) => {
    await checkpoint?.close(done).catch((error: Error) => {
      if (done) report.warn(error.message);
    });
    // A complete output needs no answers of an earlier run, not even where --no-resume did not use them.
    if (done && isLong && !checkpoint) await folder?.clear().catch(() => {});
  });
}

/** The window of the plan, and then without an end. Nothing is taken from a cache: what is new is not in it. */
async function followPlan(request: Resolved, parts: Parts, { context, report }: Surroundings): Promise<void> {
  const { plan, service, progress } = parts;
  const { followQuery } = await import("./follow/follow.ts");
  const about = describeRun(request, service, context);
  const observers = await loadObservers(request, { ...parts, about }, { context, report });
  await followQuery({ ...request, about, plan, source: service.client, progress, observers }, context, report);
}

/** The finished file; undefined for a stream. */
function findWritten({ target, formatName }: Output): Written | undefined {
  if (target?.kind !== "file") return undefined;
  // Another program may have taken it away already.
  const status = statSync(target.path, { throwIfNoEntry: false });
  return status && { name: target.name, size: status.size, unit: describeFormat(formatName).counts ?? "row" };
}

/** Does the work, then closes. What closing fails on changes nothing of the outcome. */
async function closeAfter(work: () => Promise<void>, close: (done: boolean) => Promise<void>): Promise<void> {
  let done = false;
  try {
    await work();
    done = true;
  } catch (error) {
    // The output is written.
    done = error instanceof EntsError && error.kind === "incomplete";
    throw error;
  } finally {
    await close(done).catch(() => {});
  }
}

/** Loaded only for files: its node:crypto takes 4 ms. */
async function loadCheckpoint(options: Omit<CheckpointOptions, "service">, { baseUrl }: Service, context: Context): Promise<Checkpoint> {
  const { createCheckpoint } = await import("./checkpoint/checkpoint.ts");
  return createCheckpoint({ ...options, service: baseUrl?.href ?? "sandbox" }, context);
}

function describeRun({ query, again }: Export, { baseUrl }: Service, { version }: Context): About {
  const service = baseUrl?.href ?? "the sandbox inside ents: synthetic data";
  return { version, command: again, service, isSynthetic: baseUrl === undefined, query };
}

type Observed = Pick<Parts, "plan" | "destination" | "progress"> & { readonly about: About };

/** Those that the flags ask for, in the order in which they tell. A description that is there is kept true. */
async function loadObservers(
  { query, output, options }: Export,
  { plan, destination, progress, about }: Observed,
  { context, report }: Surroundings,
): Promise<Observer[]> {
  const observers: Observer[] = [];
  if (options.datapackage || options.update || (await isDescribed(output))) {
    const { createDescriber } = await import("./package/describe.ts");
    observers.push(await createDescriber({ output, about, destination, countRows: () => progress.rows }, context));
  }
  if (options.summary) observers.push((await import("./summarize.ts")).createSummarizer(query, output.zone, { context, report }));
  if (options.requireComplete || options.requireFresh) observers.push((await import("./require.ts")).createRequirement(plan, options));
  return observers;
}

/** Whether ents has described the file that is there. */
async function isDescribed({ target }: Output): Promise<boolean> {
  const path = target?.kind === "file" ? findDescriptor(target.path) : undefined;
  if (path === undefined || !existsSync(path)) return false;
  const { readDescriptor } = await import("./package/descriptor.ts");
  return (await readDescriptor(path)) !== undefined;
}

async function resume(checkpoint: Checkpoint | undefined, plan: Plan, report: Report): Promise<void> {
  if (!checkpoint) return;
  await checkpoint.open();
  const requests = listRequests(plan);
  const kept = requests.filter((request) => checkpoint.has(request)).length;
  if (kept > 0) return report.note(`resuming: ${kept} of ${requests.length} requests are already done (kept in ${checkpoint.folder})`);
  // With some kept, others are of the same export: its plan changes with the clock, and with what answers show.
  const others = checkpoint.countOthers(requests);
  if (others > 0)
    report.warn(
      `${checkpoint.folder} has ${others} finished ${others === 1 ? "request" : "requests"} of another export, to be deleted when this one is done`,
    );
}

function tellCost(requests: number, keyPlan: KeyPlan | undefined, report: Report): void {
  if (keyPlan && isCostly(requests, keyPlan)) report.note(`${describeRequests(requests)}, ${describeShare(requests, keyPlan)}`);
}

function createJob(
  { output, options }: Resolved,
  parts: Parts & {
    readonly about: About;
    readonly checkpoint: Checkpoint | undefined;
    readonly observers: readonly Observer[];
  },
  { context, report }: Surroundings,
): Job {
  const { plan, destination, service, about, checkpoint, progress, observers } = parts;
  const answers = checkpoint ? keepAnswers(service.client, checkpoint) : service.client;
  return {
    plan,
    source: countAnswers(answers, progress),
    destination,
    encoding: { ...output, about: { ...about, query: plan.query } },
    concurrency: options.concurrency,
    repeatable: checkpoint !== undefined,
    signal: context.signal,
    warn: report.warn,
    onReplan: async (rest, why) => {
      report.detail(`${why}; planning the rest again`);
      progress.plan(rest);
      await checkpoint?.open();
    },
    watch: {
      onStart: () => {
        progress.start();
        for (const observer of observers) observer.start();
      },
      onPoints: progress.add,
      onRows: progress.addRows,
      onColumns: (columns) => {
        for (const { columns: take } of observers) take?.(columns);
      },
      onChunk: (chunk) => {
        for (const { take } of observers) take(chunk);
      },
    },
  };
}
