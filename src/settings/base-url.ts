import { usageError } from "../base/errors.ts";

/**
 * A base address, with or without a trailing `/` or `/v4`. `source` says where it was given, for the message.
 * @throws {EntsError} usage: not an http(s) address, or one that carries a password.
 */
export function parseBaseUrl(text: string, source: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && (url.username !== "" || url.password !== "")) {
    throw usageError(`${source}: an address must not carry a user name or password`, "store the token with 'ents login'");
  }
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw usageError(`${source}: "${text}" is not an http(s) address`, "write it as https://api.openelectricity.org.au");
  }
  // What follows ? or # may be a token: it is not shown.
  if (/[?#]/.test(text))
    throw usageError(`${source}: "${url.origin}${url.pathname}" is followed by a query or fragment`, "give the address alone");
  url.pathname = url.pathname.replace(/\/+(?:v4\/*)?$/, "");
  return url;
}
