/** An export into files: all answers are gathered, and then the output is made from them. */
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { dirname } from "node:path";
import { formatCount } from "../base/numbers.ts";
import { warnOnce } from "../base/report.ts";
import { collectsAll } from "../format/encode.ts";
import type { AnswerFolder } from "../kept/answer-folder.ts";
import { readKept } from "../kept/read-kept.ts";
import { listRequests, type Plan, type PlannedRequest } from "../plan/plan.ts";
import { startColumns } from "../series/layout/columns.ts";
import { createGaps } from "../source/fetch-series.ts";
import { keepAnswers } from "../source/kept/keep-answers.ts";
import { closeAfter } from "./close-after.ts";
import { createEncoding, createWatch, finishExport, openFolder } from "./export-plan.ts";
import { type FileTarget, type FolderTarget, toFileError } from "./destination/target.ts";
import type { Parts, Resolved, Surroundings } from "./export-parts.ts";
import { explainFailure } from "./failure.ts";
import { type Gathered, gatherAnswers } from "./gather.ts";
import { countAnswers } from "./progress.ts";
import { tellCost } from "./quota.ts";
import { runJob } from "./run.ts";

/** The files of an output. */
export type BuildTarget = FileTarget | FolderTarget;

interface Build extends Surroundings {
  readonly target: BuildTarget;
  readonly request: Resolved;
  readonly parts: Parts;
  readonly folder: AnswerFolder;
}

export async function buildOutput(
  target: BuildTarget,
  request: Resolved,
  { parts, context, report }: Surroundings & { readonly parts: Parts },
): Promise<void> {
  const { plan, progress } = parts;
  const folder = await openFolder(target, parts, context);
  const build = { target, request, parts, folder, context, report };
  const run = async () => {
    try {
      await checkPlace(target);
      await render(await gather(build), build);
    } catch (error) {
      throw explainFailure(error, { plan, again: request.again, checkpoint: { folder: folder.shown }, resumes: true, progress, report });
    } finally {
      progress.stop();
    }
    await finishExport(request, parts, { context, report });
  };
  await closeAfter(run, (done) =>
    folder.close(done).catch((error: Error) => {
      if (done) report.warn(error.message);
    }),
  );
}

/** Before the first request. @throws {EntsError} output: nothing can be written there. */
async function checkPlace(target: BuildTarget): Promise<void> {
  // The folder of a dataset may have to be made.
  if (target.kind === "folder") return;
  await access(dirname(target.path), constants.W_OK).catch((error: unknown) => {
    throw toFileError(error, target.name, target.old !== undefined);
  });
}

async function gather({ request, parts, folder, context, report }: Build): Promise<Gathered> {
  const { output, options, keyLimits } = request;
  const { plan, service, progress } = parts;
  const { metrics, interval } = plan.query;
  const kept = { as: "checkpoint", store: folder, maxBody: options.maxBody, secrets: context.secrets } as const;
  return gatherAnswers(plan, {
    folder,
    source: countAnswers(keepAnswers(service.client, kept), progress),
    concurrency: options.concurrency,
    signal: context.signal,
    warn: warnOnce(report.warn),
    columns: startColumns(metrics, { interval, pivot: output.layout.pivot }),
    createGaps: (laid) => createGaps(laid, { collects: collectsAll({ ...output, repeatable: true }) }),
    onPlan: async (laid, why) => {
      progress.plan(laid);
      if (why !== undefined) return report.detail(`${why}; planning the rest again`);
      const missing = listMissing(laid, folder);
      tellKept(listRequests(laid).length, { missing: missing.length, folder, report });
      await tellCost(missing, { keyLimits, cache: service.cache, plan, report });
    },
  });
}

function listMissing(plan: Plan, { usable }: AnswerFolder): PlannedRequest[] {
  const atHand = new Set(usable.map(({ path }) => path));
  return listRequests(plan).filter(({ path }) => !atHand.has(path));
}

/** Says how many requests an earlier run has done already. */
function tellKept(requests: number, { missing, folder, report }: Pick<Build, "folder" | "report"> & { readonly missing: number }): void {
  const { count, shown } = folder;
  const kept = requests - missing;
  if (kept > 0) report.note(`resuming: ${kept} of ${requests} requests are already done (kept in ${shown})`);
  else if (count > 0)
    report.warn(`${shown} has ${formatCount(count, "finished request")} of another export, to be deleted when this one is done`);
}

async function render({ plan, ...known }: Gathered, { request, parts, folder, context, report }: Build): Promise<void> {
  const { output, options, about } = request;
  await runJob({
    plan,
    known,
    source: readKept(folder, parts.service.client),
    destination: parts.destination,
    encoding: createEncoding({ output, about }, plan, report),
    concurrency: options.concurrency,
    repeatable: true,
    signal: context.signal,
    warn: report.warn,
    onReplan: () => {},
    watch: createWatch(parts),
  });
}
