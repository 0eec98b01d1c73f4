import type { Context } from "../base/context.ts";
import type { Json } from "../base/json.ts";
import { createBodyMask, createShowText, shortenText, type MaskBody, type ShowText } from "../base/shown-text.ts";
import type { PlannedRequest } from "../plan/plan.ts";
import type { MissingToken, Token } from "../settings/token.ts";
import { resolveUrl } from "./address.ts";
import { type Connections, openConnections } from "./connections.ts";
import { type Failure, toFailure } from "./failure.ts";
import { EntsError } from "../base/errors.ts";
import { getResponse } from "./http.ts";
import { adviseSmallerWindow, createTokenWatch, type TokenWatch } from "./token-watch.ts";
import { readJson, type ReadOptions, readResponse } from "./read-response.ts";
import { isSuccess, type Response } from "./response.ts";
import { retryDelay, type RetryPolicy } from "./retry.ts";
import type { Reading, Received, Source } from "./source.ts";

export interface ClientOptions {
  /** Base address, without `/v4`. */
  readonly baseUrl: URL;
  readonly token: Token | MissingToken;
  readonly retry: RetryPolicy;
  /** Timeout to connect, for the first byte and between bytes, in milliseconds. */
  readonly timeoutMs: number;
  /** Maximum bytes of a body, also unpacked. */
  readonly maxBody: number;
  readonly onEvent?: (event: ClientEvent) => void;
  /** Maximum requests per second, retries included; undefined: no limit. */
  readonly rate?: number | undefined;
}

export type ClientEvent =
  | { readonly type: "request"; readonly url: string; readonly attempt: number }
  | { readonly type: "answer"; readonly status: number; readonly bytes: number; readonly ms: number }
  | RetryEvent;

export interface RetryEvent {
  readonly type: "retry";
  readonly reason: string;
  readonly waitMs: number;
  /** Whether the service asked for the wait (`Retry-After`). */
  readonly asked: boolean;
  /** The number of the next attempt, and of all that are allowed. */
  readonly attempt: number;
  readonly attempts: number;
}

export type ClientContext = Pick<
  Context,
  "now" | "monotonic" | "sleep" | "random" | "signal" | "env" | "version" | "secrets" | "dispatcher"
>;

export interface Client extends Source {
  send(request: PlannedRequest, signal?: AbortSignal): Promise<Received>;
  /** The JSON at any other path. @throws {EntsError} as `send`. */
  getJson(path: string): Promise<Json>;
  /** Ends all connections. `leavesIdle`: only where one is being made; idle ones do not keep the process alive. */
  close(leavesIdle?: boolean): Promise<void>;
}

export function createClient(options: ClientOptions, context: ClientContext): Client {
  const connections = openConnections(options.baseUrl, context, options.timeoutMs);
  const limiter = createRateLimiter(options.rate, context);
  const token = options.token.value === undefined ? undefined : options.token;
  if (token) context.secrets.add(token.value);
  const watch = token && createTokenWatch(token, context.monotonic);
  const show = token ? createShowText(token.value) : shortenText;
  const mask = createBodyMask(token ? [token.value] : []);
  const shared = { options, context, connections, limiter, watch, show, mask };
  return {
    send: async ({ path }, signal = context.signal) => {
      const request = { ...shared, signal, url: resolveUrl(options.baseUrl, path) };
      let attempts = 0;
      const response = await retry(request, (attempt) => {
        attempts = attempt;
        return receiveAccepted(request, attempt);
      });
      return { response, kept: false, read: () => readWithRetry(request, { response, attempts }) };
    },
    getJson: async (path) => {
      const request = { ...shared, signal: context.signal, url: resolveUrl(options.baseUrl, path) };
      return retry(request, async (attempt) => readJson(await receive(request, attempt), limitsOf(request)));
    },
    close: (leavesIdle) => connections.close(leavesIdle),
  };
}

/** What all requests of a client share. */
interface Shared {
  readonly options: ClientOptions;
  readonly context: ClientContext;
  readonly connections: Connections;
  readonly limiter: RateLimiter;
  /** Watches a token that is sent. */
  readonly watch: TokenWatch | undefined;
  readonly show: ShowText;
  readonly mask: MaskBody;
}

interface Request extends Shared {
  readonly url: URL;
  readonly signal: AbortSignal;
}

async function retry<T>(request: Request, attempt: (number: number) => Promise<T>, first = 1): Promise<T> {
  const { options, context, connections, limiter, watch, signal } = request;
  for (let failures = first; ; failures++) {
    try {
      return await attempt(failures);
    } catch (thrown) {
      signal.throwIfAborted();
      if (thrown instanceof EntsError) throw thrown;
      const failure = toFailure(thrown, connections, options.timeoutMs);
      const { retryable, retryAfterMs, problem } = failure;
      if (problem === "token") await watch?.waitForOthers();
      const policy = watch && problem === "token" ? watch.limitRetries(options.retry, failures) : options.retry;
      const waitMs = retryable ? retryDelay({ failures, retryAfterMs, random: context.random() }, policy) : undefined;
      if (waitMs === undefined) throw failure.toError(failures, advise(failure, request));
      const asked = retryAfterMs !== undefined;
      options.onEvent?.({ type: "retry", reason: failure.message, waitMs, asked, attempt: failures + 1, attempts: policy.retries + 1 });
      // Retry-After holds for all requests, and they all have the token.
      if (asked || problem === "token") limiter.hold(waitMs);
      else await context.sleep(waitMs, signal);
    }
  }
}

/** What to do where the failure itself cannot know. */
function advise({ problem }: Failure, { watch, url, context }: Request): string | undefined {
  if (problem === "token") return watch?.advise();
  return problem === "heavy query" ? adviseSmallerWindow(url, context.now()) : undefined;
}

/** A response that came, and the number of its attempt. */
interface First {
  readonly response: Response;
  readonly attempts: number;
}

async function readWithRetry(request: Request, first: First): Promise<Reading> {
  const read = async (attempt: number) => {
    const response = attempt === first.attempts ? first.response : await receiveAccepted(request, attempt);
    return { answer: await readResponse(response, limitsOf(request)), response };
  };
  return retry(request, read, first.attempts);
}

/** Throws a refusal at once; data stays compressed until it is read. */
async function receiveAccepted(request: Request, attempt: number): Promise<Response> {
  const response = await receive(request, attempt);
  if (!isSuccess(response)) await readResponse(response, limitsOf(request));
  request.watch?.accept();
  return response;
}

function limitsOf({ show, mask, url, signal, options: { maxBody, token } }: Request): ReadOptions {
  return { show, mask, maxBody, token, signal, isOpen: !url.searchParams.has("date_end") };
}

async function receive({ options, context, connections, limiter, watch, signal, url, show }: Request, attempt: number): Promise<Response> {
  await limiter.take(signal);
  const started = context.monotonic();
  options.onEvent?.({ type: "request", url: url.href, attempt });
  watch?.start();
  const authorization = options.token.value !== undefined && { authorization: `Bearer ${options.token.value}` };
  const response = await getResponse(url, {
    dispatcher: connections.dispatcher,
    headers: { ...authorization, "user-agent": `ents/${context.version}` },
    timeoutMs: options.timeoutMs,
    maxBody: options.maxBody,
    signal,
    now: context.now,
    monotonic: context.monotonic,
    show,
    take: () => limiter.take(signal),
  }).finally(() => watch?.end());
  const { status, bytes } = response;
  options.onEvent?.({ type: "answer", status, bytes: bytes.length, ms: Math.round(context.monotonic() - started) });
  if (status === 401) watch?.refuse(started);
  // A refusal of the query: the token was accepted.
  if (status === 400) watch?.accept();
  return response;
}

interface RateLimiter {
  /** Resolves when the next request may be sent. Rejects when the signal aborts. */
  take(signal: AbortSignal): Promise<void>;
  /** Delays all requests for `ms` milliseconds. */
  hold(ms: number): void;
}

/** At most `rate` requests per second, evenly spaced; undefined: no limit. */
export function createRateLimiter(rate: number | undefined, { monotonic, sleep }: Pick<Context, "monotonic" | "sleep">): RateLimiter {
  const gap = rate === undefined ? 0 : 1000 / rate;
  let heldUntil = 0;
  let next = 0;
  return {
    take: async (signal) => {
      for (;;) {
        signal.throwIfAborted();
        const time = monotonic();
        const slot = Math.max(time, next, heldUntil);
        next = slot + gap;
        if (slot > time) await sleep(slot - time, signal);
        // A hold may have started during the sleep.
        if (heldUntil <= monotonic()) return;
      }
    },
    hold: (ms) => {
      heldUntil = Math.max(heldUntil, monotonic() + ms);
    },
  };
}
