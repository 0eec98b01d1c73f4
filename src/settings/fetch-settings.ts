/** The fetch flags with what is stored for them, and what the key's plan allows. */
import type { Interval } from "../base/vocabulary.ts";
import { FETCH_OPTIONS, type FetchValues } from "../options/fetch-options.ts";
import { holdsBuckets, limitByDefault, type MaxWindow } from "../plan/limits.ts";
import type { PlanLimits } from "./key-limits.ts";
import { readConfig, type Settings } from "./settings.ts";

interface Facts {
  /** The interval of the query. */
  readonly interval: Interval | undefined;
  /** The limits of the key in use. */
  readonly keyLimits: PlanLimits;
}

/** The values of the fetch flags, each first found: flag, config, what the key's plan allows, default. */
export function resolveFetch<T extends FetchValues>(
  values: T,
  settings: Settings,
  { interval, keyLimits }: Facts,
): T & { readonly concurrency: number } {
  return {
    ...values,
    maxWindow: values.maxWindow ?? findMaxWindow(settings, interval) ?? (interval && limitByDefault(interval, keyLimits.maxDays[interval])),
    rate: values.rate ?? (values.sandbox ? undefined : findRate(settings, keyLimits)),
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

/** Requests per second: as stored, or what the key's plan allows. */
export function findRate(settings: Settings, { perSecond }: PlanLimits): number {
  return readConfig("rate", settings) ?? perSecond;
}
