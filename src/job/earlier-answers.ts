/**
 * Which answers of an earlier run an update uses. They may be of a service that had lost some of its data that night, or was
 * another one; so one that takes few requests asks for all anew, unless that was just now.
 */
import { EntsError } from "../base/errors.ts";
import type { FetchValues } from "../options/fetch-options.ts";
import { listRequests } from "../plan/plan.ts";
import { approximateMs } from "../time/duration.ts";
import { BadNight } from "./destination/bad-night.ts";
import type { Destination } from "./destination/destination.ts";
import { asksForNews, MANY_REQUESTS, RECENT_MS } from "./destination/needs-more.ts";
import type { Parts, Resolved } from "./export-parts.ts";

/** How old an answer of the cache may be. */
export function chooseCache({ follow, cache }: Resolved["options"], { continues }: Destination): FetchValues["cache"] {
  // What --follow waits for is never in it.
  if (follow) return "off";
  const isLong = cache !== undefined && cache !== "off" && approximateMs(cache) > RECENT_MS;
  return continues && isLong ? { amount: RECENT_MS / 1000, unit: "seconds" } : cache;
}

/** See `settlesAfter` of `Destination`. */
export function chooseSettlesAfter({ more }: Resolved, { settlesAfter }: Destination): number | undefined {
  // The cache would answer what is to be fetched again with the old values.
  return more.why === undefined ? settlesAfter : Number.POSITIVE_INFINITY;
}

/** See `CheckpointOptions`. An update that takes many requests must go on where a quota ended. */
export function findUsedFrom({ more }: Resolved, { destination, plan }: Parts, now: number): number | undefined {
  const asksAnew = asksForNews(destination, more) && listRequests(plan).length <= MANY_REQUESTS;
  return asksAnew ? now - RECENT_MS : undefined;
}

/** Whether what came for an update cannot go with what is there: the next run is not to begin with the same answers. */
export function isOfNoUse(error: unknown, { continues = false }: Destination): boolean {
  return error instanceof BadNight || (continues && error instanceof EntsError && error.kind === "usage");
}
