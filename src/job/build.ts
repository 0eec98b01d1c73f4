/** Exports into files: gathers all responses, then makes the output from them. */
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { dirname } from "node:path";
import { formatCount } from "../base/phrases.ts";
import { warnOnce } from "../base/report.ts";
import type { AnswerFolder } from "../kept/answer-folder.ts";
import type { Digests } from "../kept/digests.ts";
import { dropStored, type MissingPlan } from "../kept/lay-plan.ts";
import { readKept, type AnswerStore, keepAnswers } from "../kept/keep-answers.ts";
import { listRequests, type PlannedRequest } from "../plan/plan.ts";
import { startColumns } from "../series/layout/columns.ts";
import type { Chunk } from "../series/merge.ts";
import { stampAt } from "../series/point-operations.ts";
import { findNetworkOffset } from "../series/time-series.ts";
import type { Source } from "../source/source.ts";
import { runThenClose } from "./failure.ts";
import type { PutOptions } from "./destination/interface.ts";
import { type FileTarget, type FolderTarget, toFileError } from "./destination/target.ts";
import { reportEnd, writeResult } from "./export-plan.ts";
import type { Running } from "./export-parts.ts";
import { type Gathered, gatherAnswers } from "./gather.ts";
import { countAnswers } from "./progress.ts";
import { noteCost } from "./quota.ts";
import type { Watcher } from "./watch.ts";

/** An output that is a file or a folder of files. */
export type BuildTarget = FileTarget | FolderTarget;

export interface Build extends Running {
  readonly target: BuildTarget;
  readonly folder: AnswerFolder;
  /** Only in an update. */
  readonly digests?: Digests;
}

/** Makes an output once, or updates it with `work`. */
export async function buildOutput(build: Build, work: (build: Build) => Promise<void> = buildOnce): Promise<void> {
  const { target, request, folder, report } = build;
  const run = async () => {
    // A dataset's folder may not exist yet.
    if (target.kind === "file")
      await access(dirname(target.path), constants.W_OK).catch((error: unknown) => {
        throw toFileError(error, target.name, target.old !== undefined);
      });
    await work(build);
  };
  await runThenClose(
    () => reportEnd(build, run, folder),
    async (done) => {
      const isOver = done && !request.options.update;
      // A single request does not open the folder that an earlier run may have left. Another run may use it now.
      if (isOver && !folder.isOpen) return folder.clear().catch(() => {});
      await folder.close(isOver).catch((error: Error) => {
        if (done) report.warn(error.message);
      });
    },
  );
}

async function buildOnce(build: Build): Promise<void> {
  await render(await gather(build), build);
}

export async function gather(build: Build): Promise<Gathered> {
  const { request, parts, folder, digests, context, report } = build;
  const { output, options } = request;
  const { plan, progress } = parts;
  const { metrics, interval } = plan.query;
  const source = openSource(build, folder);
  let decoded: string | undefined;
  return gatherAnswers(plan, {
    folder,
    evidence: countAnswers(parts.service.client, progress),
    source: digests?.standIn(source, ({ path }) => path === decoded) ?? source,
    concurrency: options.concurrency,
    signal: context.signal,
    warn: warnOnce(report.warn),
    columns: startColumns(metrics, { interval, pivot: output.layout.pivot }),
    onPlan: async (laid, why) => {
      progress.plan(laid);
      // The first response with points is read in full, as it shows where the service's buckets start.
      decoded = listRequests(laid).find((one) => digests?.find(folder.get(one), one.part)?.hasPoints)?.path;
      if (why !== undefined) return report.detail(`${why}; planning the rest again`);
      const missing = dropStored(laid, folder.usable);
      noteResumed(missing, build);
      await noteCost(listRequests(missing), build);
    },
  });
}

/** Sends the requests even if their responses are stored, and stores the new ones. */
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

/** The service, with a store of responses in front of it. */
export function openSource({ parts: { service, progress }, request: { options }, context }: Build, store: AnswerStore): Source {
  return countAnswers(
    keepAnswers(service.client, { as: "checkpoint", store, maxBody: options.maxBody, secrets: context.secrets }),
    progress,
  );
}

/** Notes how many requests an earlier run has already done. */
function noteResumed(missing: MissingPlan, { folder, request, report }: Build): void {
  if (request.options.update) return;
  const { found, shown, journal } = folder;
  const { atHand } = missing;
  const requests = atHand + listRequests(missing).length;
  if (atHand > 0) report.note(`resuming: ${atHand} of ${requests} requests are already done (kept in ${shown})`);
  else if (found.length > 0 && journal.runs.length === 0)
    report.warn(`${shown} has ${formatCount(found.length, "finished request")} of another export, to be deleted when this one is done`);
}

interface RenderOptions extends PutOptions {
  /** Source of the responses if some may lack points; undefined: the folder. */
  readonly source?: Source | undefined;
  readonly onChunk?: Watcher["onChunk"];
}

/** Resolves to the last timestamp, as printed. */
export async function render(
  { plan, ...known }: Gathered,
  build: Build,
  { source, onChunk, ...put }: RenderOptions = {},
): Promise<string | undefined> {
  const { request, folder } = build;
  let last = { instant: Number.NEGATIVE_INFINITY, stamp: undefined as string | undefined };
  const noteLast = ({ timeSeries }: Chunk) => {
    for (const item of timeSeries) {
      for (const { points } of item.series) {
        const instant = points.instants.at(-1) ?? Number.NEGATIVE_INFINITY;
        if (instant <= last.instant) continue;
        const stamp = stampAt(points, points.instants.length - 1);
        last = { instant, stamp: request.output.printStamp(stamp, instant, findNetworkOffset(item)) };
      }
    }
  };
  const kept = source ?? readKept(folder, openSource(build, folder));
  await writeResult(build, { plan, known, put, source: kept, onReplan: () => {} }, { onChunk: noteLast }, { onChunk });
  return last.stamp;
}
