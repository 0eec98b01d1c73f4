/** The token of a service. */
import { EntsError } from "../base/errors.ts";
import { FETCH_FLAGS } from "../options/fetch-options.ts";
import { checkToken, checkTransport } from "./check-token.ts";
import { describePath, type Settings } from "./settings.ts";

export interface Token {
  readonly value: string;
  /** `from ENTS_TOKEN`, `stored in …/config.json` */
  readonly source: string;
}

const TOKEN_VARIABLES = ["ENTS_TOKEN", "OPENELECTRICITY_API_KEY"] as const;

/** The token for a base address, first found: environment, else the one stored for its origin; undefined for none. */
function findToken({ origin }: URL, settings: Settings): Token | undefined {
  for (const name of TOKEN_VARIABLES) {
    const value = settings.env[name]?.trim();
    if (value) return { value: checkToken(value, `from ${name}`), source: `from ${name}` };
  }
  const value = settings.tokens[origin];
  if (value === undefined) return undefined;
  const source = `stored in ${describePath(settings)}`;
  return { value: checkToken(value, source, "run 'ents login' again"), source };
}

/** @throws {EntsError} authentication: there is no token, or it would be sent unencrypted. */
export function requireToken(baseUrl: URL, settings: Settings): Token {
  checkTransport(baseUrl);
  const token = findToken(baseUrl, settings);
  if (token) return token;
  throw new EntsError("authentication", `no token for ${baseUrl.origin}`, {
    hint: `store one with 'ents login', set ENTS_TOKEN, or use ${FETCH_FLAGS.sandbox} (no account needed)`,
  });
}
