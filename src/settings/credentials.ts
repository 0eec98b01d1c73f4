/** With which token a service is asked. */
import { EntsError } from "../base/errors.ts";
import { isLoopback } from "../base/loopback.ts";
import { FETCH_FLAGS } from "../options/fetch-options.ts";
import { describePath, type Settings } from "./settings.ts";

/** A token, and where it came from. */
export interface Token {
  readonly value: string;
  readonly source: string;
}

const TOKEN_VARIABLES = ["ENTS_TOKEN", "OPENELECTRICITY_API_KEY"] as const;

/** The token for a base address, first found: environment, else the one stored for its origin; undefined for none. */
function findToken({ origin }: URL, settings: Settings): Token | undefined {
  for (const name of TOKEN_VARIABLES) {
    const value = settings.env[name]?.trim();
    if (value) return { value: checkToken(value, name), source: `the environment variable ${name}` };
  }
  const value = settings.tokens[origin];
  return value === undefined ? undefined : { value, source: describePath(settings) };
}

/** @throws {EntsError} authentication: there is no token, or it would travel in clear. */
export function requireToken(baseUrl: URL, settings: Settings): Token {
  checkTransport(baseUrl);
  const token = findToken(baseUrl, settings);
  if (token) return token;
  throw new EntsError("authentication", `there is no token for ${baseUrl.origin}`, {
    hint: `store one with 'ents login', set ENTS_TOKEN, or try without an account: ${FETCH_FLAGS.sandbox}`,
  });
}

/** @throws {EntsError} authentication: plain http to another machine. */
export function checkTransport(baseUrl: URL): void {
  if (baseUrl.protocol === "https:" || isLoopback(baseUrl)) return;
  throw new EntsError("authentication", `a token is not sent to ${baseUrl.origin}: plain http can be read on the way`, {
    hint: "use the service's https address; http is for this machine's own (localhost)",
  });
}

/** @throws {EntsError} authentication: text that cannot stand in a header. The message does not show it. */
export function checkToken(value: string, source: string): string {
  if (/^[\x21-\x7e]+$/.test(value)) return value;
  throw new EntsError("authentication", `the token from ${source} holds spaces or characters that no token has`, {
    hint: "copy it again, as one word",
  });
}
