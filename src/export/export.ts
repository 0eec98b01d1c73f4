/** Runs an export from checked flags: prepares it, then prints its plan, or opens the service and runs it. */
import type { Observer } from "./observe.ts";
import { listCreated } from "../series/decoded-response.ts";
import type { Context } from "../base/context.ts";
import type { Report } from "../base/report.ts";
import { listRequests } from "../plan/plan.ts";
import { loadSettings } from "../settings/settings.ts";
import type { ClientEvent } from "../source/client.ts";
import { ServiceClock } from "../source/service-clock.ts";
import { isOfNow } from "../time/when.ts";
import { checkFollow, explainForeignName } from "./choose-format.ts";
import { openDestination } from "./destination/destination.ts";
import { writePlan } from "./dry-run.ts";
import { exportPlan, loadObservers } from "./export-plan.ts";
import { runThenClose } from "./failure.ts";
import { isFile, planJob } from "./prepare.ts";
import type { ExportRequest, Job, MissingPlan, PlannedJob } from "./job.ts";
import type { CachedService } from "../store/cache.ts";
import { Progress } from "./progress.ts";

/**
 * Fetches the data of the query and writes all of it, or leaves the output unchanged.
 * @throws {EntsError} of every kind.
 */
export async function exportData(wanted: ExportRequest, context: Context, report: Report): Promise<void> {
  const { output, options } = wanted;
  const isTable = output.formatName === "table" && output.target === undefined && context.stdout.isTerminal;
  if (!isTable || options.dryRun || options.follow) return runExport(wanted, context, report);
  report.limitLines(LINES_ABOVE_TABLE);
  return runExport(wanted, context, report).finally(report.printKept);
}

/** What else is said on a terminal stands below a table. */
const LINES_ABOVE_TABLE = 2;

async function runExport(wanted: ExportRequest, context: Context, report: Report): Promise<void> {
  const settings = await loadSettings(context, report);
  const planned = await planJob(wanted, { context, report, settings });
  const { query, output, options, plan } = planned;
  if (options.follow) checkFollow(output, query);
  const destination = await openDestination(planned);
  const missing = await findMissingRequests(planned);
  const clock = new ServiceClock(context.now);
  const observers = [observeCreated(clock), ...(await loadObservers(planned, missing?.from, clock))];
  sayNotes(planned);
  if (options.dryRun) return writePlan(missing ?? plan, planned);
  const progress = new Progress(report, context.monotonic);
  const service = await openSource(planned, (event) => {
    if (event.type === "response") clock.observe(event.serviceTime);
    progress.onEvent(event);
  });
  try {
    await runThenClose(
      () => runJob({ ...planned, destination, service, progress, observers }),
      (done) => service.close(done),
    );
  } finally {
    if (clock.problem !== undefined && dependsOnClock(options)) report.warn(clock.problem);
  }
}

/** Not before all usage errors are ruled out. */
function sayNotes({ output, notes, warnings, report }: PlannedJob): void {
  const mismatch = explainForeignName(output.formatName, output.target);
  if (mismatch !== undefined) report.note(mismatch);
  for (const note of notes) report.note(note);
  for (const warning of warnings) report.warn(warning);
}

async function runJob(job: Job): Promise<void> {
  const { follow, plan, options, folder } = job;
  const { target } = job.output;
  // An empty plan has nothing to follow.
  if (follow && plan.windows.length > 0) return follow(job);
  const isBuilt = isFile(target) && (options.resume || options.update) && plan.windows.length > 0;
  if (!isBuilt || !folder) return exportPlan(job);
  const { buildOutput } = await import("./build.ts");
  if (!options.update) return buildOutput({ ...job, target, folder });
  const { runUpdate } = await import("./update/run-update.ts");
  return buildOutput({ ...job, target, folder }, runUpdate);
}

function observeCreated(clock: ServiceClock): Observer {
  return {
    onChunk: ({ heads }) => {
      for (const created of listCreated(heads)) clock.observeCreated(created);
    },
  };
}

/** True if a wrong clock changes what is asked for, or what is said of it. */
function dependsOnClock({ dateStart, dateEnd, last, complete, update, ...required }: PlannedJob["options"]): boolean {
  const dates = [dateStart, dateEnd].filter((date) => date !== undefined);
  const { requireComplete, requireCompleteEach, requireFresh } = required;
  const isRequired = requireComplete || requireCompleteEach || requireFresh !== undefined;
  return dates.some(isOfNow) || last !== undefined || complete || update || isRequired;
}

async function openSource(planned: PlannedJob, onEvent: (event: ClientEvent) => void): Promise<CachedService> {
  const { query, options, settings } = planned;
  const { openService: open } = await import("../source/open-service.ts");
  const service = await open(options, settings, { ...planned, onEvent, command: query.command });
  const { cache: age = "off", follow, update, maxBody } = options;
  // --follow waits for new data, and an update fetches data that may have changed: neither can use cached responses.
  if (age === "off" || follow || update) return service;
  // Loaded late, as its node:crypto takes 4 ms.
  const { cacheService } = await import("../store/cache.ts");
  return cacheService(service, { age, maxBody }, planned);
}

/**
 * The requests that are sent: for a dry run, or as an update is required to be complete in the part that it must get.
 */
async function findMissingRequests(planned: PlannedJob): Promise<MissingPlan | undefined> {
  const { options, plan, folder, output, context } = planned;
  const { dryRun, update, resume, requireComplete, requireCompleteEach } = options;
  const isNeeded = dryRun || (update && (requireComplete || requireCompleteEach));
  if (!isNeeded || !folder || !isFile(output.target) || !(resume || update) || plan.windows.length === 0)
    return undefined;
  if (update) return (await import("./update/open-segments.ts")).planUpdate({ ...planned, folder }, context.now());
  await folder.look();
  const { Checkpoint } = await import("../store/checkpoint.ts");
  const checkpoint = new Checkpoint(folder, context.now());
  const windows = plan.windows
    .map(({ window, requests }) => ({ window, requests: requests.filter((request) => !checkpoint.has(request)) }))
    .filter(({ requests }) => requests.length > 0);
  return { ...plan, windows, atHand: listRequests(plan).length - listRequests({ windows }).length };
}
