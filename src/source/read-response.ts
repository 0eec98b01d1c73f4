/** Interprets HTTP responses, with the statuses and messages of the public service. */
import { FETCH_FLAGS } from "../options/fetch-options.ts";
import { attempt, EntsError, type HttpRefusal } from "../base/errors.ts";
import { isLosslessNumber, isObject, type Json, parseJson } from "../base/json.ts";
import { JsonError, parseJsonBytes } from "../base/json-bytes.ts";
import { shortenText, type MaskBody, type ShowText } from "../base/shown-text.ts";
import { MAX_SIZE } from "../base/sizes.ts";
import { runWithPauses, type Pause } from "../base/steps.ts";
import type { MissingToken, Token } from "../settings/token.ts";
import { decodeInSteps } from "../decode/decode.ts";
import { findServiceMessage } from "../decode/envelope.ts";
import type { Body } from "../series/body.ts";
import { type DecodedResponse, createEmptyResponse, isUnknown } from "../series/decoded-response.ts";
import { Failure, incompleteResponse, unreadable } from "./failure.ts";
import { isHeavyQuery } from "./token-watch.ts";
import { isSuccess, MAX_REFUSAL, type Response, unpack } from "./response.ts";
import { isRetryableStatus, parseRetryAfter } from "./retry.ts";
import { setImmediate } from "node:timers/promises";

export interface ReadOptions {
  readonly show: ShowText;
  readonly mask: MaskBody;
  /** Maximum size of the decompressed body, in bytes. */
  readonly maxBody: number;
  readonly signal?: AbortSignal;
  /** True if the request sets no end of its window. */
  readonly isOpen?: boolean;
  /** For messages: the token that was sent, or the message for a missing one. */
  readonly token?: Token | MissingToken;
}

export const DEFAULTS: ReadOptions = { show: shortenText, mask: (body) => body, maxBody: MAX_SIZE };

/**
 * Decodes a response; empty if the service says that there is no data. `unpacked`: the body, if already decompressed.
 * @throws {Failure} a broken body, a 401, or an unavailable service; {EntsError} authentication, refused: all other
 * errors response, or a body that is not v4.
 */
export async function readResponse(response: Response, options = DEFAULTS, unpacked?: Body): Promise<DecodedResponse> {
  if (isSuccess(response)) {
    const body = unpacked ?? (await unpack(response, options.maxBody));
    const decoded = await readData(
      body,
      (masked) => runWithPauses(decodeInSteps(masked), createPause(options.signal)),
      options,
    );
    return isUnknown(decoded) ? { ...decoded, problem: decoded.problem.mapMessage(options.show) } : decoded;
  }
  const text = await readRefusal(response, options);
  if (!saysNoData(response, text, options.isOpen ?? false)) throw toError(response, text, options);
  return createEmptyResponse(
    isObject(text.body) ? text.body["version"] : undefined,
    new Date(response.receivedAt).toISOString(),
  );
}

/** Parses the JSON of a response from any other path. @throws as `readResponse`. */
export async function readJson(response: Response, options = DEFAULTS): Promise<Json> {
  if (isSuccess(response))
    return readData(await unpack(response, options.maxBody), ({ bytes }) => parseJsonBytes(bytes), options);
  throw toError(response, await readRefusal(response, options), options);
}

async function readData<T>(
  body: Body,
  read: (masked: Body) => T | Promise<T>,
  { show, mask }: ReadOptions,
): Promise<T> {
  const masked = body.map(mask);
  try {
    return await read(masked);
  } catch (cause) {
    if (cause instanceof EntsError) throw cause.mapMessage(show);
    if (cause instanceof JsonError) throw brokenBody(cause, show);
    throw cause;
  }
}

/**
 * Truncated JSON is a network failure, and text that is not JSON comes from another server, such as a proxy; both are
 * retried.
 */
function brokenBody(cause: JsonError, show: ShowText): Failure | EntsError {
  const { fault, start } = cause;
  if (fault === "packed" || fault === "blank") return unreadable(cause);
  if (fault === "incomplete") return incompleteResponse(cause);
  if (fault === "excessive") {
    const hint = `ask for less in one request (${FETCH_FLAGS.maxWindow}, fewer codes)`;
    return new EntsError("refused", `cannot read the response: ${show(cause.message)}`, { cause, hint });
  }
  if (fault === "invalid") {
    return new EntsError("refused", `the response is not valid JSON: ${show(cause.message)}`, { cause });
  }
  return new Failure(
    isPage(start) ? "the service answered with an HTML page instead of JSON" : "the response is not JSON",
    {
      kind: "refused",
      said: readMessage(start, show),
      cause,
      hint: `check that the base address (${FETCH_FLAGS.baseUrl}) is that of a v4 service`,
    },
  );
}

type RefusalText = Awaited<ReturnType<typeof readRefusal>>;

/**
 * The body of an error response, as text and as JSON; both are empty if it cannot be read, since the status is enough.
 */
async function readRefusal(response: Response, { mask, maxBody }: ReadOptions) {
  try {
    const text = mask((await unpack(response, Math.min(maxBody, MAX_REFUSAL))).bytes).toString("utf8");
    return { text, body: attempt(() => parseJson(text)) ?? null };
  } catch {
    return { text: "", body: null };
  }
}

/** A service ends an open window at its newest interval, and rejects a window that starts after that as reversed. */
const STARTS_LATER = /^date start must be before date end\.?$/i;

function saysNoData({ status }: Response, { body }: RefusalText, isOpen: boolean): boolean {
  // Shortened, since the pattern below takes quadratic time.
  const said = shortenText(findServiceMessage(body) ?? "");
  if (status === 400) return isOpen && STARTS_LATER.test(said.trim());
  return (status === 404 || status === 416) && /\bno\b[\w ]*\bdata\b/i.test(said);
}

function toError(
  { status, retryAfter, receivedAt, serviceTime }: Response,
  { text, body }: RefusalText,
  options: ReadOptions,
): Failure | EntsError {
  const { show, token } = options;
  const message = findServiceMessage(body);
  const said = message === undefined ? readMessage(text, show) : show(message);
  const retryable = isRetryableStatus(status);
  const retryAfterMs = parseRetryAfter(retryAfter, serviceTime ?? receivedAt);
  if (status >= 500 || retryable) {
    const meaning = MEANINGS[status] ?? "";
    const failed = status === 429 ? "rate limited (HTTP 429)" : `the service is unavailable (HTTP ${status}${meaning})`;
    return new Failure(failed, {
      said: [said, ...(status === 429 ? describeLimit(body, show) : [])].filter(Boolean).join("; ") || undefined,
      refusal: { status, said: said ?? "no reason given" },
      attempts: retryable ? undefined : 1,
      retryAfterMs,
      problem: isHeavyQuery(status, said) ? "heavy query" : undefined,
    });
  }
  const refusal = { status, said: said ?? (isPage(text) ? "an HTML page" : "no reason given") };
  // A v4 service refuses in JSON.
  if ((status === 401 && isPage(text)) || (status === 403 && message === undefined && text.trim() !== ""))
    return blockedBy(refusal);
  if (status === 401 || status === 403) return toDenial(refusal, retryAfterMs, token);
  const hint = status === 404 ? `check the base address (${FETCH_FLAGS.baseUrl}) and the network code` : undefined;
  return new EntsError("refused", `the service refused the request (HTTP ${status}): ${refusal.said}`, {
    hint,
    refusal,
  });
}

/** Statuses of a CDN that no retry changes. */
const MEANINGS: Readonly<Record<number, string>> = {
  525: ": its CDN could not set up TLS with its server",
  526: ": its CDN does not trust the certificate of its server",
  530: ": its CDN cannot find its server",
};

/** Which limit was reached, how many requests it has, and where to get higher ones, as the public service plans to say. */
function describeLimit(body: Json, show: ShowText): string[] {
  const { reason, limits, upgrade_url: address } = isObject(body) ? body : {};
  const limit = typeof reason === "string" && isObject(limits) ? limits[reason] : undefined;
  const amount = isLosslessNumber(limit) ? ` (${show(limit.value)} requests)` : "";
  return [
    ...(typeof reason === "string" ? [`reason: ${show(reason)}${amount}`] : []),
    ...(typeof address === "string" ? [`for higher limits, see ${show(address)}`] : []),
  ];
}

/** The response of a firewall, a proxy, or a network that wants a login. */
function blockedBy(refusal: HttpRefusal): EntsError {
  return new EntsError("unavailable", `the request was blocked on its way (HTTP ${refusal.status}): ${refusal.said}`, {
    hint: `the service itself answers in JSON; a firewall or proxy may refuse this machine: try again later or from another network, or check the base address (${FETCH_FLAGS.baseUrl})`,
    refusal,
  });
}

function toDenial(
  refusal: HttpRefusal,
  retryAfterMs: number | undefined,
  token: ReadOptions["token"],
): Failure | EntsError {
  const { status, said } = refusal;
  if (token && token.value === undefined) {
    // Not retried: without a token, the cause is not a spent quota.
    const { message, hint } = token;
    return new EntsError("authentication", `${message}, and the request was refused (HTTP ${status}): ${said}`, {
      hint,
      refusal,
    });
  }
  const name = ["the token", token?.source].filter(Boolean).join(" ");
  if (status === 403) {
    const hint = token && `to use another token, ${token.replace}`;
    return new EntsError("authentication", `${name} does not allow this (HTTP 403): ${said}`, { hint, refusal });
  }
  // The client decides whether to retry.
  const final = `${name} was refused (HTTP 401)`;
  return new Failure("the token was refused (HTTP 401)", {
    said,
    retryAfterMs,
    final,
    kind: "authentication",
    problem: "token",
    refusal,
  });
}

/** The text of a body that is not JSON, cut at 200 characters; undefined for an HTML page. */
function readMessage(text: string, show: ShowText): string | undefined {
  if (text.trim() === "" || isPage(text)) return undefined;
  const line = show(text.trim().replace(/\s+/g, " "));
  return line.length > 200 ? `${line.slice(0, 200)}...` : line;
}

function isPage(text: string): boolean {
  return /^\s*</.test(text);
}

/** A signal is handled after this time and one step at most. */
const PAUSE_AFTER_MS = 20;

/** Pauses to let signals, timers and other requests run. Rejects with the signal's reason once it has aborted. */
export function createPause(signal?: AbortSignal): Pause {
  let last = Date.now();
  return () => (Math.abs(Date.now() - last) < PAUSE_AFTER_MS ? undefined : pause());

  async function pause(): Promise<void> {
    await setImmediate();
    signal?.throwIfAborted();
    last = Date.now();
  }
}
