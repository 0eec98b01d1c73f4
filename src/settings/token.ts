/**
 * Tokens, and checks before they are sent. Separate from the config file, since the library does not include its
 * packages.
 */
import { EntsError } from "../base/errors.ts";

export const TOKEN_VARIABLES = ["ENTS_TOKEN", "OPENELECTRICITY_API_KEY"] as const;

export interface Token {
  readonly value: string;
  /** Its source, for messages: `from ENTS_TOKEN`, `stored in …/config.json`; empty if it was just entered. */
  readonly source: string;
  /** How to replace it: `replace it with 'ents login'`. */
  readonly replace: string;
}

/** No token, with the message and hint to show if the service requires one. */
export interface MissingToken {
  readonly value: undefined;
  readonly message: string;
  readonly hint: string;
}

/** @throws {EntsError} authentication: plain http to another machine. */
export function checkTransport(baseUrl: URL): void {
  if (baseUrl.protocol === "https:" || isLoopback(baseUrl)) return;
  throw new EntsError("authentication", `refusing to send a token to ${baseUrl.origin}: http is not encrypted`, {
    hint: "use the service's https address; http is only allowed for localhost",
  });
}

/** @throws {EntsError} authentication: not valid in a header. The message does not show the token. */
export function checkToken(value: string, source: string, hint = "copy it again, without spaces"): string {
  const [, problem, remedy] = MISTAKES.find(([pattern]) => pattern.test(value)) ?? [];
  if (problem === undefined) return value;
  throw new EntsError("authentication", `the token ${source} ${problem}`, { hint: remedy ?? hint });
}

/** What is copied or configured along with a token, and what to do about it. */
const MISTAKES: readonly (readonly [pattern: RegExp, problem: string, remedy?: string])[] = [
  [/^$/, "is empty"],
  [
    /^["'`\u2018\u2019\u201c\u201d]|["'`\u2018\u2019\u201c\u201d]$/,
    "has quotes around it",
    "remove the quotes; in some .env files they are part of the value",
  ],
  [/^bearer\s/i, 'begins with "Bearer"', "give the token alone: ents adds Bearer itself"],
  [/^<.*>$/, "is a placeholder in angle brackets", "put your own token in its place"],
  [
    /^(?:\$\w+|\$?\{.*\}|\$\(.*\)|%\w+%|\w+:\/\/.*|null|undefined)$/,
    "is the name of a place where a token should come from",
    "nothing has replaced it: check what starts ents, such as a .env file, a unit of systemd or a client of MCP",
  ],
  [/[^\x21-\x7e]/, "contains spaces or invalid characters"],
];

/** True if an address is on this machine, so that a token may be sent over plain http. */
export function isLoopback({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}
