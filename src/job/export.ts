/** From checked flags to a service and an export. */
import type { Context } from "../base/context.ts";
import type { AnswerFolder } from "../kept/answer-folder.ts";
import { approximateMs } from "../time/duration.ts";
import type { BuildTarget } from "./build.ts";
import type { Report } from "../base/report.ts";
import type { About } from "../format/format.ts";
import type { FetchValues } from "../options/fetch-options.ts";
import { type Plan, planQuery } from "../plan/plan.ts";
import type { Query } from "../query/query.ts";
import { resolveFetch } from "../settings/fetch-settings.ts";
import { findKeyLimits } from "../settings/key-limits.ts";
import { createMemoryStore } from "../source/kept/memory.ts";
import { findBaseUrl, loadSettings, type Settings } from "../settings/settings.ts";
import { announceMore, exportInAttempts } from "./attempts.ts";
import { checkRows, explainOddName } from "./choose-format.ts";
import { closeAfter } from "./close-after.ts";
import { type Destination, openDestination } from "./destination/destination.ts";
import { asksForNews, isFirst } from "./destination/needs-more.ts";
import { writePlan } from "./dry-run.ts";
import { chooseCache, chooseSettlesAfter } from "./earlier-answers.ts";
import type { Export, Parts, Resolved, Surroundings } from "./export-parts.ts";
import { exportPlan } from "./export-plan.ts";
import { checkFollow } from "./follow/check.ts";
import { loadObservers } from "./load-observers.ts";
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
  const about = describeRun({ ...asked, options }, settings, context);
  const unknown = await checkCodes(asked.query, { fetch: options, settings }, context);
  const warnings = [...asked.warnings, ...(unknown ?? [])];
  const memory = options.update && !options.resume ? createMemoryStore() : undefined;
  const own = { more: {}, answered: new Set<string>(), memory, checksCodes: unknown !== undefined };
  const request = { ...asked, ...own, warnings, options, about, keyLimits };
  await exportInAttempts(request, report, (next) => exportRequest(next, settings, { context, report }));
}

/** What the list of units is for, if a flag asks for it. */
async function useList(asked: Export, settings: Settings, surroundings: Surroundings): Promise<Export> {
  if (asked.picks === undefined && asked.options.with === undefined) return asked;
  const { applyList } = await import("./codes/apply-list.ts");
  return applyList(asked, settings, surroundings);
}

/** Loads the list of codes only where there are some. */
async function checkCodes(query: Query, service: { fetch: FetchValues; settings: Settings }, context: Context) {
  // Units that were picked are of the list.
  if (query.units || !query.parameters.some(({ name }) => name === "facility_code" || name === "unit_code")) return undefined;
  const { findUnknownCodes } = await import("./codes/unknown-codes.ts");
  return findUnknownCodes(query, service, context);
}

async function exportRequest(request: Resolved, settings: Settings, { context, report }: Surroundings): Promise<void> {
  if (request.options.follow) checkFollow(request.output);
  const destination = await openDestination({ ...request, isBuilt: isBuilt(request, context) }, context, report);
  await closeAfter(
    () => exportTo(destination, { request, settings }, { context, report }),
    async () => destination.discard?.(),
  );
}

interface Settled {
  readonly request: Resolved;
  readonly settings: Settings;
}

async function exportTo(destination: Destination, { request, settings }: Settled, { context, report }: Surroundings): Promise<void> {
  const { output, options } = request;
  const folder = await openFolder(request, settings, context);
  const query = folder && options.update ? await continueOutput(request, folder, { context, report }) : destination.query;
  const plan = planQuery(query, { now: context.now(), maxWindow: options.maxWindow });
  checkRows(output.formatName, plan);
  announceMore(request.more, plan, report);
  const progress = createProgress(report, context.monotonic);
  const observers = await loadObservers(request, { plan, destination, settings }, { context, report });
  const odd = explainOddName(output.formatName, output.target);
  // After all usage errors.
  if (odd !== undefined) report.note(odd);
  for (const warning of request.warnings) report.warn(warning);
  if (options.dryRun) return writePlan(plan, { output, fetch: options, keyLimits: request.keyLimits, settings, report }, context);
  const { openService } = await import("../source/open-service.ts");
  const fetch = { ...options, cache: chooseCache(options, destination) };
  const service = await openService(fetch, settings, {
    context,
    // What the first attempt has told.
    report: isFirst(request.more) ? report : { ...report, note: () => {} },
    command: request.query.command,
    onEvent: progress.watch,
    settlesAfter: chooseSettlesAfter(request, destination),
    skipsEmpty: asksForNews(destination, request.more),
  });
  await closeAfter(
    () => chooseRun(request, plan, context)(request, { plan, destination, folder, service, progress, observers }, { context, report }),
    (done) => service.close(done),
  );
}

type Run = (request: Resolved, parts: Parts, surroundings: Surroundings) => Promise<void>;

function chooseRun(request: Resolved, plan: Plan, context: Context): Run {
  const { options } = request;
  // Without units there is nothing to wait for.
  if (options.follow && plan.windows.length > 0) return followPlan;
  return isBuilt(request, context) && plan.windows.length > 0 ? buildPlan : exportPlan;
}

async function buildPlan(request: Resolved, parts: Parts, surroundings: Surroundings): Promise<void> {
  const { buildOutput } = await import("./build.ts");
  const { target } = request.output;
  const build = { ...surroundings, request, parts, target: target as BuildTarget, folder: parts.folder as AnswerFolder };
  if (!request.options.update) return buildOutput(build);
  const { runNight } = await import("./night/night.ts");
  return buildOutput(build, runNight);
}

/** Whether it is made from answers that are kept. */
function isBuilt({ options, output: { target } }: Resolved, { env }: Pick<Context, "env">): boolean {
  const isFile = target?.kind === "file" || target?.kind === "folder";
  return isFile && (options.update ? env["ENTS_BUILD_UPDATES"] === "1" : options.resume);
}

/** Loaded only for files: its node:crypto takes 4 ms. */
async function openFolder(
  { query, output: { target }, options }: Resolved,
  settings: Settings,
  context: Context,
): Promise<AnswerFolder | undefined> {
  if (target?.kind !== "file" && target?.kind !== "folder") return undefined;
  const [{ AnswerFolder }, { isDue }] = await Promise.all([import("../kept/answer-folder.ts"), import("../kept/due.ts")]);
  const settlesAfter = options.update ? approximateMs(options.revise) : 0;
  const moment = { network: query.network, now: context.now(), settlesAfter };
  return new AnswerFolder(
    {
      output: target.name,
      isDataset: target.kind === "folder",
      service: options.sandbox ? "sandbox" : findBaseUrl(options.baseUrl, settings).href,
      run: moment.now,
      isDue: (answer, journal) => isDue(answer, journal, moment),
    },
    context,
  );
}

/** The query of an update, with what the runs before it have asked for. */
async function continueOutput(request: Resolved, folder: AnswerFolder, surroundings: Surroundings): Promise<Query> {
  await folder.look();
  const { continueNight } = await import("./night/continue-query.ts");
  return continueNight(request, folder, surroundings);
}

function describeRun(
  { query, options, again }: Pick<Export, "query" | "options" | "again">,
  settings: Settings,
  { version }: Context,
): About {
  const isSynthetic = options.sandbox;
  const service = isSynthetic ? "the sandbox inside ents: synthetic data" : findBaseUrl(options.baseUrl, settings).href;
  return { version, command: again, service, isSynthetic, query };
}

/** The window of the plan, and then without an end. Nothing is taken from a cache: what is new is not in it. */
async function followPlan(
  request: Resolved,
  { plan, service, progress, observers }: Parts,
  { context, report }: Surroundings,
): Promise<void> {
  const { followQuery } = await import("./follow/follow.ts");
  await followQuery({ ...request, plan, source: service.client, progress, observers }, context, report);
}
