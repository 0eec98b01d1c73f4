/** Sends one request and receives its response, with a timeout for each phase and a size limit for the body. */
import type { Dispatcher } from "undici";
import { isOnlyBlank, MANY_BLANKS } from "../base/json-bytes.ts";

export interface ExchangeOptions {
  readonly dispatcher: Dispatcher;
  readonly headers: Readonly<Record<string, string>>;
  /** Timeout to connect, for the first byte and between bytes, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Milliseconds since an arbitrary start. */
  readonly monotonic: () => number;
  /** Maximum size of the body, in bytes; 0 to discard it without waiting. */
  readonly limitBody: (head: ResponseHead) => number;
}

export interface ResponseHead {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
}

/** The body begins with a megabyte of white space. */
export class Blank extends Error {
  override readonly name = "Blank";
}

export interface RawResponse extends ResponseHead {
  /** The body, as far as it came. */
  readonly bytes: Buffer;
  /** Why the body is incomplete; undefined if it is complete or was not wanted. */
  readonly cut: Error | undefined;
}

/**
 * No connection, no response, or hardly any data within the timeout. The message ends before the address: `no response
 * from`.
 */
export class TimedOut extends Error {
  override readonly name = "TimedOut";
}

export class TooLarge extends Error {
  override readonly name = "TooLarge";
}

/**
 * After this many times the timeout, only 1xx responses, or fewer bytes of the body than the minimum, count as silence.
 */
const ENDLESS = 2;
const MIN_PROGRESS_BYTES = 1024;
/** Memory for a body of unknown length, in bytes; more if needed. */
const FIRST_BYTES = 64 * 1024;
/** Memory for a body whose length is stated, at most, as that may be false. */
const MAX_STATED_BYTES = 16 * 1024 * 1024;

/**
 * Sends a GET. Resolves if a status was received, even if the body then fails.
 * @throws {TimedOut} no connection, or no response other than 1xx; {Error} a network error, or the signal's reason.
 */
export function exchange(url: URL, options: ExchangeOptions): Promise<RawResponse> {
  return new Promise((resolve, reject) => new Exchange(options, resolve, reject).start(url));
}

/** May finish twice, for example if an abort follows a response; only the first time counts. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #options: ExchangeOptions;
  readonly #resolve: (response: RawResponse) => void;
  readonly #reject: (reason: Error) => void;
  readonly #onAbort = () => this.#stop(this.#options.signal.reason as Error);
  #controller: Dispatcher.DispatchController | undefined;
  #timer: NodeJS.Timeout | undefined;
  #head: ResponseHead | undefined;
  #limit = 0;
  /**
   * The body so far is its first `#received` bytes. Chunks are copied: they would keep the buffers of all socket reads
   * in memory.
   */
  #bytes = Buffer.alloc(0);
  #received = 0;
  /** True as long as there is nothing but white space. */
  #isBlank = true;
  /** Bytes received since `since`, in monotonic milliseconds. */
  #progress = { bytes: 0, since: 0 };
  #stopped: Error | undefined;

  constructor(options: ExchangeOptions, resolve: (response: RawResponse) => void, reject: (reason: Error) => void) {
    this.#options = options;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  start({ origin, pathname, search }: URL): void {
    const { signal, headers, dispatcher, timeoutMs } = this.#options;
    if (signal.aborted) return this.#onAbort();
    signal.addEventListener("abort", this.#onAbort, { once: true });
    this.#startTimer("no connection to", timeoutMs);
    const path = pathname + search;
    dispatcher.dispatch(
      { origin, path, method: "GET", headers, headersTimeout: timeoutMs, bodyTimeout: timeoutMs },
      this,
    );
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#stopped) controller.abort(this.#stopped);
    // undici restarts its own timeout at every 1xx response.
    else this.#startTimer("no response from", ENDLESS * this.#options.timeoutMs);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, unknown>>,
  ): void {
    if (status < 200 || this.#stopped) return;
    this.#head = { status, header: (name) => readHeader(headers[name]) };
    this.#limit = this.#options.limitBody(this.#head);
    clearTimeout(this.#timer);
    this.#progress.since = this.#options.monotonic();
    // Limits the wait for the body of an error response: its status is enough.
    if (status >= 300) this.#startTimer("hardly any data from", ENDLESS * this.#options.timeoutMs);
    if (this.#limit > 0) return;
    this.#finish(undefined);
    // In a microtask: if the body arrived with the head, the response has ended by then, and the connection can be
    // reused.
    queueMicrotask(() => this.#stop(new TooLarge("the body is not needed")));
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#stopped || this.#limit === 0) return;
    this.#isBlank &&= isOnlyBlank(chunk);
    const received = this.#received + chunk.length;
    if (this.#isBlank && received >= MANY_BLANKS) return this.#stop(new Blank("a megabyte of white space"));
    if (received > this.#limit) return this.#stop(new TooLarge(`more than ${this.#limit} bytes`));
    if (received > this.#bytes.length) this.#grow(received);
    chunk.copy(this.#bytes, this.#received);
    this.#received = received;
    this.#checkProgress(chunk.length);
  }

  #grow(size: number): void {
    const stated = this.#received === 0 ? Number(this.#head?.header("content-length")) || FIRST_BYTES : 0;
    const grown = Buffer.allocUnsafeSlow(Math.max(size, 2 * this.#received, Math.min(stated, MAX_STATED_BYTES)));
    this.#bytes.copy(grown, 0, 0, this.#received);
    this.#bytes = grown;
  }

  #checkProgress(length: number): void {
    const { bytes, since } = this.#progress;
    const now = this.#options.monotonic();
    if (bytes + length >= MIN_PROGRESS_BYTES) this.#progress = { bytes: 0, since: now };
    else if (now - since > ENDLESS * this.#options.timeoutMs) this.#stop(new TimedOut("hardly any data from"));
    else this.#progress = { bytes: bytes + length, since };
  }

  onResponseEnd(): void {
    this.#stopped ??= new Error("ended");
    this.#finish(undefined);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#stopped ??= error;
    this.#finish(error);
  }

  #startTimer(silence: string, ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#stop(new TimedOut(silence)), ms);
  }

  #stop(reason: Error): void {
    if (this.#stopped) return;
    this.#stopped = reason;
    this.#finish(reason);
    this.#controller?.abort(reason);
  }

  #finish(error: Error | undefined): void {
    clearTimeout(this.#timer);
    const { signal } = this.#options;
    signal.removeEventListener("abort", this.#onAbort);
    if (this.#head && !signal.aborted) this.#resolve({ ...this.#head, bytes: this.#takeBody(), cut: error });
    else this.#reject(error ?? new Error("no answer"));
  }

  /** Without the memory that was not filled. */
  #takeBody(): Buffer {
    return this.#received === this.#bytes.length ? this.#bytes : Buffer.from(this.#bytes.subarray(0, this.#received));
  }
}

function readHeader(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === "string" ? first : undefined;
}
