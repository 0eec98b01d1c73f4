/** One GET over HTTP: redirects, decompression, silence. */
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { type Dispatcher, request } from "undici";
import { EntsError } from "../errors.ts";

export interface HttpAnswer {
  readonly status: number;
  /** `Retry-After`, as sent. */
  readonly retryAfter: string | undefined;
  readonly text: string;
}

export interface HttpOptions {
  readonly dispatcher: Dispatcher;
  readonly headers: Readonly<Record<string, string>>;
  /** Longest wait for the first byte, and between bytes, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const MOST_REDIRECTS = 5;

/**
 * Gets `url`, following redirects inside its origin.
 * @throws {EntsError} refused: a redirect elsewhere, or an encoding nobody asked for. Other errors are the network's.
 */
export async function getText(url: URL, options: HttpOptions): Promise<HttpAnswer> {
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
    if (!REDIRECTS.has(response.statusCode) || location === undefined) return readAnswer(response);
    await response.body.dump();
    target = followRedirect(target, location);
  }
  throw new EntsError(
    "refused",
    `the service redirects in a circle: more than ${MOST_REDIRECTS} redirects from ${url.origin}${url.pathname}`,
  );
}

async function readAnswer(response: Dispatcher.ResponseData): Promise<HttpAnswer> {
  const text = await readText(decode(response));
  return { status: response.statusCode, retryAfter: readHeader(response, "retry-after"), text };
}

/** A token goes to no origin but the one that it was given for, so a redirect elsewhere ends the way. */
function followRedirect(from: URL, location: string): URL {
  const to = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (to?.origin === from.origin) return to;
  throw new EntsError(
    "refused",
    `the service at ${from.origin} redirects to another origin, ${to?.origin ?? `"${location}"`}; ents does not follow it`,
    {
      hint: "if that is the service's new address, give it with --base-url",
    },
  );
}

function decode(response: Dispatcher.ResponseData): Readable {
  const encoding = readHeader(response, "content-encoding")?.toLowerCase() ?? "identity";
  if (encoding === "identity") return response.body;
  if (encoding !== "gzip" && encoding !== "x-gzip") {
    response.body.destroy();
    throw new EntsError("refused", `the service's answer is encoded as "${encoding}", though only gzip was asked for`);
  }
  const gunzip = createGunzip({ chunkSize: 256 * 1024 });
  response.body.on("error", (error) => gunzip.destroy(error));
  return response.body.pipe(gunzip);
}

async function readText(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function readHeader(response: Dispatcher.ResponseData, name: string): string | undefined {
  const value = response.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
