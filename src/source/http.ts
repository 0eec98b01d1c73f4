/** Sends one GET: follows redirects, applies timeouts and limits, and returns the body without decompressing it. */
import { EntsError } from "../base/errors.ts";
import type { ShowText } from "../base/shown-text.ts";
import { FETCH_FLAGS } from "../options/fetch-options.ts";
import { blankBody } from "../base/json-bytes.ts";
import { Blank, exchange, type ExchangeOptions, type RawResponse, type ResponseHead, TooLarge } from "./exchange.ts";
import { incompleteResponse, isCutShort, tooLarge, unreadable } from "./failure.ts";
import { isSuccess, MAX_REFUSAL, type Response } from "./response.ts";
import { readServiceTime } from "./service-clock.ts";

interface HttpOptions extends Omit<ExchangeOptions, "limitBody"> {
  /** Maximum size of a body, in bytes, compressed or decompressed. */
  readonly maxBody: number;
  /** Milliseconds since 1970 UTC. */
  readonly now: () => number;
  readonly show: ShowText;
  /** Waits for the rate limit before a redirect, which counts as another request. */
  readonly take: () => Promise<void>;
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTS = 5;
/** Headers in use for the number of requests left. */
const LEFT = ["ratelimit-remaining", "x-ratelimit-remaining", "x-rate-limit-remaining", "x-credits-remaining"];
/** Headers in use for when there are requests again. */
const RESET = ["ratelimit-reset", "x-ratelimit-reset", "x-rate-limit-reset"];

/**
 * Fetches `url`, following redirects within its origin.
 * @throws {EntsError} refused: too many redirects, one to another origin, an encoding other than gzip, or a body that
 * is too large; {Failure} an incomplete body; {Error} a network error.
 */
export async function getResponse(url: URL, options: HttpOptions): Promise<Response> {
  const headers = { ...options.headers, accept: "application/json", "accept-encoding": "gzip" };
  let target = url;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    if (hop > 0) await options.take();
    const raw = await exchange(target, { ...options, headers, limitBody: (head) => limitBody(head, options.maxBody) });
    const location = findLocation(raw);
    if (location === undefined) return toResponse(raw, options);
    target = followRedirect(target, location, options.show);
  }
  throw new EntsError("refused", `too many redirects (more than ${MAX_REDIRECTS}) from ${url.origin}${url.pathname}`, {
    hint: `check the base address (${FETCH_FLAGS.baseUrl})`,
  });
}

function limitBody(head: ResponseHead, maxBody: number): number {
  if (findLocation(head) !== undefined || findEncoding(head) === undefined) return 0;
  return isSuccess(head) ? maxBody : Math.min(maxBody, MAX_REFUSAL);
}

function findLocation({ status, header }: ResponseHead): string | undefined {
  return REDIRECTS.has(status) ? header("location") : undefined;
}

/** The body of an error response may be incomplete; data must be complete. */
function toResponse({ status, header, bytes, cut }: RawResponse, { now, show, maxBody }: HttpOptions): Response {
  const packing = findEncoding({ status, header });
  if (isSuccess({ status })) {
    if (packing === undefined) {
      const encoding = show(header("content-encoding") ?? "");
      throw new EntsError("refused", `the response has the encoding "${encoding}"; ents accepts gzip only`);
    }
    if (cut instanceof TooLarge) throw tooLarge(maxBody);
    if (cut instanceof Blank) throw unreadable(blankBody());
    if (cut) throw isCutShort(cut) ? incompleteResponse(cut) : cut;
  }
  return {
    status,
    retryAfter:
      header("retry-after") ?? (status === 429 ? RESET.map(header).find((text) => text !== undefined) : undefined),
    gzip: packing === "gzip",
    bytes,
    receivedAt: now(),
    serviceTime: readServiceTime(header),
    left: LEFT.map(header).find((text) => text !== undefined && /^\d{1,12}$/.test(text)),
  };
}

/** A token is only sent to its own origin. */
function followRedirect(from: URL, location: string, show: ShowText): URL {
  const to = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (to?.origin === from.origin) return to;
  const origin = to && to.origin !== "null" ? show(to.origin) : `"${show(location)}"`;
  throw new EntsError(
    "refused",
    `the service at ${from.origin} redirects to another origin, ${origin}; ents does not follow it`,
    {
      hint: `if that is the service's new address, set it with ${FETCH_FLAGS.baseUrl}`,
    },
  );
}

/** The encoding of a body; undefined for one that ents did not request. */
function findEncoding({ header }: ResponseHead): "gzip" | "identity" | undefined {
  const encoding = header("content-encoding")?.trim().toLowerCase() ?? "";
  if (encoding === "" || encoding === "identity") return "identity";
  return encoding === "gzip" || encoding === "x-gzip" ? "gzip" : undefined;
}
