/** An export of a plan: its checkpoint, its observers, and what is told at its end. */
import { statSync } from "node:fs";
import type { Context } from "../base/context.ts";
import type { Report } from "../base/report.ts";
import { describeFormat } from "../format/registry.ts";
import { listRequests, type Plan } from "../plan/plan.ts";
import { keepAnswers } from "../source/kept/keep-answers.ts";
import type { Service } from "../source/open-service.ts";
import type { Checkpoint, CheckpointOptions } from "./checkpoint/checkpoint.ts";
import { closeAfter } from "./close-after.ts";
import type { Destination } from "./destination/destination.ts";
import { asksForNews, checkCost, isFirst, NeedsConsent } from "./destination/needs-more.ts";
import { findUsedFrom, isOfNoUse } from "./earlier-answers.ts";
import type { Parts, Resolved, Surroundings } from "./export-parts.ts";
import { explainFailure } from "./failure.ts";
import { approximateMs } from "../time/duration.ts";
import { FuturePoints } from "./future-points.ts";
import { explainNoData } from "./no-data.ts";
import type { Output } from "./output.ts";
import { countAnswers } from "./progress.ts";
import { describeCached, type Written } from "./progress-sums.ts";
import { tellCost } from "./quota.ts";
import { type Job, runJob } from "./run.ts";

export async function exportPlan(request: Resolved, parts: Parts, { context, report }: Surroundings): Promise<void> {
  const { output, options, again, answered, more } = request;
  const { plan, destination, service, progress } = parts;
  const isLong = listRequests(plan).length > 1;
  const { settlesAfter } = destination;
  const { why: what = "", finding } = more;
  const reason = finding && { what, finding };
  const { target } = output;
  const isFile = target?.kind === "file" || target?.kind === "folder";
  const checkpoint =
    isFile && options.update && options.resume
      ? await loadCheckpoint(
          { output: target.name, settlesAfter, answered, reason, usesFrom: findUsedFrom(request, parts, context.now()) },
          service,
          context,
        )
      : undefined;
  const run = async () => {
    try {
      progress.plan(plan);
      // Two updates of one file: the second stops.
      await checkpoint?.open();
      if (checkpoint && isFirst(more)) tellKept(checkpoint, { plan, isUpdate: options.update }, report);
      const missing = listRequests(plan).filter((one) => !checkpoint?.has(one));
      await tellCost(missing, { keyLimits: request.keyLimits, cache: service.cache, plan, report });
      const later = options.update ? new FuturePoints({ query: plan.query, now: context.now() }) : undefined;
      await runJob(createJob(request, { ...parts, checkpoint, later }, { context, report }));
      const dropped = later?.describe();
      if (dropped !== undefined) report.warn(`${output.target?.name}: ${dropped}`);
    } catch (error) {
      if (error instanceof NeedsConsent) await checkpoint?.forgetNews();
      if (isOfNoUse(error, destination)) await checkpoint?.close(true).catch(() => {});
      const { name } = output.target ?? {};
      const continued = destination.written && name ? { name, revised: approximateMs(options.revise) } : undefined;
      throw explainFailure(error, { plan, continued, again, checkpoint, resumes: options.resume, progress, report });
    } finally {
      progress.stop();
    }
    await finishExport(request, parts, { context, report });
  };
  await closeAfter(run, async (done) => {
    // What could not be had may be tried again by the next run, which needs those that could.
    await checkpoint?.close(done && !more.denied?.error).catch((error: Error) => {
      if (done) report.warn(error.message);
    });
    // A complete output needs no answers of an earlier run, not even where --no-resume did not use them.
    if (done && isLong && !options.update) await parts.folder?.clear().catch(() => {});
  });
}

/** What is told of an output that is in its place. */
export async function finishExport({ output }: Resolved, parts: Parts, { context, report }: Surroundings): Promise<void> {
  const { plan, destination, progress, observers } = parts;
  if (progress.rows === 0 && plan.query.units?.length !== 0) report.note(...explainNoData(plan.query));
  if (progress.count.cache > 0) report.note(describeCached(progress.count, context.now()));
  progress.finish(destination.tells ? undefined : findWritten(output, destination));
  for (const observer of observers) await observer.finish();
}

/** The finished file or files; undefined for a stream. */
function findWritten({ target, formatName }: Output, destination: Destination): Written | undefined {
  if (target?.kind !== "file" && target?.kind !== "folder") return undefined;
  // Another program may have taken it away already.
  const size = destination.size ?? statSync(target.path, { throwIfNoEntry: false })?.size;
  return size === undefined ? undefined : { name: target.name, size, unit: describeFormat(formatName).counts ?? "row" };
}

/** Loaded only for files: its node:crypto takes 4 ms. */
async function loadCheckpoint(options: Omit<CheckpointOptions, "service">, { baseUrl }: Service, context: Context): Promise<Checkpoint> {
  const { createCheckpoint } = await import("./checkpoint/checkpoint.ts");
  return createCheckpoint({ ...options, service: baseUrl?.href ?? "sandbox" }, context);
}

/** Says how many requests an earlier run has done already. */
function tellKept(checkpoint: Checkpoint, { plan, isUpdate }: { plan: Plan; isUpdate: boolean }, report: Report): void {
  const requests = listRequests(plan);
  const kept = requests.filter((request) => checkpoint.has(request)).length;
  if (kept > 0) return report.note(`resuming: ${kept} of ${requests.length} requests are already done (kept in ${checkpoint.folder})`);
  // With some kept, others are of the same export: its plan changes with the clock, and with what answers show.
  // An update may come to ask for more.
  const others = isUpdate ? 0 : checkpoint.countOthers(requests);
  if (others > 0)
    report.warn(
      `${checkpoint.folder} has ${others} finished ${others === 1 ? "request" : "requests"} of another export, to be deleted when this one is done`,
    );
}

function createJob(
  { output, options, about, more, memory }: Resolved,
  parts: Parts & { readonly checkpoint: Checkpoint | undefined; readonly later: FuturePoints | undefined },
  { context, report }: Surroundings,
): Job {
  const { plan, destination, service, checkpoint, later, progress, observers } = parts;
  const { client } = service;
  const skipsEmpty = asksForNews(destination, more);
  const kept = { as: "checkpoint", maxBody: options.maxBody, secrets: context.secrets, skipsEmpty } as const;
  const store = checkpoint ?? memory;
  const answers = countAnswers(store ? keepAnswers(client, { ...kept, store }) : client, progress);
  return {
    plan,
    source: later?.dropFrom(answers) ?? answers,
    destination,
    encoding: createEncoding({ output, about }, plan, report),
    concurrency: options.concurrency,
    repeatable: checkpoint !== undefined,
    signal: context.signal,
    warn: report.warn,
    onReplan: async (rest, why) => {
      checkCost(more.maxRequests, rest);
      report.detail(`${why}; planning the rest again`);
      progress.plan(rest);
      await checkpoint?.open();
    },
    watch: createWatch({ progress, observers }),
  };
}

export function createEncoding({ output, about }: Pick<Resolved, "output" | "about">, { query }: Plan, { lines }: Report): Job["encoding"] {
  return { ...output, formatOptions: { ...output.formatOptions, linesAbove: lines }, about: { ...about, query } };
}

export function createWatch({ progress, observers }: Pick<Parts, "progress" | "observers">): Job["watch"] {
  return {
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
  };
}
