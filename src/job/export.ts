/** From checked flags to a service and an export. */
import type { Context } from "../base/context.ts";
import type { AnswerFolder } from "../kept/answer-folder.ts";
import type { MissingPlan } from "../kept/lay-plan.ts";
import { approximateMs } from "../time/duration.ts";
import type { BuildTarget } from "./build.ts";
import { usageError } from "../base/errors.ts";
import { OUTPUT_OPTIONS } from "../format/output-options.ts";
import { UPKEEP_FLAGS } from "../options/upkeep-options.ts";
import type { Target } from "./destination/target.ts";
import type { Report, Surroundings } from "../base/report.ts";
import type { Provenance } from "../format/format.ts";
import type { FetchValues } from "../options/fetch-options.ts";
import { type Plan, planQuery } from "../plan/plan.ts";
import type { Query } from "../query/query.ts";
import { resolveFetch } from "../settings/fetch-settings.ts";
import { findKeyLimits } from "../settings/key-limits.ts";
import { findBaseUrl, loadSettings, type Settings } from "../settings/settings.ts";
import { checkFollow, checkRows, explainOddName } from "./choose-format.ts";
import { closeAfter } from "./close-after.ts";
import { type Destination, openDestination } from "./destination/destination.ts";
import { writePlan } from "./dry-run.ts";
import type { Export, ExportParts, Resolved } from "./export-parts.ts";
import { exportPlan, loadObservers } from "./export-plan.ts";
import { createProgress } from "./progress.ts";

/**
 * Fetches what the query asks and writes it in full, or leaves the output unchanged.
 * @throws {EntsError} of every kind.
 */
export async function exportData(wanted: Export, context: Context, report: Report): Promise<void> {
  const settings = await loadSettings(context);
  const { options: flags, ...asked } = await useList(wanted, settings, { context, report });
  const keyLimits = findKeyLimits(flags, settings, context);
  const options = resolveFetch(flags, settings, { interval: asked.query.interval, keyLimits });
  const resolved = { ...asked, options, provenance: describeRun({ ...asked, options }, settings, context) };
  const folder = await openFolder(resolved, settings, context);
  const query = await continueQuery(resolved, folder, { context, report });
  const unknown = await checkCodes(query, { fetch: options, settings }, context);
  const warnings = [...asked.warnings, ...(unknown ?? [])];
  const provenance = { ...resolved.provenance, query };
  const request = { ...resolved, query, provenance, warnings, keyLimits, checksCodes: unknown !== undefined };
  if (options.follow) checkFollow(request.output);
  const destination = await openDestination(request, context, report);
  await exportTo(destination, { request, folder, settings }, { context, report });
}

/** What the list of units is for, if a flag asks for it. */
async function useList(asked: Export, settings: Settings, surroundings: Surroundings): Promise<Export> {
  if (asked.picks === undefined && asked.options.with === undefined) return asked;
  const { applyList } = await import("../units/apply-list.ts");
  return applyList(asked, settings, surroundings);
}

/** Loads the list of codes only where there are some. */
async function checkCodes(query: Query, service: { fetch: FetchValues; settings: Settings }, context: Context) {
  // Units that were picked are of the list.
  if (query.units || !query.parameters.some(({ name }) => name === "facility_code" || name === "unit_code")) return undefined;
  const { findUnknownCodes } = await import("../units/unknown-codes.ts");
  return findUnknownCodes(query, service, context);
}

interface Settled extends Pick<ExportParts, "folder"> {
  readonly request: Resolved;
  readonly settings: Settings;
}

async function exportTo(
  destination: Destination,
  { request, folder, settings }: Settled,
  { context, report }: Surroundings,
): Promise<void> {
  const { output, options } = request;
  const plan = planQuery(request.query, { now: context.now(), maxWindow: options.maxWindow });
  checkRows(output.formatName, plan);
  const progress = createProgress(report, context.monotonic);
  const missing = folder && isBuilt(request, plan) ? await findMissing(plan, folder) : undefined;
  const observers = await loadObservers(request, { plan, missing, settings }, { context, report });
  const odd = explainOddName(output.formatName, output.target);
  // After all usage errors.
  if (odd !== undefined) report.note(odd);
  for (const warning of request.warnings) report.warn(warning);
  if (options.dryRun) {
    const writing = { output, fetch: options, keyLimits: request.keyLimits, settings, report };
    return writePlan(missing ?? plan, writing, context);
  }
  const { openService } = await import("../source/open-service.ts");
  // What --follow waits for is in no cache, and an update asks for what may have changed.
  const fetch = { ...options, cache: options.follow || options.update ? ("off" as const) : options.cache };
  const service = await openService(fetch, settings, { context, report, command: request.query.command, onEvent: progress.watch });
  await closeAfter(
    () => chooseRun(request, plan)(request, { plan, destination, folder, service, progress, observers }, { context, report }),
    (done) => service.close(done),
  );
}

async function findMissing(plan: Plan, folder: AnswerFolder): Promise<MissingPlan> {
  await folder.look();
  return (await import("../kept/lay-plan.ts")).layMissing(plan, folder.usable);
}

type Run = (request: Resolved, parts: ExportParts, surroundings: Surroundings) => Promise<void>;

function chooseRun(request: Resolved, plan: Plan): Run {
  const { options } = request;
  // Without units there is nothing to wait for.
  if (options.follow && plan.windows.length > 0) return followPlan;
  return isBuilt(request, plan) ? buildPlan : exportPlan;
}

/** Whether it is made from kept answers. */
function isBuilt({ options, output }: Resolved, plan: Plan): boolean {
  return isFile(output.target) && (options.resume || options.update) && plan.windows.length > 0;
}

function isFile(target: Target | undefined): target is BuildTarget {
  return target?.kind === "file" || target?.kind === "folder";
}

async function buildPlan(request: Resolved, parts: ExportParts, surroundings: Surroundings): Promise<void> {
  const { buildOutput } = await import("./build.ts");
  const { target } = request.output;
  const build = { ...surroundings, request, parts, target: target as BuildTarget, folder: parts.folder as AnswerFolder };
  if (!request.options.update) return buildOutput(build);
  const { runNight } = await import("./night/night.ts");
  return buildOutput(build, runNight);
}

/** Loaded only for files: its node:crypto takes 4 ms. */
async function openFolder(
  { query, output: { target }, options }: Export,
  settings: Settings,
  context: Context,
): Promise<AnswerFolder | undefined> {
  if (!isFile(target)) return undefined;
  const [{ AnswerFolder }, { isDue }] = await Promise.all([import("../kept/answer-folder.ts"), import("../kept/due.ts")]);
  const reviseMs = options.update ? approximateMs(options.revise) : 0;
  const moment = { network: query.network, now: context.now(), reviseMs };
  return new AnswerFolder(
    {
      output: target.name,
      isDataset: target.kind === "folder",
      service: options.sandbox ? "sandbox" : findBaseUrl(options.baseUrl, settings).href,
      startedAt: moment.now,
      isDue: (answer, journal) => isDue(answer, journal, moment),
    },
    context,
  );
}

/** The query of an update has the start and the codes of the runs before it. */
async function continueQuery(
  request: Export & { readonly provenance: Provenance },
  folder: AnswerFolder | undefined,
  surroundings: Surroundings,
): Promise<Query> {
  const { options, query, output } = request;
  if (!options.update) return query;
  if (!folder)
    throw usageError(
      `${UPKEEP_FLAGS.update} needs a regular file`,
      `use ${OUTPUT_OPTIONS.output.short} with the name of ${output.target ? "another" : "a"} file`,
    );
  await folder.look();
  const { continueNight } = await import("./night/continue-query.ts");
  return continueNight(request, folder, surroundings);
}

function describeRun(
  { query, options, rerunCommand }: Pick<Export, "query" | "options" | "rerunCommand">,
  settings: Settings,
  { version }: Context,
): Provenance {
  const isSynthetic = options.sandbox;
  const service = isSynthetic ? "the sandbox inside ents: synthetic data" : findBaseUrl(options.baseUrl, settings).href;
  return { version, command: rerunCommand, service, isSynthetic, query };
}

/** The window of the plan, and then without an end. Nothing is taken from a cache: what is new is not in it. */
async function followPlan(
  request: Resolved,
  { plan, service, progress, observers }: ExportParts,
  { context, report }: Surroundings,
): Promise<void> {
  const { followQuery } = await import("./follow/follow.ts");
  await followQuery({ ...request, plan, source: service.client, progress, observers }, context, report);
}
