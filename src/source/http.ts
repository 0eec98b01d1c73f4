/** One GET over HTTP: redirects, timeouts, limits, and the body as sent. */
import { FETCH_FLAGS } from "../options/fetch-options.ts";
import { EntsError } from "../base/errors.ts";
import type { ShowText } from "../base/shown-text.ts";
import { exchange, type ExchangeOptions, type RawResponse, type ResponseHead, TooLarge } from "./exchange.ts";
import { incompleteAnswer, isCutShort, tooLarge } from "./failure.ts";
import { isSuccess, MAX_REFUSAL, type Response } from "./response.ts";

export interface HttpOptions extends Omit<ExchangeOptions, "limitBody"> {
  /** Maximum bytes of a body, also unpacked. */
  readonly maxBody: number;
  /** Milliseconds since 1970 UTC. */
  readonly now: () => number;
  readonly show: ShowText;
  /** Waits for the turn of a further request: redirects keep to the rate, too. */
  readonly take: () => Promise<void>;
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTS = 5;

/**
 * Gets `url`, following redirects inside its origin.
 * @throws {EntsError} refused: a redirect to another origin, another encoding than gzip, a body that is too large;
 * {Error} of the network.
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
  if (findLocation(head) !== undefined || findPacking(head) === undefined) return 0;
  return isSuccess(head) ? maxBody : Math.min(maxBody, MAX_REFUSAL);
}

function findLocation({ status, header }: ResponseHead): string | undefined {
  return REDIRECTS.has(status) ? header("location") : undefined;
}

/** A refusal counts whatever its body is; data must be whole. */
function toResponse({ status, header, chunks, cut }: RawResponse, { now, show, maxBody }: HttpOptions): Response {
  const packing = findPacking({ status, header });
  if (isSuccess({ status })) {
    if (packing === undefined) {
      const encoding = show(header("content-encoding") ?? "");
      throw new EntsError("refused", `the service's answer has the encoding "${encoding}"; ents accepts gzip only`);
    }
    if (cut instanceof TooLarge) throw tooLarge(maxBody);
    if (cut) throw isCutShort(cut) ? incompleteAnswer(cut) : cut;
  }
  return { status, retryAfter: header("retry-after"), gzip: packing === "gzip", bytes: Buffer.concat(chunks), receivedAt: now() };
}

/** A token is sent to its own origin only. */
function followRedirect(from: URL, location: string, show: ShowText): URL {
  const to = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (to?.origin === from.origin) return to;
  const origin = to && to.origin !== "null" ? show(to.origin) : `"${show(location)}"`;
  throw new EntsError("refused", `the service at ${from.origin} redirects to another origin, ${origin}; ents does not follow it`, {
    hint: `if that is the service's new address, set it with ${FETCH_FLAGS.baseUrl}`,
  });
}

/** How a body is packed; undefined for an encoding that ents did not ask for. */
function findPacking({ header }: ResponseHead): "gzip" | "identity" | undefined {
  const encoding = header("content-encoding")?.trim().toLowerCase() ?? "";
  if (encoding === "" || encoding === "identity") return "identity";
  return encoding === "gzip" || encoding === "x-gzip" ? "gzip" : undefined;
}
