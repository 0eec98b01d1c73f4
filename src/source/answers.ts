/** What an HTTP answer means (in-practice.md, Errors). */
import { FETCH_FLAGS } from "../options/fetch-options.ts";
import { EntsError } from "../base/errors.ts";
import { isRetryableStatus, parseRetryAfter } from "./retry.ts";
import { emptyEnvelope, type Envelope, findServiceMessage, readBody } from "../decode/envelope.ts";
import { isObject, type Json, parseJson } from "../base/json.ts";
import { Failure } from "./failure.ts";

/** An answer whose body is unpacked. */
export interface Unpacked {
  readonly status: number;
  /** `Retry-After`, as sent. */
  readonly retryAfter: string | undefined;
  readonly bytes: Buffer;
}

/** The envelope of an answer with data. @throws {Failure} it is broken; {EntsError} refused: it is another's. */
export function readData(bytes: Buffer): Envelope {
  return parseBody(bytes, readBody);
}

/**
 * The empty envelope of an answer that says that there is no data. `now`: milliseconds since 1970 UTC.
 * @throws {Failure} for any other refusal, and whether another try may help.
 */
export function readNoData(answer: Unpacked, now: number): Envelope {
  const body = tryParse(answer.bytes);
  if (!saysNoData(answer, body)) throw refuse(answer, body, now);
  return emptyEnvelope(isObject(body) ? body["version"] : undefined, new Date(now).toISOString());
}

/** The JSON of any other answer that succeeded. @throws {Failure} as above. */
export function readJsonAnswer(answer: Unpacked, now: number): Json {
  if (isSuccess(answer)) return parseBody(answer.bytes, (bytes) => parseJson(bytes.toString("utf8")));
  throw refuse(answer, tryParse(answer.bytes), now);
}

export function isSuccess({ status }: { readonly status: number }): boolean {
  return status >= 200 && status < 300;
}

function parseBody<T>(bytes: Buffer, read: (bytes: Buffer) => T): T {
  try {
    return read(bytes);
  } catch (cause) {
    if (cause instanceof EntsError) throw cause;
    throw new Failure(describeBrokenBody(bytes.toString("utf8"), cause), { retryable: true });
  }
}

/** JSON that ends early is the network's failure; a page of something else is the address's. */
function describeBrokenBody(text: string, cause: unknown): EntsError {
  if (/^\s*[[{]/.test(text) || text === "") {
    return new EntsError("unavailable", "the service's answer ended early: its body is not whole JSON", { cause, hint: "try again later" });
  }
  return new EntsError("refused", `the service's answer is not JSON: ${describeText(text)}`, {
    cause,
    hint: `check that the base address (${FETCH_FLAGS.baseUrl}) is that of a v4 service`,
  });
}

function saysNoData({ status }: Unpacked, body: Json): boolean {
  if (status !== 404 && status !== 416) return false;
  return /\bno\b[\w ]*\bdata\b/i.test(findServiceMessage(body) ?? "");
}

function refuse(answer: Unpacked, body: Json, now: number): Failure {
  const said = findServiceMessage(body) ?? describeText(answer.bytes.toString("utf8"));
  const error = describeRefusal(answer.status, said);
  return new Failure(error, { retryable: isRetryableStatus(answer.status), retryAfterMs: parseRetryAfter(answer.retryAfter, now) });
}

function describeRefusal(status: number, said: string): EntsError {
  if (status === 401) {
    return new EntsError("authentication", `the token was refused (HTTP 401): ${said}`, {
      hint: "a spent daily quota looks the same: try again tomorrow, or store another token with 'ents login'",
    });
  }
  if (status === 403) return new EntsError("authentication", `the token does not allow this (HTTP 403): ${said}`);
  if (status >= 500 || isRetryableStatus(status)) {
    return new EntsError("unavailable", `the service failed (HTTP ${status}): ${said}`, { hint: "try again later" });
  }
  const hint = status === 404 ? `check the base address (${FETCH_FLAGS.baseUrl}) and the network code` : undefined;
  return new EntsError("refused", `the service refused the request (HTTP ${status}): ${said}`, { hint, refusal: { status, said } });
}

function tryParse(bytes: Buffer): Json {
  try {
    return parseJson(bytes.toString("utf8"));
  } catch {
    return null;
  }
}

function describeText(text: string): string {
  if (text.trim() === "") return "without a message";
  if (/^\s*</.test(text)) return "an HTML page";
  const line = text.trim().replace(/\s+/g, " ");
  return line.length > 200 ? `${line.slice(0, 200)}...` : line;
}
