/** From checked flags to a service and an export. */
import type { Context } from "../base/context.ts";
import { EntsError, type ErrorKind } from "../base/errors.ts";
import type { Report } from "../base/report.ts";
import type { About } from "../format/format.ts";
import type { FetchValues } from "../options/fetch-options.ts";
import { type Plan, planQuery } from "../plan/plan.ts";
import type { Query } from "../query/query.ts";
import { formatInstant } from "../series/series-log.ts";
import { approximateMs } from "../time/duration.ts";
import { resolveFetch } from "../settings/fetch-settings.ts";
import { findBaseUrl, loadSettings, type Settings } from "../settings/settings.ts";
import { checkRows } from "./choose-format.ts";
import { closeAfter } from "./close-after.ts";
import { type Destination, type More, openDestination } from "./destination/destination.ts";
import { asksForNews, checkCost, NeedsMore, NeedsConsent, RECENT_MS } from "./destination/needs-more.ts";
import { writePlan } from "./dry-run.ts";
import type { Export, Parts, Resolved, Surroundings } from "./export-parts.ts";
import { exportPlan } from "./export-plan.ts";
import { loadObservers } from "./load-observers.ts";
import { createProgress } from "./progress.ts";
import { findQuotaPlan } from "./quota.ts";

/**
 * Fetches what the query asks and writes it in full, or leaves the output unchanged.
 * @throws {EntsError} of every kind.
 */
export async function exportData(wanted: Export, context: Context, report: Report): Promise<void> {
  const settings = await loadSettings(context);
  const { options: flags, ...asked } = await useList(wanted, settings, { context, report });
  const options = resolveFetch(flags, settings);
  const about = describeRun({ ...asked, options }, settings, context);
  const unknown = await checkCodes(asked.query, { fetch: options, settings }, context);
  const warnings = [...asked.warnings, ...(unknown ?? [])];
  const keyPlan = findQuotaPlan(flags, settings);
  const memory = options.update && !options.resume ? (await import("../source/kept/memory.ts")).createMemoryStore() : undefined;
  const own = { more: {}, answered: new Set<string>(), memory, checksCodes: unknown !== undefined };
  const request = { ...asked, ...own, warnings, options, about, keyPlan };
  await exportAsNeeded(request, settings, { context, report });
}

async function exportAsNeeded(request: Resolved, settings: Settings, surroundings: Surroundings): Promise<void> {
  try {
    await exportRequest(request, settings, surroundings);
  } catch (error) {
    const more = findMore(error, request.more, surroundings.report);
    await exportAsNeeded({ ...request, more, warnings: [] }, settings, surroundings);
  }
}

/** What an update is to fetch too, or to go on without, after such an error. @throws the error, if it is another one. */
function findMore(error: unknown, { since: asked }: More, report: Report): More {
  if (error instanceof NeedsMore) {
    const { message: why, since, maxRequests, finding } = error;
    return { since, why, maxRequests, finding };
  }
  if (asked === undefined) throw error;
  if (error instanceof NeedsConsent) return { denied: { why: error.message, since: asked, needsConsent: true } };
  if (!(error instanceof EntsError) || !FROM_SERVICE.has(error.kind)) throw error;
  report.note(error.message);
  const denied = { why: "the service did not send earlier data", since: asked };
  return { denied: FINAL.has(error.refusal?.status ?? 0) ? denied : { ...denied, error } };
}

const FROM_SERVICE: ReadonlySet<ErrorKind> = new Set(["refused", "unavailable", "authentication"]);

/** What the service answers with where it will not give it later either; a broken answer may come right. */
const FINAL: ReadonlySet<number> = new Set([400, 403, 404, 422]);

/** Before the first of them. @throws {NeedsConsent} */
function tellMore({ since = Number.NEGATIVE_INFINITY, why, maxRequests }: More, plan: Plan, report: Report): void {
  if (why === undefined) return;
  checkCost(maxRequests, plan);
  report.note(`${why}; fetching all ${Number.isFinite(since) ? `from ${formatInstant(since)} on` : "of it"} again`);
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
  if (request.options.follow) (await import("./follow/check.ts")).checkFollow(request.output);
  const destination = await openDestination(request, context, report);
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
  const plan = planQuery(destination.query, { now: context.now(), maxWindow: options.maxWindow });
  checkRows(output.formatName, plan);
  tellMore(request.more, plan, report);
  const progress = createProgress(report, context.monotonic);
  const observers = await loadObservers(request, { plan, destination, settings }, { context, report });
  // After all usage errors.
  for (const warning of request.warnings) report.warn(warning);
  if (options.dryRun) return writePlan(plan, { output, fetch: options, settings, report }, context);
  const { openService } = await import("../source/open-service.ts");
  // What is to be fetched again is in the cache as it was.
  const settlesAfter = request.more.why === undefined ? destination.settlesAfter : Number.POSITIVE_INFINITY;
  const fetch = { ...options, cache: chooseCache(options, destination) };
  const service = await openService(fetch, settings, {
    context,
    report,
    onEvent: progress.watch,
    settlesAfter,
    skipsEmpty: asksForNews(destination, request.more),
  });
  // Without units there is nothing to wait for.
  const run = options.follow && plan.windows.length > 0 ? followPlan : exportPlan;
  await closeAfter(
    () => run(request, { plan, destination, service, progress, observers }, { context, report }),
    () => service.close(),
  );
}

/** How old an answer of the cache may be. */
function chooseCache({ follow, cache }: Resolved["options"], { continues }: Destination): FetchValues["cache"] {
  // What --follow waits for is never in it.
  if (follow) return "off";
  // What is there of another night may be of a service that had lost some of its data, or was another one.
  const isLong = cache !== undefined && cache !== "off" && approximateMs(cache) > RECENT_MS;
  return continues && isLong ? { amount: RECENT_MS / 1000, unit: "seconds" } : cache;
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
