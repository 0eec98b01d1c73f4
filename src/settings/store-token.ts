/** Stores a token with the plan of its key, and reports it with any new default rate. */
import { EntsError } from "../base/errors.ts";
import type { Surroundings } from "../base/report.ts";
import { FETCH_FLAGS } from "../options/fetch-options.ts";
import { replaceToken } from "./credentials.ts";
import { findKeyLimits, findRate } from "./key-limits.ts";
import { describePath, saveSettings, type Settings, type StoredSettings } from "./settings.ts";

interface StoredToken {
  readonly value: string;
  readonly plan: string | undefined;
}

interface Storing extends Surroundings {
  readonly settings: Settings;
  /** The part that changed, for the message; the token by default. */
  readonly what?: "token" | "plan";
}

export async function storeToken(baseUrl: URL, token: StoredToken, storing: Storing): Promise<void> {
  const { settings, context, report, what = "token" } = storing;
  const change = (stored: StoredSettings) => replaceToken(stored, baseUrl, token);
  const rateOf = (all: Settings) => findRate(all, findKeyLimits({ baseUrl, sandbox: false }, all, context));
  const rate = rateOf({ ...settings, ...change(settings) });
  const news = rate === rateOf(settings) ? "" : `; the default ${FETCH_FLAGS.rate} is now ${rate} per second`;
  await saveSettings(settings, change, context);
  report.note(`${what} for ${baseUrl.origin} stored in ${describePath(settings)}${news}`);
}

/** Stores the plan of the stored token if it has changed. Warns if the file cannot be written. */
export async function updatePlan(baseUrl: URL, token: StoredToken, storing: Storing): Promise<void> {
  const { settings, report } = storing;
  const { origin } = baseUrl;
  if (settings.tokens[origin] !== token.value || token.plan === settings.plans?.[origin]) return;
  try {
    await storeToken(baseUrl, token, { ...storing, what: "plan" });
  } catch (error) {
    if (!(error instanceof EntsError)) throw error;
    report.warn(error.message);
  }
}
