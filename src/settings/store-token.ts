/** Stores a token with the plan of its key, and reports it with any new default rate. */
import { EntsError } from "../base/errors.ts";
import type { Surroundings } from "../base/report.ts";
import { FETCH_FLAGS } from "../options/fetch-options.ts";
import { findTokenCommand, hasPlan, replacePlan, replaceToken } from "./credentials.ts";
import { TOKEN_COMMAND } from "./config-keys.ts";
import { findKeyLimits, findRate } from "./key-limits.ts";
import { describePath, saveSettings, type Settings, type StoredSettings } from "./settings.ts";

interface StoredToken {
  readonly value: string;
  readonly plan: string | undefined;
}

interface Storing extends Surroundings {
  readonly settings: Settings;
}

export async function storeToken(baseUrl: URL, token: StoredToken, storing: Storing): Promise<void> {
  await store(baseUrl, { what: "token", change: (stored) => replaceToken(stored, baseUrl, token) }, storing);
  if (findTokenCommand(baseUrl, storing.settings) === undefined) return;
  storing.report.note(
    `${TOKEN_COMMAND} is set and comes first; 'ents config unset ${TOKEN_COMMAND}' to use this token`,
  );
}

interface SettingsChange {
  readonly what: "token" | "plan";
  readonly change: (stored: StoredSettings) => StoredSettings;
}

async function store(
  baseUrl: URL,
  { what, change }: SettingsChange,
  { settings, context, report }: Storing,
): Promise<void> {
  const rateOf = (all: Settings) => findRate(all, findKeyLimits({ baseUrl, sandbox: false }, all, context));
  const rate = rateOf({ ...settings, ...change(settings) });
  const news = rate === rateOf(settings) ? "" : `; the default ${FETCH_FLAGS.rate} is now ${rate} per second`;
  await saveSettings(settings, change, context);
  report.note(`${what} for ${baseUrl.origin} stored in ${describePath(settings)}${news}`);
}

/** Stores the plan of the key in use if it has changed. Warns if the file cannot be written. */
export async function updatePlan(baseUrl: URL, plan: string | undefined, storing: Storing): Promise<void> {
  const { settings, report } = storing;
  if (!hasPlan(baseUrl, settings) || plan === settings.plans?.[baseUrl.origin]) return;
  try {
    await store(baseUrl, { what: "plan", change: (stored) => replacePlan(stored, baseUrl, plan) }, storing);
  } catch (error) {
    if (!(error instanceof EntsError)) throw error;
    report.warn(error.message);
  }
}
