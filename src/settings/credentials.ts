/** The token of a service: from the environment, or stored for its origin. */
import { EntsError } from "../base/errors.ts";
import { DEFAULT_BASE_URL, findKeyPlan, type KeyPlan, PLATFORM_URL } from "../base/vocabulary.ts";
import { FETCH_FLAGS } from "../options/fetch-options.ts";
import { describePath, type Settings } from "./settings.ts";
import type { Stored } from "./store.ts";
import { checkToken, checkTransport, type Token } from "./token.ts";

const TOKEN_VARIABLES = ["ENTS_TOKEN", "OPENELECTRICITY_API_KEY"] as const;

/** The token for a base address, first found: environment, else the one stored for its origin; undefined for none. */
function findToken(baseUrl: URL, settings: Settings): Token | undefined {
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

function findVariable({ env }: Settings): { name: string; value: string } | undefined {
  return TOKEN_VARIABLES.map((name) => ({ name, value: env[name]?.trim() ?? "" })).find(({ value }) => value !== "");
}

/** The plan of the key in use, where `ents login` learned it. */
export function findPlan({ origin }: URL, settings: Settings): KeyPlan | undefined {
  return findVariable(settings) ? undefined : findKeyPlan(settings.plans?.[origin]);
}

/** What is stored, with another token of a service and the plan of its key, or with none. */
export function replaceToken(stored: Stored, { origin }: URL, token?: { value: string; plan: KeyPlan | undefined }): Stored {
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
export function requireToken(baseUrl: URL, settings: Settings, otherwise = ""): Token {
  checkTransport(baseUrl);
  const token = findToken(baseUrl, settings);
  if (token) return token;
  const get = isPublic(baseUrl) ? `get one at ${PLATFORM_URL}, then ` : "";
  throw new EntsError("authentication", `no token for ${baseUrl.origin}`, {
    hint: `${get}run '${loginCommand(baseUrl)}' or set ENTS_TOKEN${otherwise}`,
  });
}

/** The command that stores a token for a base address. */
function loginCommand(baseUrl: URL): string {
  return isPublic(baseUrl) ? "ents login" : `ents login ${FETCH_FLAGS.baseUrl} ${baseUrl.href.replace(/\/$/, "")}`;
}

/** Whether it is the public service. */
export function isPublic({ origin }: URL): boolean {
  return origin === DEFAULT_BASE_URL;
}
