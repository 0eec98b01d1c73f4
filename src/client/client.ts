import type { Dispatcher } from "undici";
import type { Context } from "../context.ts";
import type { PlannedRequest } from "../plan/plan.ts";
import { type RetryPolicy, retryDelay } from "../retry.ts";
import type { Json } from "../series/json.ts";
import { type Answer, readDataAnswer, readJsonAnswer } from "./answers.ts";
import { openDispatcher } from "./dispatcher.ts";
import { toFailure } from "./failure.ts";
import { getText, type HttpAnswer } from "./http.ts";
import { createPace, type Pace } from "./pace.ts";

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
  | { readonly type: "answer"; readonly status: number; readonly characters: number; readonly ms: number }
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

export function createClient(options: ClientOptions, context: ClientContext): Client {
  const dispatcher = context.dispatcher ?? openDispatcher(context.env, options.timeoutMs);
  const pace = createPace(options.rate, context);
  const setting = { options, context, dispatcher, pace };
  const get = <T>(path: string, read: AnswerReader<T>, signal: AbortSignal = context.signal) =>
    retry({ ...setting, signal }, (attempt) => tryOnce(resolveUrl(options.baseUrl, path), attempt, { ...setting, signal, read }));
  return {
    send: ({ path }, signal) => get(path, readDataAnswer, signal),
    getJson: (path) => get(path, readJsonAnswer),
    close: () => (dispatcher === context.dispatcher ? Promise.resolve() : dispatcher.destroy()),
  };
}

/** The address of a path of the service. */
export function resolveUrl(baseUrl: URL, path: string): URL {
  return new URL(baseUrl.href.replace(/\/$/, "") + path);
}

type AnswerReader<T> = (answer: HttpAnswer, now: number) => T;

interface Setting {
  readonly options: ClientOptions;
  readonly context: ClientContext;
  readonly dispatcher: Dispatcher;
  readonly pace: Pace;
  readonly signal: AbortSignal;
}

async function retry<T>({ options, context, pace, signal }: Setting, attempt: (number: number) => Promise<T>): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      return await attempt(failures);
    } catch (thrown) {
      signal.throwIfAborted();
      const { error, passing, retryAfterMs } = toFailure(thrown, options.baseUrl.origin, options.timeoutMs);
      const moment = { failures, retryAfterMs, random: context.random() };
      const waitMs = passing ? retryDelay(moment, options.retry) : undefined;
      if (waitMs === undefined) throw error;
      options.onEvent?.({ type: "retry", waitMs, reason: error.message, asked: retryAfterMs !== undefined });
      // What one request is told to wait holds for all.
      if (retryAfterMs !== undefined) pace.hold(waitMs);
      else await context.sleep(waitMs, signal);
    }
  }
}

async function tryOnce<T>(
  url: URL,
  attempt: number,
  { options, context, read, ...setting }: Setting & { read: AnswerReader<T> },
): Promise<T> {
  await setting.pace.take(setting.signal);
  const started = context.now();
  options.onEvent?.({ type: "request", url: url.href, attempt });
  const answer = await getText(url, {
    dispatcher: setting.dispatcher,
    headers: { authorization: `Bearer ${options.token}`, "user-agent": `ents/${context.version}` },
    timeoutMs: options.timeoutMs,
    signal: setting.signal,
  });
  options.onEvent?.({ type: "answer", status: answer.status, characters: answer.text.length, ms: context.now() - started });
  return read(answer, context.now());
}
