import { listRequests, type Plan } from "../../plan/plan.ts";
import type { Destination, Finding, More } from "./interface.ts";

/** More requests than that may take the quotas of several days, each continuing the one before: answers of any age are used. */
export const MANY_REQUESTS = 200;

/** An update uses kept answers up to this age, unless it takes many requests. */
export const RECENT_MS = 60 * 60 * 1000;

/** A tenth of a community key's daily quota. */
export const FEW_REQUESTS = 50;

/** Whether this is the first attempt to update an output that has rows: nothing has shown yet that more is needed than what is new. */
export function asksForNews({ continues = false }: Pick<Destination, "continues">, { since }: More): boolean {
  return continues && since === undefined;
}

/** Whether this is the first attempt of a run. */
export function isFirst({ since, denied }: More): boolean {
  return since === undefined && !denied;
}

/** What came does not fit the rows that an output keeps: more of them are to be fetched and written again. */
export class NeedsMore extends Error {
  override readonly name = "NeedsMore";
  /** Rows from this instant on, in milliseconds since 1970 UTC; -Infinity for all. */
  readonly since: number;
  /** See `More`. */
  readonly maxRequests: number;
  readonly finding: Finding;

  constructor(why: string, since: number, { maxRequests = FEW_REQUESTS, finding = "new" }: Pick<More, "maxRequests" | "finding"> = {}) {
    super(why);
    this.since = since;
    this.maxRequests = maxRequests;
    this.finding = finding;
  }
}

/** Fetching again would cost or remove more than an update may do without being asked. */
export class NeedsConsent extends Error {}

/** @throws {NeedsConsent} */
export function checkCost(maxRequests: number | undefined, plan: Plan): void {
  const count = listRequests(plan).length;
  if (count > (maxRequests ?? count)) throw new NeedsConsent(`fetching the rows again would take ${count} requests`);
}
