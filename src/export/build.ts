/** Exports into files: gathers all responses, then makes the output from them. */
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { dirname } from "node:path";
import { formatCount } from "../base/phrases.ts";
import { warnOnce } from "../base/report.ts";
import { Checkpoint } from "../store/checkpoint.ts";
import { type ResponseStore, storeResponses, readStored } from "../store/store-responses.ts";
import { listRequests } from "../plan/plan.ts";
import { startColumns } from "../series/layout/columns.ts";
import type { Source } from "../source/source.ts";
import { readWindows } from "../source/windows.ts";
import { toFileError } from "./destination/target.ts";
import type { FileJob } from "./job.ts";
import { reportExportEnd, writeResult } from "./export-plan.ts";
import { runThenClose } from "./failure.ts";
import { gatherResponses } from "./gather.ts";
import { countResponses } from "./progress.ts";
import { noteCost } from "./quota.ts";

/** Makes an output once, or updates it with `work`. */
export async function buildOutput(job: FileJob, work: (job: FileJob) => Promise<void> = buildOnce): Promise<void> {
  const { target, options, folder, report } = job;
  const run = async () => {
    // A dataset's folder may not exist yet.
    if (target.kind === "file")
      await access(dirname(target.path), constants.W_OK).catch((error: unknown) => {
        throw toFileError(error, target.name, target.old !== undefined);
      });
    await work(job);
  };
  await runThenClose(
    () => reportExportEnd(job, run, folder),
    (done) =>
      folder.close(done && !options.update).catch((error: Error) => {
        if (done) report.warn(error.message);
      }),
  );
}

async function buildOnce(job: FileJob): Promise<void> {
  const { output, options, plan, progress, service, folder, context, report } = job;
  const { metrics, interval } = plan.query;
  const { concurrency } = options;
  const { signal } = context;
  const checkpoint = new Checkpoint(folder, context.now());
  const warn = warnOnce(report.warn);
  const requests = listRequests(plan);
  // A single request needs no folder, unless an earlier run has left one.
  if (folder.isDataset || requests.length > 1 || (await folder.exists())) await checkpoint.open();
  progress.plan(plan);
  noteResumed(checkpoint, job);
  await noteCost(
    requests.filter((request) => !checkpoint.has(request)),
    job,
  );
  const source = storeService(job, checkpoint);
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
  await writeResult(job, { plan: gathered.plan, known: { ...gathered, windows }, source, onReplan: () => {} });
}

/** The service, with a store of responses in front of it. */
function storeService({ service, progress, options, context }: FileJob, store: ResponseStore): Source {
  return countResponses(
    storeResponses(service.client, { as: "checkpoint", store, maxBody: options.maxBody, secrets: context.secrets }),
    progress,
  );
}

/** Notes how many requests an earlier run has already done. */
function noteResumed(checkpoint: Checkpoint, { folder, plan, report }: FileJob): void {
  const { size, shown } = folder;
  const requests = listRequests(plan);
  const atHand = requests.filter((request) => checkpoint.has(request)).length;
  if (atHand > 0) report.note(`resuming: ${atHand} of ${requests.length} requests are already done (kept in ${shown})`);
  else if (size > 0)
    report.warn(
      `${shown} has ${formatCount(size, "finished request")} of another export, to be deleted when this one is done`,
    );
}
