/** One GET over HTTP: redirects, silence, and a body as it was sent. */
import { type Dispatcher, request } from "undici";
import { FETCH_FLAGS } from "../options/fetch-options.ts";
import { EntsError } from "../base/errors.ts";
import { incompleteAnswer, isCutShort } from "./failure.ts";
import type { Response } from "./response.ts";

export interface HttpOptions {
  readonly dispatcher: Dispatcher;
  readonly headers: Readonly<Record<string, string>>;
  /** Longest wait for the first byte, and between bytes, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Milliseconds since 1970 UTC. */
  readonly now: () => number;
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const MOST_REDIRECTS = 5;

/**
 * Gets `url`, following redirects inside its origin.
 * @throws {EntsError} refused: a redirect elsewhere, or an encoding nobody asked for. Other errors are the network's.
 */
export async function getResponse(url: URL, options: HttpOptions): Promise<Response> {
  let target = url;
  for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
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
  throw new EntsError(
    "refused",
    `the service redirects in a circle: more than ${MOST_REDIRECTS} redirects from ${url.origin}${url.pathname}`,
  );
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

/** A token goes to no origin but the one that it was given for, so a redirect elsewhere ends the way. */
function followRedirect(from: URL, location: string): URL {
  const to = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (to?.origin === from.origin) return to;
  throw new EntsError(
    "refused",
    `the service at ${from.origin} redirects to another origin, ${to?.origin ?? `"${location}"`}; ents does not follow it`,
    {
      hint: `if that is the service's new address, give it with ${FETCH_FLAGS.baseUrl}`,
    },
  );
}

/** @throws {EntsError} refused: another encoding than the one that was asked for. */
function isGzip(response: Dispatcher.ResponseData): boolean {
  const encoding = readHeader(response, "content-encoding")?.toLowerCase() ?? "identity";
  if (encoding === "gzip" || encoding === "x-gzip") return true;
  if (encoding === "identity") return false;
  response.body.destroy();
  throw new EntsError("refused", `the service's answer is encoded as "${encoding}", though only gzip was asked for`);
}

function readHeader(response: Dispatcher.ResponseData, name: string): string | undefined {
  const value = response.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
