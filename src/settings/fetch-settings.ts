/** The fetch flags with what is stored for them, the rate of a key's plan among it. */
import { type Interval, QUOTAS } from "../base/vocabulary.ts";
import { FETCH_OPTIONS, type FetchValues } from "../options/fetch-options.ts";
import { holdsBuckets, type MaxWindow } from "../plan/limits.ts";
import { findPlan } from "./credentials.ts";
import { findBaseUrl, readConfig, type Settings } from "./settings.ts";

/** The values of the fetch flags, each first found: flag, config, what the key's plan allows, default. `interval`: the query's. */
export function resolveFetch<T extends FetchValues>(
  values: T,
  settings: Settings,
  interval?: Interval,
): T & { readonly concurrency: number } {
  return {
    ...values,
    maxWindow: values.maxWindow ?? findMaxWindow(settings, interval),
    rate: values.rate ?? (values.sandbox ? undefined : findRate(findBaseUrl(values.baseUrl, settings), settings)),
    // The sandbox has none; asked for by the flag, that is told.
    cache: values.cache ?? (values.sandbox ? undefined : readConfig("cache", settings)),
    concurrency: values.concurrency ?? readConfig("concurrency", settings) ?? FETCH_OPTIONS.concurrency.default,
  };
}

/** As stored, for the intervals whose buckets fit: a setting is for all commands, also for those that it was not made for. */
function findMaxWindow(settings: Settings, interval: Interval | undefined): MaxWindow | undefined {
  const stored = readConfig("maxWindow", settings);
  return stored === undefined || interval === undefined || holdsBuckets(stored, interval) ? stored : undefined;
}

/** Requests per second: as stored, or what the plan of the service's key allows. */
export function findRate(baseUrl: URL, settings: Settings): number {
  return readConfig("rate", settings) ?? QUOTAS[findPlan(baseUrl, settings) ?? "community"].perSecond;
}
