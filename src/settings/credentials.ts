/** The token of a service: from the environment, or stored for its origin. */
import { EntsError } from "../base/errors.ts";
import { DEFAULT_BASE_URL, PLATFORM_URL } from "../base/vocabulary.ts";
import { FETCH_FLAGS } from "../options/fetch-options.ts";
import { describePath, type Settings, type StoredSettings } from "./settings.ts";
import { checkToken, checkTransport, type MissingToken, type Token, TOKEN_VARIABLES } from "./token.ts";

/**
 * The token for a base address: from the environment, else the one stored for its origin; undefined if there is none.
 * @throws {EntsError} authentication: it is not valid, or would be sent unencrypted.
 */
export function findToken(baseUrl: URL, settings: Settings): Token | undefined {
  const variable = findVariable(settings);
  const value = variable?.value ?? settings.tokens[baseUrl.origin];
  if (value === undefined) return undefined;
  checkTransport(baseUrl);
  const source = variable ? `from ${variable.name}` : `stored in ${describePath(settings)}`;
  const replace = variable ? `replace it in ${variable.name}` : `replace it with '${loginCommand(baseUrl)}'`;
  return { value: checkToken(value, source, variable ? undefined : replace), source, replace };
}

/** Whether there is a token for a base address, valid or not. */
export function hasToken({ origin }: URL, settings: Settings): boolean {
  return findVariable(settings) !== undefined || settings.tokens[origin] !== undefined;
}

function findVariable({ env }: Settings): { name: string; value: string } | undefined {
  return TOKEN_VARIABLES.map((name) => ({ name, value: env[name]?.trim() ?? "" })).find(({ value }) => value !== "");
}

/** The plan of the key in use; undefined unless `ents login` or `ents whoami` stored it. */
export function findPlan({ origin }: URL, settings: Settings): string | undefined {
  const isStored = !findVariable(settings) && settings.tokens[origin] !== undefined;
  return isStored ? settings.plans?.[origin] : undefined;
}

/** The stored settings with a service's token and plan replaced, or removed if `token` is undefined. */
export function replaceToken(
  stored: StoredSettings,
  { origin }: URL,
  token?: { value: string; plan: string | undefined },
): StoredSettings {
  const { [origin]: _token, ...tokens } = stored.tokens;
  const { [origin]: _plan, ...others } = stored.plans ?? {};
  const plans = token?.plan ? { ...others, [origin]: token.plan } : others;
  return {
    ...stored,
    tokens: token ? { ...tokens, [origin]: token.value } : tokens,
    plans: Object.keys(plans).length > 0 ? plans : undefined,
  };
}

/**
 * @throws {EntsError} authentication: there is no token (`otherwise` extends the hint), or it would be sent
 * unencrypted.
 */
export function requireToken(baseUrl: URL, settings: Settings, otherwise?: string): Token {
  // Checked even without a token, since a token stored for this address would be refused.
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

export function describeAnonymous(baseUrl: URL): string {
  return `no token: asking anonymously, community limits; ${loginCommand(baseUrl)} for more`;
}

function loginCommand(baseUrl: URL): string {
  return isPublic(baseUrl) ? "ents login" : `ents login ${FETCH_FLAGS.baseUrl} ${baseUrl.href.replace(/\/$/, "")}`;
}

export function isPublic({ origin }: URL): boolean {
  return origin === DEFAULT_BASE_URL;
}
