/** One GET over HTTP: redirects, timeouts, and the body as sent. */
import { type Dispatcher, request } from "undici";
import { FETCH_FLAGS } from "../options/fetch-options.ts";
import { EntsError } from "../base/errors.ts";
import { incompleteAnswer, isCutShort } from "./failure.ts";
import type { Response } from "./response.ts";

export interface HttpOptions {
  readonly dispatcher: Dispatcher;
  readonly headers: Readonly<Record<string, string>>;
  /** Timeout for the first byte and between bytes, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Milliseconds since 1970 UTC. */
  readonly now: () => number;
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTS = 5;

/**
 * Gets `url`, following redirects inside its origin.
 * @throws {EntsError} refused: a redirect to another origin, or another encoding than gzip; {Error} of the network.
 */
export async function getResponse(url: URL, options: HttpOptions): Promise<Response> {
  let target = url;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const response = await request(target, {
      dispatcher: options.dispatcher,
      headers: { ...options.headers, accept: "application/json", "accept-encoding": "gzip" },
      headersTimeout: options.timeoutMs,
      bodyTimeout: options.timeoutMs,
      signal: options.signal,
    });
    const location = readHeader(response, "location");
    if (!REDIRECTS.has(response.statusCode) || location === undefined) return readBody(response, options.now);
    await response.body.dump();
    target = followRedirect(target, location);
  }
  throw new EntsError("refused", `too many redirects (more than ${MAX_REDIRECTS}) from ${url.origin}${url.pathname}`);
}

async function readBody(response: Dispatcher.ResponseData, now: () => number): Promise<Response> {
  const gzip = isGzip(response);
  const bytes = Buffer.concat(await collect(response.body));
  return { status: response.statusCode, retryAfter: readHeader(response, "retry-after"), gzip, bytes, receivedAt: now() };
}

async function collect(body: AsyncIterable<Buffer>): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of body) chunks.push(chunk);
    return chunks;
  } catch (error) {
    throw isCutShort(error) ? incompleteAnswer(error) : error;
  }
}

/** A token is sent to its own origin only. */
function followRedirect(from: URL, location: string): URL {
  const to = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (to?.origin === from.origin) return to;
  throw new EntsError(
    "refused",
    `the service at ${from.origin} redirects to another origin, ${to?.origin ?? `"${location}"`}; ents does not follow it`,
    {
      hint: `if that is the service's new address, set it with ${FETCH_FLAGS.baseUrl}`,
    },
  );
}

/** @throws {EntsError} refused: another encoding than gzip. */
function isGzip(response: Dispatcher.ResponseData): boolean {
  const encoding = readHeader(response, "content-encoding")?.toLowerCase() ?? "identity";
  if (encoding === "gzip" || encoding === "x-gzip") return true;
  if (encoding === "identity") return false;
  response.body.destroy();
  throw new EntsError("refused", `the service's answer has the encoding "${encoding}"; ents accepts gzip only`);
}

function readHeader(response: Dispatcher.ResponseData, name: string): string | undefined {
  const value = response.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
