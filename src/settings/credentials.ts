/** The token of a service: from the environment, or stored for its origin. */
import { EntsError } from "../base/errors.ts";
import { DEFAULT_BASE_URL, PLATFORM_URL } from "../base/vocabulary.ts";
import { FETCH_FLAGS } from "../options/fetch-options.ts";
import { describePath, type Settings } from "./settings.ts";
import type { Stored } from "./store.ts";
import { checkToken, checkTransport, type MissingToken, type Token } from "./token.ts";

const TOKEN_VARIABLES = ["ENTS_TOKEN", "OPENELECTRICITY_API_KEY"] as const;

/**
 * The token for a base address, first found: environment, else the one stored for its origin; undefined for none.
 * @throws {EntsError} authentication: it is not valid, or would be sent unencrypted.
 */
export function findToken(baseUrl: URL, settings: Settings): Token | undefined {
  if (hasToken(baseUrl, settings)) checkTransport(baseUrl);
  const variable = findVariable(settings);
  if (variable) {
    const { name, value } = variable;
    const source = `from ${name}`;
    return { value: checkToken(value, source), source, replace: `replace it in ${name}` };
  }
  const value = settings.tokens[baseUrl.origin];
  if (value === undefined) return undefined;
  const source = `stored in ${describePath(settings)}`;
  const replace = `replace it with '${loginCommand(baseUrl)}'`;
  return { value: checkToken(value, source, replace), source, replace };
}

/** Whether there is a token for a base address, valid or not. */
export function hasToken({ origin }: URL, settings: Settings): boolean {
  return findVariable(settings) !== undefined || settings.tokens[origin] !== undefined;
}

function findVariable({ env }: Settings): { name: string; value: string } | undefined {
  return TOKEN_VARIABLES.map((name) => ({ name, value: env[name]?.trim() ?? "" })).find(({ value }) => value !== "");
}

/** The plan of the key in use, where `ents login` or `ents whoami` learned it. */
export function findPlan({ origin }: URL, settings: Settings): string | undefined {
  const isStored = !findVariable(settings) && settings.tokens[origin] !== undefined;
  return isStored ? settings.plans?.[origin] : undefined;
}

/** What is stored, with another token of a service and the plan of its key, or with none. */
export function replaceToken(stored: Stored, { origin }: URL, token?: { value: string; plan: string | undefined }): Stored {
  const { [origin]: _token, ...tokens } = stored.tokens;
  const { [origin]: _plan, ...others } = stored.plans ?? {};
  const plans = token?.plan ? { ...others, [origin]: token.plan } : others;
  return {
    ...stored,
    tokens: token ? { ...tokens, [origin]: token.value } : tokens,
    plans: Object.keys(plans).length > 0 ? plans : undefined,
  };
}

/** @throws {EntsError} authentication: there is no token (`otherwise`: what else to do then), or it would be sent unencrypted. */
export function requireToken(baseUrl: URL, settings: Settings, otherwise?: string): Token {
  // Also where there is none: one that is stored for this address would be refused.
  checkTransport(baseUrl);
  const token = findToken(baseUrl, settings);
  if (token) return token;
  const { message, hint } = describeMissingToken(baseUrl, otherwise);
  throw new EntsError("authentication", message, { hint });
}

export function describeMissingToken(baseUrl: URL, otherwise = ""): MissingToken {
  const get = isPublic(baseUrl) ? `get one at ${PLATFORM_URL}, then ` : "";
  return {
    value: undefined,
    message: `no token for ${baseUrl.origin}`,
    hint: `${get}run '${loginCommand(baseUrl)}' or set ENTS_TOKEN${otherwise}`,
  };
}

/** For requests that are made without a token. */
export function describeAnonymous(baseUrl: URL): string {
  return `no token: asking anonymously, community limits; ${loginCommand(baseUrl)} for more`;
}

/** The command that stores a token for a base address. */
function loginCommand(baseUrl: URL): string {
  return isPublic(baseUrl) ? "ents login" : `ents login ${FETCH_FLAGS.baseUrl} ${baseUrl.href.replace(/\/$/, "")}`;
}

/** Whether it is the public service. */
export function isPublic({ origin }: URL): boolean {
  return origin === DEFAULT_BASE_URL;
}
