import { listRequests, type Plan } from "../../plan/plan.ts";
import type { Destination, Finding, More } from "./interface.ts";

/** More than that may take the quotas of several nights: each goes on where the one before ended. */
export const MANY_REQUESTS = 200;

/** Within that, a service is the same, to an update: what it answered is not asked for again. */
export const RECENT_MS = 60 * 60 * 1000;

/** A tenth of what a community key has in a day. */
export const FEW_REQUESTS = 50;

/** Whether an output that has rows is asked for what is new: not yet for more, as what came has shown. */
export function asksForNews({ continues = false }: Pick<Destination, "continues">, { since }: More): boolean {
  return continues && since === undefined;
}

/** What an output keeps of an earlier run does not go with what came: more of it is to be fetched and written again. */
export class NeedsMore extends Error {
  override readonly name = "NeedsMore";
  /** Rows from this instant on, in milliseconds since 1970 UTC; -Infinity for all. */
  readonly since: number;
  /** As of `More`. */
  readonly maxRequests: number;
  readonly finding: Finding;

  constructor(why: string, since: number, { maxRequests = FEW_REQUESTS, finding = "new" }: Pick<More, "maxRequests" | "finding"> = {}) {
    super(why);
    this.since = since;
    this.maxRequests = maxRequests;
    this.finding = finding;
  }
}

/** What would be fetched again costs, or loses, more than an update may without being asked to. */
export class NeedsConsent extends Error {}

/** @throws {NeedsConsent} */
export function checkCost(maxRequests: number | undefined, plan: Plan): void {
  const count = listRequests(plan).length;
  if (count > (maxRequests ?? count)) throw new NeedsConsent(`fetching the rows again would take ${count} requests`);
}
