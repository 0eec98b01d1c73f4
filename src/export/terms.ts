/** Where data come from, and the licence that the service names for them. */
import type { Surroundings } from "../base/report.ts";
import type { Provenance } from "../format/format.ts";
import type { FetchValues } from "../options/fetch-options.ts";
import { resolveUrl } from "../plan/request-path.ts";
import { hasToken } from "../settings/credentials.ts";
import type { KeyLimits } from "../settings/key-limits.ts";
import { PLANS_PATH, storedPlans } from "../settings/plans.ts";
import { findBaseUrl, type Settings } from "../settings/settings.ts";

export type ServiceOptions = Pick<FetchValues, "baseUrl" | "sandbox">;

/** Gets the service's plans, for the licence of its data. With a key, `ents login` has done so. */
export async function fetchPlans(
  { baseUrl, sandbox }: ServiceOptions,
  surroundings: Surroundings & { readonly settings: Settings },
): Promise<void> {
  const { settings, context } = surroundings;
  const address = findBaseUrl(baseUrl, settings);
  if (sandbox || hasToken(address, settings) || storedPlans.read(address.href, context)) return;
  await (await import("../source/account.ts")).refreshPlans(address, surroundings);
}

/** `address`: URL of the service; undefined for the sandbox. */
export function describeOrigin(
  { plan, license }: KeyLimits,
  address: string | undefined,
): Pick<Provenance, "service" | "terms"> {
  if (address === undefined) return { service: "the sandbox inside ents: synthetic data" };
  const terms =
    license === undefined ? undefined : { plan, license, url: resolveUrl(new URL(address), PLANS_PATH).href };
  return { service: address, terms };
}
