/** Exports into files: gathers all responses, then makes the output from them. */
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { dirname } from "node:path";
import { formatCount } from "../base/phrases.ts";
import { warnOnce } from "../base/report.ts";
import type { ResponseFolder } from "../store/response-folder.ts";
import { Checkpoint } from "../store/checkpoint.ts";
import { type ResponseStore, storeResponses, readStored } from "../store/store-responses.ts";
import { listRequests } from "../plan/plan.ts";
import { startColumns } from "../series/layout/columns.ts";
import type { Source } from "../source/source.ts";
import { readWindows } from "../source/windows.ts";
import { type FileTarget, type FolderTarget, toFileError } from "./destination/target.ts";
import type { Running } from "./prepared.ts";
import { reportExportEnd, writeResult } from "./export-plan.ts";
import { runThenClose } from "./failure.ts";
import { gatherResponses } from "./gather.ts";
import { countResponses } from "./progress.ts";
import { noteCost } from "./quota.ts";

/** An output that is a file or a folder of files. */
export type BuildTarget = FileTarget | FolderTarget;

export interface Build extends Running {
  readonly target: BuildTarget;
  readonly folder: ResponseFolder;
}

/** Makes an output once, or updates it with `work`. */
export async function buildOutput(build: Build, work: (build: Build) => Promise<void> = buildOnce): Promise<void> {
  const { target, options, folder, report } = build;
  const run = async () => {
    // A dataset's folder may not exist yet.
    if (target.kind === "file")
      await access(dirname(target.path), constants.W_OK).catch((error: unknown) => {
        throw toFileError(error, target.name, target.old !== undefined);
      });
    await work(build);
  };
  await runThenClose(
    () => reportExportEnd(build, run, folder),
    (done) =>
      folder.close(done && !options.update).catch((error: Error) => {
        if (done) report.warn(error.message);
      }),
  );
}

async function buildOnce(build: Build): Promise<void> {
  const { output, options, plan, progress, service, folder, context, report } = build;
  const { metrics, interval } = plan.query;
  const { concurrency } = options;
  const { signal } = context;
  const checkpoint = new Checkpoint(folder, context.now());
  const warn = warnOnce(report.warn);
  const requests = listRequests(plan);
  // A single request needs no folder, unless an earlier run has left one.
  if (folder.isDataset || requests.length > 1 || (await folder.exists())) await checkpoint.open();
  progress.plan(plan);
  noteResumed(checkpoint, build);
  await noteCost(
    requests.filter((request) => !checkpoint.has(request)),
    build,
  );
  const source = storeService(build, checkpoint);
  const gathered = await gatherResponses(plan, {
    checkpoint,
    evidence: countResponses(service.client, progress),
    source,
    concurrency,
    signal,
    warn,
    columns: startColumns(metrics, { interval, pivot: output.layout.pivot }),
    onReplan: (rest, why) => {
      progress.plan(rest);
      report.detail(`${why}; planning the rest again`);
    },
  });
  const windows = () => readWindows(gathered.plan, { source: readStored(checkpoint, source), concurrency, signal });
  await writeResult(build, { plan: gathered.plan, known: { ...gathered, windows }, source, onReplan: () => {} });
}

/** The service, with a store of responses in front of it. */
function storeService({ service, progress, options, context }: Build, store: ResponseStore): Source {
  return countResponses(
    storeResponses(service.client, { as: "checkpoint", store, maxBody: options.maxBody, secrets: context.secrets }),
    progress,
  );
}

/** Notes how many requests an earlier run has already done. */
function noteResumed(checkpoint: Checkpoint, { folder, plan, report }: Build): void {
  const { size, shown } = folder;
  const requests = listRequests(plan);
  const atHand = requests.filter((request) => checkpoint.has(request)).length;
  if (atHand > 0) report.note(`resuming: ${atHand} of ${requests.length} requests are already done (kept in ${shown})`);
  else if (size > 0)
    report.warn(
      `${shown} has ${formatCount(size, "finished request")} of another export, to be deleted when this one is done`,
    );
}
