/** An update starts over where what came shows that it needs more: what the next attempt fetches too, or goes on without. */
import { EntsError, type ErrorKind } from "../base/errors.ts";
import type { Report } from "../base/report.ts";
import type { Plan } from "../plan/plan.ts";
import { formatInstant } from "../series/series-log.ts";
import type { More } from "./destination/destination.ts";
import { checkCost, NeedsConsent, NeedsMore } from "./destination/needs-more.ts";
import type { Resolved } from "./export-parts.ts";

/**
 * It ends: each attempt starts further back than the one before until nothing is kept, or is the one that goes on without what was
 * denied, which asks for no more.
 */
export async function exportInAttempts(request: Resolved, report: Report, attempt: (request: Resolved) => Promise<void>): Promise<void> {
  try {
    await attempt(request);
  } catch (error) {
    const more = findMore(error, request.more, report);
    await exportInAttempts({ ...request, more, warnings: [] }, report, attempt);
  }
}

/** What the next attempt is to fetch too, or to go on without, after such an error. @throws the error, if it is another one. */
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

/** Before the first request of an attempt. @throws {NeedsConsent} it takes too many. */
export function announceMore({ since = Number.NEGATIVE_INFINITY, why, maxRequests }: More, plan: Plan, report: Report): void {
  if (why === undefined) return;
  checkCost(maxRequests, plan);
  report.note(`${why}; fetching all ${Number.isFinite(since) ? `from ${formatInstant(since)} on` : "of it"} again`);
}
