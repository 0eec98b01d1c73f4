import type { Context } from "../base/context.ts";
import { EntsError } from "../base/errors.ts";
import type { Json } from "../base/json.ts";
import { createBodyMask, createShowText, shortenText } from "../base/shown-text.ts";
import { findRemarks } from "../decode/envelope.ts";
import type { PlannedRequest } from "../plan/plan.ts";
import { resolveUrl } from "../plan/request-path.ts";
import type { MissingToken, Token } from "../settings/token.ts";
import { type Connections, openConnections } from "./connections.ts";
import { Failure, toFailure } from "./failure.ts";
import { getResponse } from "./http.ts";
import { readJson, type ReadOptions, readResponse } from "./read-response.ts";
import { freeResponse, isSuccess, type Response } from "./response.ts";
import { retryDelay, type RetryEvent, type RetryPolicy } from "./retry.ts";
import type { Received, Source } from "./source.ts";
import { adviseSmallerWindow, createTokenWatch, type TokenWatch } from "./token-watch.ts";

export interface ClientOptions {
  /** Base address, without `/v4`. */
  readonly baseUrl: URL;
  readonly token: Token | MissingToken;
  readonly retry: RetryPolicy;
  /** Timeout to connect, for the first byte and between bytes, in milliseconds. */
  readonly timeoutMs: number;
  /** Maximum size of a body, in bytes, compressed or decompressed. */
  readonly maxBody: number;
  readonly onEvent?: (event: ClientEvent) => void;
  /** Maximum requests per second, including retries; undefined for no limit. */
  readonly rate?: number | undefined;
}

export type ClientEvent =
  | { readonly type: "request"; readonly url: string; readonly attempt: number }
  | ({ readonly type: "response"; readonly status: number; readonly bytes: number; readonly ms: number } & Pick<
      Response,
      "serviceTime" | "left"
    >)
  /** What the service says beside its data. */
  | { readonly type: "remark"; readonly text: string }
  | RetryEvent;

export interface Client extends Source {
  send(request: PlannedRequest, signal?: AbortSignal): Promise<Received>;
  /** Fetches JSON from any other path. @throws {EntsError} as `send`. */
  getJson(path: string): Promise<Json>;
  /** Ends all connections. `leavesIdle`: as for `Connections.close`. */
  close(leavesIdle?: boolean): Promise<void>;
}

export function createClient(options: ClientOptions, context: Context): Client {
  const { baseUrl, maxBody, token } = options;
  const connections = openConnections(baseUrl, context, options.timeoutMs);
  const sent = token.value === undefined ? undefined : token;
  if (sent) context.secrets.add(sent.value);
  const { limiter, watch, health } = shareValue(context, [baseUrl.href, sent?.value, options.rate].join(" "), () => ({
    limiter: createRateLimiter(options.rate, context),
    watch: sent && createTokenWatch(sent, context.monotonic),
    health: { isDown: false },
  }));
  const show = sent ? createShowText(sent.value) : shortenText;
  const mask = createBodyMask(sent ? [sent.value] : []);
  const createRequest = (path: string, signal: AbortSignal): Request => {
    const url = resolveUrl(baseUrl, path);
    const reading = { show, mask, maxBody, token, signal, isOpen: !url.searchParams.has("date_end") };
    return { options, context, connections, limiter, watch, standing: health, url, signal, reading };
  };
  return {
    send: async ({ path }, signal = context.signal) => {
      const request = createRequest(path, signal);
      const first = await retry(request, async (attempt) => ({
        attempt,
        response: await receiveAccepted(request, attempt),
      }));
      const read = async (attempt: number) => {
        const response = attempt === first.attempt ? first.response : await receiveAccepted(request, attempt);
        const decoded = await readResponse(response, request.reading);
        for (const text of findRemarks(decoded.envelope)) options.onEvent?.({ type: "remark", text: show(text) });
        return { decoded, response };
      };
      const release = () => freeResponse(first.response);
      return { response: first.response, storedIn: false, read: () => retry(request, read, first.attempt), release };
    },
    getJson: async (path) => {
      const request = createRequest(path, context.signal);
      return retry(request, async (attempt) => readJson(await receive(request, attempt), request.reading));
    },
    close: (leavesIdle) => connections.close(leavesIdle),
  };
}

/** A value that all clients of a command share, if it has several. */
function shareValue<T>({ shared }: Pick<Context, "shared">, key: string, create: () => T): T {
  const known = shared?.get(key) as T | undefined;
  const value = known ?? create();
  shared?.set(key, value);
  return value;
}

/** One request, which may take several attempts, with the values that all requests of a client share. */
interface Request {
  readonly options: ClientOptions;
  readonly context: Context;
  readonly connections: Connections;
  readonly limiter: RateLimiter;
  readonly watch: TokenWatch | undefined;
  /**
   * True once an export has ended as the service was down: until it answers again, the next ones do not wait for it.
   */
  readonly standing: { isDown: boolean };
  readonly url: URL;
  readonly signal: AbortSignal;
  readonly reading: ReadOptions;
}

async function retry<T>(request: Request, attempt: (number: number) => Promise<T>, first = 1): Promise<T> {
  const { options, context, connections, limiter, watch, standing, signal } = request;
  for (let failures = first; ; failures++) {
    try {
      const result = await attempt(failures);
      standing.isDown = false;
      return result;
    } catch (thrown) {
      signal.throwIfAborted();
      if (thrown instanceof EntsError) throw thrown;
      const failure = toFailure(thrown, connections, options);
      if (!(failure instanceof Failure)) throw failure;
      const { attempts = Number.POSITIVE_INFINITY, retryAfterMs, problem } = failure.options;
      if (problem === "token") await watch?.waitForOthers();
      const own = standing.isDown ? { ...options.retry, retries: 0 } : options.retry;
      const policy = watch && problem === "token" ? watch.limitRetries(own, failures) : own;
      const waitMs =
        failures < attempts ? retryDelay({ failures, retryAfterMs, random: context.random() }, policy) : undefined;
      if (waitMs === undefined) {
        const { kind = "unavailable" } = failure.options;
        standing.isDown ||= context.shared !== undefined && kind === "unavailable";
        const isTooLong = failures < attempts && (retryAfterMs ?? 0) > policy.maxRetryAfterMs;
        throw failure.toError(
          failures,
          advise(failure, request),
          isTooLong ? context.now() + (retryAfterMs ?? 0) : undefined,
        );
      }
      const isRequested = retryAfterMs !== undefined;
      options.onEvent?.({
        type: "retry",
        reason: failure.message,
        waitMs,
        isRequested,
        attempt: failures + 1,
        attempts: policy.retries + 1,
      });
      // Delays all requests: Retry-After applies to all, and all use the same token.
      if (isRequested || problem === "token") limiter.hold(waitMs);
      else await context.sleep(waitMs, signal);
    }
  }
}

/** Advice that depends on more than the failure itself. */
function advise({ options: { problem } }: Failure, { watch, url, context }: Request): string | undefined {
  if (problem === "token") return watch?.advise();
  return problem === "heavy query" ? adviseSmallerWindow(url, context.now()) : undefined;
}

/** Throws for an error response; data stays compressed until it is read. */
async function receiveAccepted(request: Request, attempt: number): Promise<Response> {
  const response = await receive(request, attempt);
  if (!isSuccess(response)) await readResponse(response, request.reading);
  request.watch?.accept();
  return response;
}

async function receive(
  { options, context, connections, limiter, watch, signal, url, reading }: Request,
  attempt: number,
): Promise<Response> {
  const take = () => limiter.take(signal, context.sleep);
  await take();
  const { now, monotonic, version } = context;
  const { token, timeoutMs, maxBody, onEvent } = options;
  const started = monotonic();
  onEvent?.({ type: "request", url: url.href, attempt });
  watch?.start();
  const authorization = token.value !== undefined && { authorization: `Bearer ${token.value}` };
  const response = await getResponse(url, {
    dispatcher: connections.dispatcher,
    headers: { ...authorization, "user-agent": `ents/${version}` },
    timeoutMs,
    maxBody,
    signal,
    now,
    monotonic,
    show: reading.show,
    take,
  })
    .catch((error: unknown) => {
      throw error instanceof EntsError || signal.aborted
        ? error
        : toFailure(error, connections, { timeoutMs, ms: monotonic() - started });
    })
    .finally(() => watch?.end());
  const { status, bytes, serviceTime, left } = response;
  onEvent?.({
    type: "response",
    status,
    bytes: bytes.length,
    ms: Math.round(monotonic() - started),
    serviceTime,
    left,
  });
  if (status === 401) watch?.refuse(started);
  // A 400 rejects the query, so the token was accepted.
  if (status === 400) watch?.accept();
  return response;
}

type RateLimiter = ReturnType<typeof createRateLimiter>;

/** Allows at most `rate` requests per second, evenly spaced; undefined for no limit. */
export function createRateLimiter(rate: number | undefined, { monotonic }: Pick<Context, "monotonic">) {
  const gap = rate === undefined ? 0 : 1000 / rate;
  let heldUntil = 0;
  let next = 0;
  return {
    /** Resolves when the next request may be sent. Rejects when the signal aborts, or as `sleep` does. */
    take: async (signal: AbortSignal, sleep: Context["sleep"]): Promise<void> => {
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
    hold: (ms: number): void => {
      heldUntil = Math.max(heldUntil, monotonic() + ms);
    },
  };
}
