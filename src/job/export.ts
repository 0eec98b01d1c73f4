/** Runs an export from checked flags: opens the service, the folder and the destination. */
import type { Context } from "../base/context.ts";
import { usageError } from "../base/errors.ts";
import type { Report, Surroundings } from "../base/report.ts";
import type { Provenance } from "../format/format.ts";
import { OUTPUT_OPTIONS } from "../format/output-options.ts";
import type { AnswerFolder } from "../kept/answer-folder.ts";
import type { CachedService } from "../kept/cache.ts";
import { UPKEEP_FLAGS } from "../options/upkeep-options.ts";
import { explainUnsplit, listRequests, type Plan, planQuery } from "../plan/plan.ts";
import { resolveUrl } from "../plan/request-path.ts";
import { hasToken } from "../settings/credentials.ts";
import { resolveFetch, findKeyLimits, type KeyLimits } from "../settings/key-limits.ts";
import { PLANS_PATH, storedPlans } from "../settings/plans.ts";
import { findBaseUrl, loadSettings } from "../settings/settings.ts";
import type { Watch } from "../source/open-service.ts";
import type { Build, BuildTarget } from "./build.ts";
import { checkFollow, checkRows, explainOddName } from "./choose-format.ts";
import { openDestination } from "./destination/destination.ts";
import type { Target } from "./destination/target.ts";
import { writePlan } from "./dry-run.ts";
import type { Coded, Export, ExportSurroundings, MissingPlan, Observer, Resolved } from "./export-parts.ts";
import { exportPlan, loadObservers } from "./export-plan.ts";
import { runThenClose } from "./failure.ts";
import { ServiceClock } from "../source/service-clock.ts";
import type { ClientEvent } from "../source/client.ts";
import { isOfNow } from "../time/when.ts";
import { parseStamp } from "../time/stamp.ts";
import { checkKeptCurrent } from "./kept-current.ts";
import { Progress } from "./progress.ts";

/**
 * Fetches the data of the query and writes all of it, or leaves the output unchanged.
 * @throws {EntsError} of every kind.
 */
export async function exportData(wanted: Export, context: Context, report: Report): Promise<void> {
  const { output, options } = wanted;
  const isTable = output.formatName === "table" && output.target === undefined && context.stdout.isTerminal;
  if (!isTable || options.dryRun || options.follow) return runExport(wanted, context, report);
  report.limitLines(LINES_ABOVE_TABLE);
  return runExport(wanted, context, report).finally(report.printKept);
}

/** What else is said on a terminal stands below a table. */
const LINES_ABOVE_TABLE = 2;

async function runExport(wanted: Export, context: Context, report: Report): Promise<void> {
  const settings = await loadSettings(context);
  const surroundings = { context, report, settings };
  const checked = await applyUnitList(await checkCodes(wanted, surroundings), surroundings);
  if (!checked.options.dryRun && isDescribed(checked)) await fetchPlans(checked.options, surroundings);
  const keyLimits = findKeyLimits(checked.options, settings, context);
  const options = resolveFetch(checked.options, settings, { interval: checked.query.interval, keyLimits });
  const address = options.sandbox ? undefined : findBaseUrl(options.baseUrl, settings).href;
  const provenance = {
    version: context.version,
    command: checked.command,
    service: address ?? "the sandbox inside ents: synthetic data",
    isSynthetic: options.sandbox,
    query: checked.query,
    terms: findTerms(keyLimits, address),
  };
  const unsplit = explainUnsplit(checked.query, { now: context.now(), maxWindow: checked.options.maxWindow });
  const warnings = unsplit === undefined ? checked.warnings : [...checked.warnings, unsplit];
  const resolved = { ...checked, warnings, options, provenance, keyLimits };
  const kept = await openFolder(resolved, address, context);
  const isOfUpdate = !options.update && (await kept?.isUpdated()) === true;
  if (!options.update && !options.overwrite) await checkKeptCurrent(checked.output.target, context.cwd, KEPT_HINT);
  // What an update keeps is for updates alone.
  const folder = isOfUpdate ? undefined : kept;
  await runRequest(options.update ? await continueUpdate(resolved, folder, surroundings) : resolved, folder, surroundings);
}

function isDescribed({ options: { datapackage, update, partition } }: Export): boolean {
  return datapackage || update || partition !== undefined;
}

/** Gets the service's plans, for the licence of its data. With a key, `ents login` has done so. */
async function fetchPlans({ baseUrl, sandbox }: Export["options"], surroundings: ExportSurroundings): Promise<void> {
  const { settings, context } = surroundings;
  const address = findBaseUrl(baseUrl, settings);
  if (sandbox || hasToken(address, settings) || storedPlans.read(address.href, context)) return;
  await (await import("../source/account.ts")).refreshPlans(address, surroundings);
}

function findTerms({ plan, license }: KeyLimits, address: string | undefined): Provenance["terms"] {
  if (license === undefined || address === undefined) return undefined;
  return { plan, license, url: resolveUrl(new URL(address), PLANS_PATH).href };
}

async function checkCodes(wanted: Export, { settings, context }: ExportSurroundings): Promise<Coded> {
  if (!wanted.options.facilityCode && !wanted.options.unitCode) return { ...wanted, checksCodes: false };
  const { checkListedCodes } = await import("../units/check-codes.ts");
  return checkListedCodes(wanted, settings, context);
}

/** Applies the list of units if a flag needs it, or the format draws units by their fueltech. */
async function applyUnitList(coded: Coded, surroundings: ExportSurroundings): Promise<Coded> {
  const { picks, options, query, output } = coded;
  const isNeeded = picks !== undefined || options.with !== undefined;
  if (!isNeeded && !(output.format.usesUnits && query.command === "facilities")) return coded;
  const { applyList, addKnownUnits } = await import("../units/apply-list.ts");
  return isNeeded ? applyList(coded, surroundings.settings, surroundings) : addKnownUnits(coded, surroundings.settings, surroundings);
}

/** The modules are loaded only for files, as node:crypto takes 4 ms. `address`: URL of the service; undefined for the sandbox. */
async function openFolder(
  { output: { target } }: Export,
  address: string | undefined,
  context: Context,
): Promise<AnswerFolder | undefined> {
  if (!isFile(target)) return undefined;
  const { AnswerFolder } = await import("../kept/answer-folder.ts");
  const isDataset = target.kind === "folder";
  return new AnswerFolder({ output: target.name, isDataset, service: address ?? "sandbox", startedAt: context.now() }, context);
}

const KEPT_HINT = `add ${UPKEEP_FLAGS.update}, choose another file, or add ${UPKEEP_FLAGS.overwrite} to replace it`;

/** Continues an output that is updated, with the start, the codes and the cells of earlier runs. */
async function continueUpdate(request: Resolved, folder: AnswerFolder | undefined, surroundings: Surroundings): Promise<Resolved> {
  const { target } = request.output;
  if (!folder)
    throw usageError(
      `${UPKEEP_FLAGS.update} needs a regular file`,
      `use ${OUTPUT_OPTIONS.output.short} with the name of ${target ? "another" : "a"} file`,
    );
  await folder.look();
  const { continueQuery } = await import("./update/continue-query.ts");
  const { query, unmoved, notes, ...update } = await continueQuery(request, folder, surroundings);
  return { ...request, query, update, notes: [...request.notes, ...notes], provenance: { ...request.provenance, query: unmoved } };
}

async function runRequest(request: Resolved, folder: AnswerFolder | undefined, surroundings: ExportSurroundings): Promise<void> {
  const { output, options } = request;
  const { context, report } = surroundings;
  if (options.follow) checkFollow(output, request.query);
  const destination = await openDestination(request, context, report);
  const plan = planQuery(request.query, { now: context.now(), maxWindow: options.maxWindow });
  checkRows(output.formatName, plan);
  const progress = new Progress(report, context.monotonic);
  const target = findBuildTarget(request, plan);
  const missing = target && folder && needsMissing(options) ? await findMissing(request, [plan, folder], context) : undefined;
  const clock = new ServiceClock(context.now);
  const observers = [watchCreated(clock), ...(await loadObservers(request, { plan, from: missing?.from, clock }, surroundings))];
  const odd = explainOddName(output.formatName, output.target);
  // Not before all usage errors are ruled out.
  if (odd !== undefined) report.note(odd);
  for (const note of request.notes) report.note(note);
  for (const warning of request.warnings) report.warn(warning);
  if (options.dryRun) return writePlan(missing ?? plan, request, surroundings);
  const onEvent = (event: ClientEvent) => {
    if (event.type === "answer") clock.observe(event.serviceTime);
    progress.onEvent(event);
  };
  const service = await openService(request, { ...surroundings, onEvent });
  const parts = { plan, destination, folder, service, progress, observers };
  const run = () => {
    // An empty plan has nothing to follow.
    if (request.follow && plan.windows.length > 0) return request.follow(request, parts, { context, report });
    const running = { request, parts, context, report };
    return target && folder ? buildFiles({ ...running, target, folder }) : exportPlan(running);
  };
  try {
    await runThenClose(run, (done) => service.close(done));
  } finally {
    if (clock.problem !== undefined && dependsOnClock(options)) report.warn(clock.problem);
  }
}

function watchCreated(clock: ServiceClock): Observer {
  return {
    onChunk: ({ heads }) => {
      for (const { envelope, hasData } of heads) {
        const created = hasData && typeof envelope["created_at"] === "string" ? parseStamp(envelope["created_at"], "Z") : undefined;
        if (created !== undefined) clock.observeCreated(created);
      }
    },
    finish: () => {},
  };
}

/** True if a wrong clock changes what is asked for, or what is said of it. */
function dependsOnClock({ dateStart, dateEnd, last, complete, update, ...required }: Resolved["options"]): boolean {
  const dates = [dateStart, dateEnd].filter((date) => date !== undefined);
  const { requireComplete, requireCompleteEach, requireFresh } = required;
  const isRequired = requireComplete || requireCompleteEach || requireFresh !== undefined;
  return dates.some(isOfNow) || last !== undefined || complete || update || isRequired;
}

async function openService({ query, options }: Resolved, watch: Watch & ExportSurroundings): Promise<CachedService> {
  const { openService: open } = await import("../source/open-service.ts");
  const service = await open(options, watch.settings, { ...watch, command: query.command });
  const { cache: age = "off", follow, update, maxBody } = options;
  // --follow waits for new data, and an update fetches data that may have changed: neither can use cached responses.
  if (age === "off" || follow || update) return service;
  // Loaded late, as its node:crypto takes 4 ms.
  const { cacheService } = await import("../kept/cache.ts");
  return cacheService(service, { age, maxBody }, watch);
}

/** The requests that are sent: for a dry run, or as an update is required to be complete in the part that it must get. */
function needsMissing({ dryRun, update, requireComplete, requireCompleteEach }: Resolved["options"]): boolean {
  return dryRun || (update && (requireComplete || requireCompleteEach));
}

async function findMissing(request: Resolved, [plan, folder]: readonly [Plan, AnswerFolder], context: Context): Promise<MissingPlan> {
  if (request.options.update) return (await import("./update/open-cells.ts")).planUpdate(request, [plan, folder], context.now());
  await folder.look();
  const { Checkpoint } = await import("../kept/checkpoint.ts");
  const checkpoint = new Checkpoint(folder, context.now());
  const windows = plan.windows
    .map(({ window, requests }) => ({ window, requests: requests.filter((one) => !checkpoint.has(one)) }))
    .filter(({ requests }) => requests.length > 0);
  return { ...plan, windows, atHand: listRequests(plan).length - listRequests({ windows }).length };
}

/** The output, if it is made from stored responses. */
function findBuildTarget({ options, output: { target } }: Resolved, plan: Plan): BuildTarget | undefined {
  return isFile(target) && (options.resume || options.update) && plan.windows.length > 0 ? target : undefined;
}

function isFile(target: Target | undefined): target is BuildTarget {
  return target?.kind === "file" || target?.kind === "folder";
}

async function buildFiles(build: Build): Promise<void> {
  const { buildOutput } = await import("./build.ts");
  if (!build.request.options.update) return buildOutput(build);
  const { runUpdate } = await import("./update/run-update.ts");
  return buildOutput(build, runUpdate);
}
