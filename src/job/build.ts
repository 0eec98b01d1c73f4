/** An export into files: all answers are gathered, and then the output is made from them. */
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { dirname } from "node:path";
import { formatCount } from "../base/phrases.ts";
import { warnOnce, type Surroundings } from "../base/report.ts";
import type { AnswerFolder } from "../kept/answer-folder.ts";
import type { Digests } from "../kept/digests.ts";
import { dropKept } from "../kept/lay-plan.ts";
import { readKept } from "../kept/read-kept.ts";
import { listRequests, networkNow, type PlannedRequest } from "../plan/plan.ts";
import { startColumns } from "../series/layout/columns.ts";
import type { Chunk } from "../series/merge.ts";
import { stampAt } from "../series/point-operations.ts";
import { findNetworkOffset } from "../series/time-series.ts";
import { type AnswerStore, keepAnswers } from "../source/kept/keep-answers.ts";
import type { Source } from "../source/source.ts";
import type { StampPrinter } from "../time/stamp-printer.ts";
import { closeAfter } from "./close-after.ts";
import type { PutOptions } from "./destination/interface.ts";
import { type FileTarget, type FolderTarget, toFileError } from "./destination/target.ts";
import { createEncoding, createWatch, finishExport } from "./export-plan.ts";
import type { ExportParts, Resolved } from "./export-parts.ts";
import { explainFailure } from "./failure.ts";
import { type Gathered, gatherAnswers } from "./gather.ts";
import { countAnswers } from "./progress.ts";
import { tellCost } from "./quota.ts";
import { runJob } from "./run.ts";

/** The files of an output. */
export type BuildTarget = FileTarget | FolderTarget;

export interface Build extends Surroundings {
  readonly target: BuildTarget;
  readonly request: Resolved;
  readonly parts: ExportParts;
  readonly folder: AnswerFolder;
  /** Kept for an output that is updated. */
  readonly digests?: Digests;
}

/** Makes an output once, or `work` keeps it current. */
export async function buildOutput(build: Build, work: (build: Build) => Promise<void> = buildOnce): Promise<void> {
  const { target, request, parts, folder, context, report } = build;
  const { plan, progress } = parts;
  const last = folder.journal.runs.at(-1);
  const updated = request.options.update && last ? { name: target.name, at: networkNow(plan.query.network, last.at) } : undefined;
  const run = async () => {
    try {
      await checkPlace(target);
      await work(build);
    } catch (error) {
      throw explainFailure(error, {
        plan,
        rerunCommand: request.rerunCommand,
        folder: folder.shown,
        updated,
        resumes: true,
        progress,
        report,
      });
    } finally {
      progress.stop();
    }
    await finishExport(request, parts, { context, report });
  };
  await closeAfter(run, (done) =>
    folder.close(done && !request.options.update).catch((error: Error) => {
      if (done) report.warn(error.message);
    }),
  );
}

async function buildOnce(build: Build): Promise<void> {
  await render(await gather(build), build);
}

/** Before the first request. @throws {EntsError} output: nothing can be written there. */
async function checkPlace(target: BuildTarget): Promise<void> {
  // The folder of a dataset may have to be made.
  if (target.kind === "folder") return;
  await access(dirname(target.path), constants.W_OK).catch((error: unknown) => {
    throw toFileError(error, target.name, target.old !== undefined);
  });
}

export async function gather(build: Build): Promise<Gathered> {
  const { request, parts, folder, digests, context, report } = build;
  const { output, options, keyLimits } = request;
  const { plan, service, progress } = parts;
  const { metrics, interval } = plan.query;
  const source = openSource(build, folder);
  let decoded: string | undefined;
  return gatherAnswers(plan, {
    folder,
    source: digests?.standIn(source, ({ path }) => path === decoded) ?? source,
    concurrency: options.concurrency,
    signal: context.signal,
    warn: warnOnce(report.warn),
    columns: startColumns(metrics, { interval, pivot: output.layout.pivot }),
    onPlan: async (laid, why) => {
      progress.plan(laid);
      // It shows where the service's buckets start.
      decoded = listRequests(laid).find((one) => digests?.find(folder.get(one), one.part)?.hasPoints)?.path;
      if (why !== undefined) return report.detail(`${why}; planning the rest again`);
      const missing = dropKept(laid, folder.usable);
      tellKept(build, { requests: listRequests(laid).length, kept: missing.atHand });
      await tellCost(listRequests(missing), { keyLimits, cache: service.cache, plan, report });
    },
  });
}

/** Sends the requests, whatever is kept, and keeps the answers. */
export async function fetchEach(requests: readonly PlannedRequest[], build: Build): Promise<void> {
  const { folder, digests, context } = build;
  const store: AnswerStore = {
    find: async () => undefined,
    keep: (request, response) => folder.keep(request, response),
    drop: (request) => folder.drop(request),
  };
  const source = openSource(build, store);
  const digested = digests?.standIn(source, () => true) ?? source;
  for (const request of requests) await (await digested.send(request, context.signal)).read();
}

/** The service behind a store of answers. */
function openSource({ parts: { service, progress }, request: { options }, context }: Build, store: AnswerStore): Source {
  return countAnswers(
    keepAnswers(service.client, { as: "checkpoint", store, maxBody: options.maxBody, secrets: context.secrets }),
    progress,
  );
}

/** Says how many requests an earlier run has done already. */
function tellKept({ folder, request, report }: Build, { requests, kept }: { readonly requests: number; readonly kept: number }): void {
  if (request.options.update) return;
  const { found, shown } = folder;
  if (kept > 0) report.note(`resuming: ${kept} of ${requests} requests are already done (kept in ${shown})`);
  else if (found.length > 0)
    report.warn(`${shown} has ${formatCount(found.length, "finished request")} of another export, to be deleted when this one is done`);
}

interface RenderOptions extends PutOptions {
  /** What the answers are read from, where some need not have all of their points. */
  readonly source?: Source | undefined;
  readonly onChunk?: ((chunk: Chunk) => void) | undefined;
}

/** Resolves to the last timestamp, as printed. */
export async function render(
  { plan, ...known }: Gathered,
  build: Build,
  { source, onChunk, ...put }: RenderOptions = {},
): Promise<string | undefined> {
  const { request, parts, folder, context, report } = build;
  const { output, options, provenance } = request;
  const watch = createWatch(parts);
  const until = createLastStamp(output.printStamp);
  await runJob({
    plan,
    known,
    put,
    source: source ?? readKept(folder, parts.service.client),
    destination: parts.destination,
    encoding: createEncoding({ output, provenance }, plan, report),
    concurrency: options.concurrency,
    signal: context.signal,
    warn: report.warn,
    onReplan: () => {},
    watch: {
      ...watch,
      onChunk: (chunk) => {
        until.take(chunk);
        onChunk?.(chunk);
        watch.onChunk?.(chunk);
      },
    },
  });
  return until.last();
}

function createLastStamp(printStamp: StampPrinter): { readonly take: (chunk: Chunk) => void; readonly last: () => string | undefined } {
  let last: { readonly instant: number; readonly stamp: string } | undefined;
  return {
    take: ({ timeSeries }) => {
      for (const item of timeSeries) {
        for (const { points } of item.series) {
          const instant = points.instants.at(-1) ?? Number.NEGATIVE_INFINITY;
          if (instant <= (last?.instant ?? Number.NEGATIVE_INFINITY)) continue;
          last = { instant, stamp: printStamp(stampAt(points, points.instants.length - 1), instant, findNetworkOffset(item)) };
        }
      }
    },
    last: () => last?.stamp,
  };
}
