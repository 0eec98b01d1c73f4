import type { Dispatcher } from "undici";
import type { Context } from "../base/context.ts";
import type { PlannedRequest } from "../plan/plan.ts";
import { type RetryPolicy, retryDelay } from "./retry.ts";
import { type Envelope, readBody } from "../decode/envelope.ts";
import { type Json, toJsonText } from "../base/json.ts";
import { isSuccess, readData, readJsonAnswer, readNoData, type Unpacked } from "./answers.ts";
import { type Body, packText, unpackBody } from "./body.ts";
import { openDispatcher } from "./dispatcher.ts";
import { toFailure } from "./failure.ts";
import { getAnswer, type HttpAnswer } from "./http.ts";
import { createRateLimiter, type RateLimiter } from "./rate-limiter.ts";

export interface ClientOptions {
  /** Base address, without `/v4`. */
  readonly baseUrl: URL;
  readonly token: string;
  readonly retry: RetryPolicy;
  /** Longest wait to connect, for the first byte, and between bytes, in milliseconds. */
  readonly timeoutMs: number;
  readonly onEvent?: (event: ClientEvent) => void;
  /** Most requests a second, tries again included; undefined for no bound. */
  readonly rate?: number | undefined;
}

/** What happens on the way, for those who watch. */
export type ClientEvent =
  | { readonly type: "request"; readonly url: string; readonly attempt: number }
  | { readonly type: "answer"; readonly status: number; readonly bytes: number; readonly ms: number }
  | { readonly type: "retry"; readonly waitMs: number; readonly reason: string; readonly asked: boolean };

/** What the client takes of the context. */
export type ClientContext = Pick<Context, "now" | "sleep" | "random" | "signal" | "env" | "version" | "dispatcher">;

/** A v4 service, as far as ents uses it. */
export interface Client {
  /** Sends one planned request. @throws {EntsError} after the retries: authentication, refused, unavailable. */
  send(request: PlannedRequest, signal?: AbortSignal): Promise<Answer>;
  /** The JSON at any other path. @throws {EntsError} as above. */
  getJson(path: string): Promise<Json>;
  close(): Promise<void>;
}

/** An answer that has arrived and is not read yet: packed, it is small. */
export interface Answer {
  /** Reads it; one that turns out broken is asked for again. @throws {EntsError} as `send`. */
  read(): Promise<ReadAnswer>;
}

export interface ReadAnswer {
  readonly envelope: Envelope;
  /** What the envelope can be read from again. */
  readonly body: Body;
}

export function createClient(options: ClientOptions, context: ClientContext): Client {
  const dispatcher = context.dispatcher ?? openDispatcher(options.baseUrl, context.env, options.timeoutMs);
  const pace = createRateLimiter(options.rate, context);
  const setting = { options, context, dispatcher, pace };
  return {
    send: async ({ path }, signal = context.signal) => {
      const request = { ...setting, signal, url: resolveUrl(options.baseUrl, path) };
      const first = await retry(request, (attempt) => receiveData(request, attempt));
      return { read: () => readOrAskAgain(request, first) };
    },
    getJson: async (path) => {
      const request = { ...setting, signal: context.signal, url: resolveUrl(options.baseUrl, path) };
      return retry(request, async (attempt) => readJsonAnswer(await unpack(await receive(request, attempt)), context.now()));
    },
    close: () => (dispatcher === context.dispatcher ? Promise.resolve() : dispatcher.destroy()),
  };
}

/** An envelope from a body that was kept. @throws {Error} the body is damaged. */
export async function readKept(body: Body): Promise<Envelope> {
  return readBody(await unpackBody(body));
}

/** The address of a path of the service. */
export function resolveUrl(baseUrl: URL, path: string): URL {
  return new URL(baseUrl.href.replace(/\/$/, "") + path);
}

interface Setting {
  readonly options: ClientOptions;
  readonly context: ClientContext;
  readonly dispatcher: Dispatcher;
  readonly pace: RateLimiter;
}

interface Request extends Setting {
  readonly url: URL;
  readonly signal: AbortSignal;
}

async function retry<T>({ options, context, pace, signal }: Request, attempt: (number: number) => Promise<T>): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      return await attempt(failures);
    } catch (thrown) {
      signal.throwIfAborted();
      const { error, retryable, retryAfterMs } = toFailure(thrown, options.baseUrl.origin, options.timeoutMs);
      const moment = { failures, retryAfterMs, random: context.random() };
      const waitMs = retryable ? retryDelay(moment, options.retry) : undefined;
      if (waitMs === undefined) throw error;
      options.onEvent?.({ type: "retry", waitMs, reason: error.message, asked: retryAfterMs !== undefined });
      // What one request is told to wait holds for all.
      if (retryAfterMs !== undefined) pace.hold(waitMs);
      else await context.sleep(waitMs, signal);
    }
  }
}

async function readOrAskAgain(request: Request, first: Body): Promise<ReadAnswer> {
  return retry(request, async (attempt) => {
    const body = attempt === 1 ? first : await receiveData(request, attempt);
    return { envelope: readData(await unpackBody(body)), body };
  });
}

/** A refusal is heeded at once; data stays packed until somebody reads it. */
async function receiveData(request: Request, attempt: number): Promise<Body> {
  const answer = await receive(request, attempt);
  if (isSuccess(answer)) return answer.body;
  return packText(toJsonText(readNoData(await unpack(answer), request.context.now()).fields));
}

async function receive({ options, context, dispatcher, pace, signal, url }: Request, attempt: number): Promise<HttpAnswer> {
  await pace.take(signal);
  const started = context.now();
  options.onEvent?.({ type: "request", url: url.href, attempt });
  const answer = await getAnswer(url, {
    dispatcher,
    headers: { authorization: `Bearer ${options.token}`, "user-agent": `ents/${context.version}` },
    timeoutMs: options.timeoutMs,
    signal,
  });
  options.onEvent?.({ type: "answer", status: answer.status, bytes: answer.body.bytes.length, ms: context.now() - started });
  return answer;
}

async function unpack({ status, retryAfter, body }: HttpAnswer): Promise<Unpacked> {
  return { status, retryAfter, bytes: await unpackBody(body) };
}
