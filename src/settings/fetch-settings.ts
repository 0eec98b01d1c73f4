/** The fetch flags with what is stored for them, the rate of a key's plan among it. */
import { QUOTAS } from "../base/vocabulary.ts";
import { FETCH_OPTIONS, type FetchValues } from "../options/fetch-options.ts";
import { findPlan } from "./credentials.ts";
import { findBaseUrl, readConfig, type Settings } from "./settings.ts";

/** The values of the fetch flags, each first found: flag, config, what the key's plan allows, default. */
export function resolveFetch<T extends FetchValues>(values: T, settings: Settings): T & { readonly concurrency: number } {
  return {
    ...values,
    maxWindow: values.maxWindow ?? readConfig("maxWindow", settings),
    rate: values.rate ?? (values.sandbox ? undefined : findRate(findBaseUrl(values.baseUrl, settings), settings)),
    // The sandbox has none; asked for by the flag, that is told.
    cache: values.cache ?? (values.sandbox ? undefined : readConfig("cache", settings)),
    concurrency: values.concurrency ?? readConfig("concurrency", settings) ?? FETCH_OPTIONS.concurrency.default,
  };
}

/** Requests per second: as stored, or what the plan of the service's key allows. */
export function findRate(baseUrl: URL, settings: Settings): number {
  return readConfig("rate", settings) ?? QUOTAS[findPlan(baseUrl, settings) ?? "community"].perSecond;
}
