/** Which service is asked, with which token. */
import { EntsError } from "../base/errors.ts";
import { type MaxWindow, parseMaxWindow } from "../plan/limits.ts";
import { DEFAULT_BASE_URL } from "../base/vocabulary.ts";
import { isLoopback } from "../base/loopback.ts";
import { parseBaseUrl } from "./base-url.ts";
import { openStore } from "./store.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** A token, and where it came from. */
export interface Token {
  readonly value: string;
  readonly source: string;
}

/** The base address, first found: flag, `ENTS_BASE_URL`, config, the public service. */
export async function findBaseUrl(flag: string | undefined, env: Env): Promise<URL> {
  if (flag !== undefined) return parseBaseUrl(flag, "--base-url");
  if (env["ENTS_BASE_URL"]) return parseBaseUrl(env["ENTS_BASE_URL"], "ENTS_BASE_URL");
  const store = await openStore(env);
  const configured = (await store.read()).config["base-url"];
  return configured === undefined ? new URL(DEFAULT_BASE_URL) : parseBaseUrl(configured, `base-url in ${store.path}`);
}

/** The longest window of one request, first found: flag, config; undefined leaves it to the interval. */
export async function findMaxWindow(flag: string | undefined, env: Env): Promise<MaxWindow | undefined> {
  if (flag !== undefined) return parseMaxWindow(flag, "--max-window");
  const store = await openStore(env);
  const configured = (await store.read()).config["max-window"];
  return configured === undefined ? undefined : parseMaxWindow(configured, `max-window in ${store.path}`);
}

const TOKEN_VARIABLES = ["ENTS_TOKEN", "OPENELECTRICITY_API_KEY"] as const;

/** The token for a base address, first found: environment, else the one stored for its origin; undefined for none. */
export async function findToken({ origin }: URL, env: Env): Promise<Token | undefined> {
  for (const name of TOKEN_VARIABLES) {
    const value = env[name]?.trim();
    if (value) return { value: checkToken(value, name), source: `the environment variable ${name}` };
  }
  const store = await openStore(env);
  const value = (await store.read()).tokens[origin];
  return value === undefined ? undefined : { value, source: store.path };
}

/** @throws {EntsError} authentication: there is no token, or it would travel in clear. */
export async function requireToken(baseUrl: URL, env: Env): Promise<Token> {
  checkTransport(baseUrl);
  const token = await findToken(baseUrl, env);
  if (token) return token;
  throw new EntsError("authentication", `there is no token for ${baseUrl.origin}`, {
    hint: "store one with 'ents login', set ENTS_TOKEN, or try without an account: --sandbox",
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
