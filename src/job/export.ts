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
import type { UpkeepValues } from "../options/upkeep-options.ts";
import { listRequests, type Plan, planQuery } from "../plan/plan.ts";
import type { Query } from "../query/query.ts";
import { resolveFetch } from "../settings/fetch-settings.ts";
import { findBaseUrl, loadSettings, type Settings } from "../settings/settings.ts";
import { keepAnswers } from "../source/kept/keep-answers.ts";
import type { Service } from "../source/open-service.ts";
import type { Checkpoint, CheckpointOptions } from "./checkpoint/checkpoint.ts";
import { checkRows } from "./choose-format.ts";
import { type Destination, openDestination } from "./destination/destination.ts";
import { NeedsAll } from "./destination/needs-all.ts";
import { writePlan } from "./dry-run.ts";
import { explainFailure } from "./failure.ts";
import { explainNoData } from "./no-data.ts";
import type { Observer } from "./observer.ts";
import type { Output } from "./output.ts";
import { countAnswers, createProgress, type Progress } from "./progress.ts";
import { describeCached, type Written } from "./progress-sums.ts";
import { findQuotaPlan, tellCost } from "./quota.ts";
import { findDescriptor } from "./package/kept.ts";
import { type Job, runJob } from "./run.ts";

export interface Export {
  readonly query: Query;
  readonly output: Output;
  readonly options: FetchValues & OutputValues & UpkeepValues;
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
  const about = describeRun({ ...asked, options }, settings, context);
  const request = { ...asked, options, about, keyPlan: findQuotaPlan(flags, settings), whole: false };
  try {
    await exportRequest(request, settings, { context, report });
  } catch (error) {
    if (!(error instanceof NeedsAll)) throw error;
    report.note(`${error.message}; fetching all of it again`);
    await exportRequest({ ...request, whole: true }, settings, { context, report });
  }
}

async function exportRequest(request: Resolved, settings: Settings, { context, report }: Surroundings): Promise<void> {
  const { output, options } = request;
  const destination = await openDestination(request, context, report);
  const plan = planQuery(destination.query, { now: context.now(), maxWindow: options.maxWindow });
  checkRows(output.formatName, plan);
  if (options.dryRun) return writePlan(plan, { output, fetch: options, settings, report }, context);
  const progress = createProgress(report, context.monotonic);
  const { openService } = await import("../source/open-service.ts");
  const { settlesAfter } = destination;
  // What --follow waits for is never in the cache.
  const fetch = options.follow ? { ...options, cache: "off" as const } : options;
  const service = await openService(fetch, settings, { context, report, onEvent: progress.watch, settlesAfter });
  await closeAfter(
    () => exportPlan(request, { plan, destination, service, progress }, { context, report }),
    () => service.close(),
  );
}

/** An export with what is stored for it. */
interface Resolved extends Export {
  readonly options: Export["options"] & { readonly concurrency: number };
  readonly about: About;
  /** As of `openDestination`. */
  readonly whole: boolean;
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
    output.target?.kind === "file" || output.target?.kind === "folder"
      ? await loadCheckpoint({ output: output.target.name, settlesAfter: destination.settlesAfter }, service, context)
      : undefined;
  const checkpoint = options.resume ? folder : undefined;
  const observers = await loadObservers(request, parts, { context, report });
  const run = async () => {
    try {
      progress.plan(plan);
      // Two updates of one file: the second stops.
      if (isLong || options.update) await resume(checkpoint, plan, report);
      const missing = listRequests(plan).filter((one) => !checkpoint?.has(one));
      await tellCost(missing, { keyPlan: request.keyPlan, cache: service.cache, report });
      await runJob(createJob(request, { ...parts, checkpoint, observers }, { context, report }));
    } catch (error) {
      throw explainFailure(error, { plan, again, checkpoint, resumes: options.resume, progress, report });
    } finally {
      progress.stop();
    }
    if (progress.rows === 0) report.note(...explainNoData(plan.query));
    if (progress.count.cache > 0) report.note(describeCached(progress.count, context.now()));
    progress.finish(destination.tells ? undefined : findWritten(output, destination));
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

/** The finished file or files; undefined for a stream. */
function findWritten({ target, formatName }: Output, destination: Destination): Written | undefined {
  if (target?.kind !== "file" && target?.kind !== "folder") return undefined;
  // Another program may have taken it away already.
  const size = destination.size ?? statSync(target.path, { throwIfNoEntry: false })?.size;
  return size === undefined ? undefined : { name: target.name, size, unit: describeFormat(formatName).counts ?? "row" };
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

function describeRun({ query, options, again }: Export, settings: Settings, { version }: Context): About {
  const isSynthetic = options.sandbox;
  const service = isSynthetic ? "the sandbox inside ents: synthetic data" : findBaseUrl(options.baseUrl, settings).href;
  return { version, command: again, service, isSynthetic, query };
}

/** Those that the flags ask for, in the order in which they tell. A description that is there is kept true. */
async function loadObservers(
  { query, output, options, about }: Resolved,
  { plan, destination, progress }: Pick<Parts, "plan" | "destination" | "progress">,
  { context, report }: Surroundings,
): Promise<Observer[]> {
  const observers: Observer[] = [];
  const written = destination.written ?? query;
  // A dataset describes itself.
  if (output.target?.kind !== "folder" && (options.datapackage || options.update || (await isDescribed(output)))) {
    const { createDescriber } = await import("./package/describe.ts");
    observers.push(await createDescriber({ output, about, destination, countRows: () => progress.rows }, context));
  }
  if (options.summary) observers.push((await import("./summarize.ts")).createSummarizer(written, output.zone, { context, report }));
  if (options.requireComplete || options.requireFresh)
    observers.push((await import("./require.ts")).createRequirement({ ...plan, query: written }, options));
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

function createJob(
  { output, options, about }: Resolved,
  parts: Parts & { readonly checkpoint: Checkpoint | undefined; readonly observers: readonly Observer[] },
  { context, report }: Surroundings,
): Job {
  const { plan, destination, service, checkpoint, progress, observers } = parts;
  const { client } = service;
  const answers = checkpoint ? keepAnswers(client, { store: checkpoint, as: "checkpoint", maxBody: options.maxBody }) : client;
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
