/** What an HTTP answer means (in-practice.md, Errors). */
import { FETCH_FLAGS } from "../options/fetch-options.ts";
import { EntsError } from "../base/errors.ts";
import { isObject, type Json, parseJson } from "../base/json.ts";
import { decodeBody } from "../decode/decode.ts";
import { findServiceMessage } from "../decode/envelope.ts";
import { type Answer, createEmptyAnswer } from "../series/answer.ts";
import { Failure, incompleteAnswer } from "./failure.ts";
import { isSuccess, type Response, unpack } from "./response.ts";
import { isRetryableStatus, parseRetryAfter } from "./retry.ts";

/**
 * The answer in a response: its data, or that there is none.
 * @throws {Failure} broken, or the service is unavailable; {EntsError} authentication, refused: another refusal, or not v4.
 */
export async function readResponse(response: Response): Promise<Answer> {
  const bytes = await unpack(response);
  if (isSuccess(response)) return parseBody(bytes, decodeBody);
  const body = tryParse(bytes);
  if (!saysNoData(response, body)) throw toError(response, body, bytes);
  return createEmptyAnswer(isObject(body) ? body["version"] : undefined, new Date(response.receivedAt).toISOString());
}

/** The JSON of any other answer. @throws as above. */
export async function readJson(response: Response): Promise<Json> {
  const bytes = await unpack(response);
  if (isSuccess(response)) return parseBody(bytes, (all) => parseJson(all.toString("utf8")));
  throw toError(response, tryParse(bytes), bytes);
}

function parseBody<T>(bytes: Buffer, read: (bytes: Buffer) => T): T {
  try {
    return read(bytes);
  } catch (cause) {
    if (cause instanceof EntsError) throw cause;
    throw brokenBody(bytes.toString("utf8"), cause);
  }
}

/** JSON that ends early is the network's failure; text that is not JSON comes from another kind of server. */
function brokenBody(text: string, cause: unknown): Failure {
  if (/^\s*[[{]/.test(text) || text === "") return incompleteAnswer(cause);
  return new Failure(isPage(text) ? "the service answered with an HTML page instead of JSON" : "the service's answer is not JSON", {
    kind: "refused",
    said: readMessage(text),
    cause,
    hint: `check that the base address (${FETCH_FLAGS.baseUrl}) is that of a v4 service`,
  });
}

function saysNoData({ status }: Response, body: Json): boolean {
  if (status !== 404 && status !== 416) return false;
  return /\bno\b[\w ]*\bdata\b/i.test(findServiceMessage(body) ?? "");
}

function toError({ status, retryAfter, receivedAt }: Response, body: Json, bytes: Buffer): Failure | EntsError {
  const text = bytes.toString("utf8");
  const said = findServiceMessage(body) ?? readMessage(text);
  const retryable = isRetryableStatus(status);
  if (status < 500 && !retryable) return describeRefusal(status, said ?? (isPage(text) ? "an HTML page" : "without a message"));
  const message = status === 429 ? "rate limited (HTTP 429)" : `the service is unavailable (HTTP ${status})`;
  return new Failure(message, { said, retryable, retryAfterMs: parseRetryAfter(retryAfter, receivedAt) });
}

function describeRefusal(status: number, said: string): EntsError {
  if (status === 401) {
    return new EntsError("authentication", `the token was refused (HTTP 401): ${said}`, {
      hint: "a spent daily quota looks the same: try again tomorrow, or store another token with 'ents login'",
    });
  }
  if (status === 403) return new EntsError("authentication", `the token does not allow this (HTTP 403): ${said}`);
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

/** The message in a body that is not JSON; an HTML page has none. */
function readMessage(text: string): string | undefined {
  if (text.trim() === "" || isPage(text)) return undefined;
  const line = text.trim().replace(/\s+/g, " ");
  return line.length > 200 ? `${line.slice(0, 200)}...` : line;
}

function isPage(text: string): boolean {
  return /^\s*</.test(text);
}
