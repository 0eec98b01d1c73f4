/** A token, and the checks before it is sent; apart from the config file, whose packages the library does without. */
import { EntsError } from "../base/errors.ts";
import { isLoopback } from "../base/loopback.ts";

export interface Token {
  readonly value: string;
  /** Where it is from, for messages: `from ENTS_TOKEN`, `stored in …/config.json`. Empty: it was just given. */
  readonly source: string;
  /** How to replace it: `replace it with 'ents login'`. */
  readonly replace: string;
}

/** No token: what is missing, and how to get it, where a service asks for one. */
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
  if (/^[\x21-\x7e]+$/.test(value)) return value;
  const problem = value === "" ? "is empty" : "contains spaces or invalid characters";
  throw new EntsError("authentication", `the token ${source} ${problem}`, { hint });
}
