/** Where rows come from: the service, and the licence of the plan whose key is in use. */
import type { Context } from "../base/context.ts";
import { EntsError } from "../base/errors.ts";
import { createReport } from "../base/report.ts";
import { describeOrigin, fetchPlans, type ServiceOptions } from "../export/terms.ts";
import { readCodesWithoutRequest } from "../facility-list/open-codes.ts";
import { findToken } from "../settings/credentials.ts";
import { findKeyLimits } from "../settings/key-limits.ts";
import { findBaseUrl, loadSettings, type Settings } from "../settings/settings.ts";
import { fetchPlanLimits, readAccount } from "../source/account.ts";

interface Origin {
  readonly source: string;
  readonly licence: string;
}

/**
 * Asks the service once for as long as the server runs: for its plans, and for that of the key. `mayAsk`: false if the
 * service has just asked for a pause.
 */
export async function findOrigin(options: ServiceOptions, context: Context, mayAsk = true): Promise<Origin> {
  const known = context.shared?.get(ORIGIN) as Origin | undefined;
  if (known) return known;
  const origin = await readOrigin(options, context, mayAsk);
  if (mayAsk) context.shared?.set(ORIGIN, origin);
  return origin;
}

const ORIGIN = "origin of rows";
export const NO_LICENCE = "not named by the service";

async function readOrigin(options: ServiceOptions, context: Context, mayAsk: boolean): Promise<Origin> {
  const surroundings = { context, report: createReport(context, { quiet: true, verbose: false, progress: false }) };
  const settings = await loadSettings(context);
  if (mayAsk) await fetchPlans(options, { ...surroundings, settings });
  const limits = findKeyLimits(options, settings, context);
  const address = options.sandbox ? undefined : findBaseUrl(options.baseUrl, settings);
  const license = limits.license ?? (mayAsk && address ? await askLicence(address, settings, surroundings) : undefined);
  const { service, terms } = describeOrigin({ ...limits, license }, address?.href);
  return { source: service, licence: terms?.license ?? NO_LICENCE };
}

/** That of the plan of a key of which `ents login` does not know; undefined if the service does not say. */
async function askLicence(
  baseUrl: URL,
  settings: Settings,
  surroundings: Parameters<typeof fetchPlanLimits>[2],
): Promise<string | undefined> {
  try {
    const token = await findToken(baseUrl, settings, surroundings.context);
    if (!token) return undefined;
    const account = await readAccount(
      { baseUrl, token },
      { ...surroundings, fetch: { timeout: TIME_LIMIT_MS, retries: 0 } },
    );
    return (await fetchPlanLimits(account?.plan, baseUrl, surroundings))?.license;
  } catch (error) {
    if (error instanceof EntsError) return undefined;
    throw error;
  }
}

/** Short, as the rows have come. */
const TIME_LIMIT_MS = 2000;

/** Seconds since the list of facilities was received; null if it is not stored. */
export async function findListAge(options: ServiceOptions, context: Context): Promise<number | null> {
  const settings = await loadSettings(context);
  const found = await readCodesWithoutRequest({ fetch: options, settings }, context);
  return findAge(found?.receivedAt, context);
}

/** In seconds; null for an instant that is unknown. */
export function findAge(instant: number | undefined, { now }: Pick<Context, "now">): number | null {
  return instant !== undefined && Number.isFinite(instant) ? Math.round((now() - instant) / 1000) : null;
}
