/** What an HTTP answer means (in-practice.md, Errors). */
import { FETCH_FLAGS } from "../options/fetch-options.ts";
import { EntsError } from "../base/errors.ts";
import { isObject, type Json, parseJson } from "../base/json.ts";
import { decodeBody } from "../decode/decode.ts";
import { findServiceMessage } from "../decode/envelope.ts";
import { type Answer, createEmptyAnswer } from "../series/answer.ts";
import { Failure } from "./failure.ts";
import { isSuccess, type Response, unpack } from "./response.ts";
import { isRetryableStatus, parseRetryAfter } from "./retry.ts";

/**
 * The answer that a response is: its data, or that there is none.
 * @throws {Failure} it is broken, or another refusal, and whether another try may help; {EntsError} refused: no v4 answer.
 */
export async function readResponse(response: Response): Promise<Answer> {
  const bytes = await unpack(response);
  if (isSuccess(response)) return parseBody(bytes, decodeBody);
  const body = tryParse(bytes);
  if (!saysNoData(response, body)) throw refuse(response, body, bytes);
  return createEmptyAnswer(isObject(body) ? body["version"] : undefined, new Date(response.receivedAt).toISOString());
}

/** The JSON of any other answer. @throws {Failure} as above. */
export async function readJson(response: Response): Promise<Json> {
  const bytes = await unpack(response);
  if (isSuccess(response)) return parseBody(bytes, (all) => parseJson(all.toString("utf8")));
  throw refuse(response, tryParse(bytes), bytes);
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

function saysNoData({ status }: Response, body: Json): boolean {
  if (status !== 404 && status !== 416) return false;
  return /\bno\b[\w ]*\bdata\b/i.test(findServiceMessage(body) ?? "");
}

function refuse({ status, retryAfter, receivedAt }: Response, body: Json, bytes: Buffer): Failure {
  const said = findServiceMessage(body) ?? describeText(bytes.toString("utf8"));
  const retryAfterMs = parseRetryAfter(retryAfter, receivedAt);
  return new Failure(describeRefusal(status, said), { retryable: isRetryableStatus(status), retryAfterMs });
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
