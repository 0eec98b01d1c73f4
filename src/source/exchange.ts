/** One request and its response, each phase within a timeout, the body within a limit. */
import type { Dispatcher } from "undici";

export interface ExchangeOptions {
  readonly dispatcher: Dispatcher;
  readonly headers: Readonly<Record<string, string>>;
  /** Timeout to connect, for the first byte and between bytes, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Milliseconds from any start. */
  readonly monotonic: () => number;
  /** Maximum bytes of the body; 0: it is not waited for. */
  readonly limitBody: (head: ResponseHead) => number;
}

export interface ResponseHead {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
}

export interface RawResponse extends ResponseHead {
  readonly chunks: readonly Buffer[];
  /** Why the body is not whole. */
  readonly cut: Error | undefined;
}

/** The service was silent, or as good as silent, for the timeout. */
export class TimedOut extends Error {
  override readonly name = "TimedOut";
}

/** The body is larger than its limit. */
export class TooLarge extends Error {
  override readonly name = "TooLarge";
}

/** After so many timeouts, 1xx answers and a body that brings less than so many bytes count as silence. */
const ENDLESS = 2;
const MIN_PROGRESS_BYTES = 1024;
const SMALL = 16 * 1024;

/**
 * Sends a GET. Resolves as soon as there is a status, even if the body then fails.
 * @throws {TimedOut} no connection, or no answer (1xx is none); {Error} of the network, or the signal's reason.
 */
export function exchange(url: URL, options: ExchangeOptions): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    new Exchange(options, { resolve, reject }).start(url);
  });
}

interface Outcome {
  readonly resolve: (response: RawResponse) => void;
  readonly reject: (reason: Error) => void;
}

class Exchange implements Dispatcher.DispatchHandler {
  readonly #options: ExchangeOptions;
  readonly #outcome: Outcome;
  readonly #onAbort = () => this.#stop(this.#options.signal.reason as Error);
  #controller: Dispatcher.DispatchController | undefined;
  #timer: NodeJS.Timeout | undefined;
  #head: ResponseHead | undefined;
  #limit = 0;
  readonly #chunks: Buffer[] = [];
  #small = Buffer.alloc(0);
  /** The filled part of `#small`. */
  #gathered = 0;
  #received = 0;
  /** The bytes that came since a time. */
  #progress = { bytes: 0, since: 0 };
  /** Why the exchange is over. */
  #stopped: Error | undefined;
  #finished = false;

  constructor(options: ExchangeOptions, outcome: Outcome) {
    this.#options = options;
    this.#outcome = outcome;
  }

  start({ origin, pathname, search }: URL): void {
    const { signal, headers, dispatcher, timeoutMs } = this.#options;
    if (signal.aborted) return this.#onAbort();
    signal.addEventListener("abort", this.#onAbort, { once: true });
    this.#startTimer("no connection to", timeoutMs);
    const timeouts = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
    dispatcher.dispatch({ origin, path: pathname + search, method: "GET", headers, ...timeouts }, this);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#stopped) controller.abort(this.#stopped);
    // undici's timeout starts anew with every 1xx.
    else this.#startTimer("no answer from", ENDLESS * this.#options.timeoutMs);
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Readonly<Record<string, unknown>>): void {
    if (status < 200 || this.#stopped) return;
    this.#head = { status, header: (name) => readHeader(headers[name]) };
    this.#limit = this.#options.limitBody(this.#head);
    clearTimeout(this.#timer);
    this.#progress.since = this.#options.monotonic();
    // A refusal's status says enough: its body is not waited for any longer.
    if (status >= 300) this.#startTimer("hardly any data from", ENDLESS * this.#options.timeoutMs);
    if (this.#limit > 0) return;
    this.#finish(undefined);
    // A body that has come with the head leaves the connection in use.
    queueMicrotask(() => this.#stop(new TooLarge("the body is not needed")));
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#stopped || this.#limit === 0) return;
    this.#received += chunk.length;
    if (this.#received > this.#limit) return this.#stop(new TooLarge(`more than ${this.#limit} bytes`));
    this.#keep(chunk);
    this.#checkProgress(chunk.length);
  }

  /** Small chunks are gathered: each would hold the memory of a whole read of its socket. */
  #keep(chunk: Buffer): void {
    if (chunk.length > SMALL) {
      this.#gather();
      this.#chunks.push(chunk);
      return;
    }
    if (this.#gathered + chunk.length > this.#small.length) {
      this.#gather();
      this.#small = Buffer.allocUnsafe(4 * SMALL);
    }
    this.#gathered += chunk.copy(this.#small, this.#gathered);
  }

  #gather(): void {
    if (this.#gathered > 0) this.#chunks.push(this.#small.subarray(0, this.#gathered));
    this.#small = this.#small.subarray(this.#gathered);
    this.#gathered = 0;
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

  /** Ends the exchange from here. */
  #stop(reason: Error): void {
    if (this.#stopped) return;
    this.#stopped = reason;
    this.#finish(reason);
    this.#controller?.abort(reason);
  }

  #finish(error: Error | undefined): void {
    if (this.#finished) return;
    this.#finished = true;
    clearTimeout(this.#timer);
    const { signal } = this.#options;
    signal.removeEventListener("abort", this.#onAbort);
    this.#gather();
    if (this.#head && !signal.aborted) this.#outcome.resolve({ ...this.#head, chunks: this.#chunks, cut: error });
    else this.#outcome.reject(error ?? new Error("no answer"));
  }
}

function readHeader(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === "string" ? first : undefined;
}
