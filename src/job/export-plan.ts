/** An export that is written as its answers come, and what is told at the end of any export. */
import { statSync } from "node:fs";
import type { Report, Surroundings } from "../base/report.ts";
import { describeFormat } from "../format/registry.ts";
import { listRequests, type Plan } from "../plan/plan.ts";
import type { Destination } from "./destination/destination.ts";
import type { ExportParts, Resolved } from "./export-parts.ts";
import { explainFailure } from "./failure.ts";
import { explainNoData } from "./no-data.ts";
import type { Output } from "./output.ts";
import { countAnswers, describeCached, type FinishedFile } from "./progress.ts";
import { tellCost } from "./quota.ts";
import { type Job, runJob } from "./run.ts";
import type { Settings } from "../settings/settings.ts";
import type { Observer } from "./observer.ts";

export async function exportPlan(request: Resolved, parts: ExportParts, { context, report }: Surroundings): Promise<void> {
  const { output, options, provenance, rerunCommand } = request;
  const { plan, destination, service, progress } = parts;
  try {
    progress.plan(plan);
    await tellCost(listRequests(plan), { keyLimits: request.keyLimits, cache: service.cache, plan, report });
    await runJob({
      plan,
      destination,
      source: countAnswers(service.client, progress),
      encoding: createEncoding({ output, provenance }, plan, report),
      concurrency: options.concurrency,
      signal: context.signal,
      warn: report.warn,
      onReplan: (rest, why) => {
        report.detail(`${why}; planning the rest again`);
        progress.plan(rest);
      },
      watch: createWatch(parts),
    });
  } catch (error) {
    throw explainFailure(error, { plan, rerunCommand, folder: undefined, resumes: options.resume, progress, report });
  } finally {
    progress.stop();
  }
  await finishExport(request, parts, { context, report });
  // A complete output needs no answers of an earlier run, not even where --no-resume did not use them.
  if (listRequests(plan).length > 1) await parts.folder?.clear().catch(() => {});
}

/** What is told of an output that is in its place. */
export async function finishExport({ output, options }: Resolved, parts: ExportParts, { context, report }: Surroundings): Promise<void> {
  const { plan, destination, progress, observers } = parts;
  if (progress.rows === 0 && plan.query.units?.length !== 0) report.note(...explainNoData(plan.query));
  if (progress.count.cache > 0) report.note(describeCached(progress.count, context.now()));
  progress.finish(options.update ? undefined : findWritten(output, destination));
  for (const observer of observers) await observer.finish();
}

/** The finished file or files; undefined for a stream. */
function findWritten({ target, formatName }: Output, destination: Destination): FinishedFile | undefined {
  if (target?.kind !== "file" && target?.kind !== "folder") return undefined;
  // Another program may have taken it away already.
  const size = destination.size ?? statSync(target.path, { throwIfNoEntry: false })?.size;
  return size === undefined ? undefined : { name: target.name, size, unit: describeFormat(formatName).counts ?? "row" };
}

export function createEncoding(
  { output, provenance }: Pick<Resolved, "output" | "provenance">,
  { query }: Plan,
  { lines }: Report,
): Job["encoding"] {
  return { ...output, formatOptions: { ...output.formatOptions, linesAbove: lines }, provenance: { ...provenance, query } };
}

export function createWatch({ progress, observers }: Pick<ExportParts, "progress" | "observers">): Job["watch"] {
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

/** The observers that the flags ask for, in the order of their reports. */
export async function loadObservers(
  { query, output, options, checksCodes }: Resolved,
  {
    plan,
    missing,
    settings,
  }: Pick<ExportParts, "plan"> & { readonly missing: Pick<Plan, "windows"> | undefined; readonly settings: Settings },
  { context, report }: Surroundings,
): Promise<Observer[]> {
  const observers: Observer[] = [];
  if (options.summary) observers.push((await import("./summarize.ts")).createSummarizer(query, output.zone, { context, report }));
  if ((options.facilityCode ?? options.unitCode) && !options.follow)
    observers.push(await loadCodeWatch({ query, options, checksCodes }, settings, { context, report }));
  if (options.requireComplete || options.requireFresh)
    observers.push(
      (await import("./require.ts")).createRequirement(options.update && missing ? startAt(plan, missing) : plan, {
        ...options,
        name: output.target?.name,
      }),
    );
  return observers;
}

/** In an update, only the part that is fetched is looked at. */
function startAt(plan: Plan, { windows }: Pick<Plan, "windows">): Plan {
  const { query } = plan;
  const start = windows[0]?.window.start ?? query.window.start;
  return { ...plan, query: { ...query, window: { ...query.window, start } } };
}

async function loadCodeWatch(
  { query, options, checksCodes }: Pick<Resolved, "query" | "options" | "checksCodes">,
  settings: Settings,
  { context, report }: Surroundings,
): Promise<Observer> {
  const { createCodeWatch } = await import("../units/missing-codes.ts");
  const findFacilities = async (mayAsk: boolean) => {
    const { findKnownCodes, askForCodes } = await import("../units/known-codes.ts");
    const request = { fetch: options, settings };
    return ((await findKnownCodes(request, context)) ?? (mayAsk ? await askForCodes(request, { context, report }) : undefined))?.facilities;
  };
  return createCodeWatch(query, options, { findFacilities, checksCodes, report });
}
