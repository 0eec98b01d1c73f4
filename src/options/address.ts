import { DEFAULT_BASE_URL } from "../base/vocabulary.ts";

/** Parses a base address, with or without a trailing `/` or `/v4`. @throws {InvalidValue} */
export function readAddress(value: string): URL {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url && (url.username !== "" || url.password !== "")) {
    throw new InvalidValue("an address cannot have a user name or password", "store the token with 'ents login'");
  }
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw new InvalidValue(`"${value}" is not an http(s) address`, `use an address such as ${DEFAULT_BASE_URL}`);
  }
  // The query or fragment may hold a token, so the message does not show it.
  if (/[?#]/.test(value))
    throw new InvalidValue(
      `the address "${url.origin}${url.pathname}" has a query or fragment`,
      "remove everything from ? or # on",
    );
  url.pathname = url.pathname.replace(/\/+(?:v4\/*)?$/, "");
  return url;
}

/** True for the address of a service; the sandbox has another name. */
export function isAddress(service: string): boolean {
  return /^https?:/.test(service);
}

/** Thrown by what reads values. `joint`: what stands between the name of the flag and the message. */
export class InvalidValue extends Error {
  readonly hint: string | undefined;
  readonly joint: ": " | " ";

  constructor(message: string, hint?: string, joint: InvalidValue["joint"] = ": ") {
    super(message);
    this.hint = hint;
    this.joint = joint;
  }
}
