/** Stores a token with the plan of its key, and says what changes with it. */
import { EntsError } from "../base/errors.ts";
import type { Surroundings } from "../base/report.ts";
import { FETCH_FLAGS } from "../options/fetch-options.ts";
import { replaceToken } from "./credentials.ts";
import { findRate } from "./fetch-settings.ts";
import { findKeyLimits } from "./key-limits.ts";
import { describePath, saveSettings, type Settings } from "./settings.ts";
import type { Stored } from "./store.ts";

type Change = (stored: Stored) => Stored;

interface StoredToken {
  readonly value: string;
  readonly plan: string | undefined;
}

interface Storing extends Surroundings {
  readonly settings: Settings;
}

/** Stores a service's token and the plan of its key. */
export async function storeToken(baseUrl: URL, token: StoredToken, storing: Storing): Promise<void> {
  await store(`token for ${baseUrl.origin}`, baseUrl, { ...storing, change: (stored) => replaceToken(stored, baseUrl, token) });
}

/** Stores the plan of the stored token, if the service tells another than before. A file that cannot be written is a warning. */
export async function updatePlan(baseUrl: URL, { value, plan }: StoredToken, storing: Storing): Promise<void> {
  const { settings, report } = storing;
  const { origin } = baseUrl;
  if (settings.tokens[origin] !== value || plan === settings.plans?.[origin]) return;
  try {
    const change = (stored: Stored) => replaceToken(stored, baseUrl, { value, plan });
    await store(`plan for ${origin}`, baseUrl, { ...storing, change });
  } catch (error) {
    if (!(error instanceof EntsError)) throw error;
    report.warn(error.message);
  }
}

async function store(what: string, baseUrl: URL, { settings, context, report, change }: Storing & { change: Change }): Promise<void> {
  const rateOf = (all: Settings) => findRate(all, findKeyLimits({ baseUrl, sandbox: false }, all, context));
  const rate = rateOf({ ...settings, ...change(settings) });
  const news = rate === rateOf(settings) ? "" : `; the default ${FETCH_FLAGS.rate} is now ${rate} per second`;
  await saveSettings(settings, change, context);
  report.note(`${what} stored in ${describePath(settings)}${news}`);
}
