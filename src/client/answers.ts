/** What an HTTP answer means (in-practice.md, Errors). */
import { EntsError } from "../errors.ts";
import { isPassingStatus, parseRetryAfter } from "../retry.ts";
import { emptyEnvelope, type Envelope, findServiceMessage, readEnvelope } from "../series/envelope.ts";
import { isObject, type Json, parseJson, toJsonText } from "../series/json.ts";
import { Failure } from "./failure.ts";
import type { HttpAnswer } from "./http.ts";

/**
 * The envelope of an answer to a data request; an empty one where the service says that it has no data.
 * `now`: milliseconds since 1970 UTC.
 * @throws {Failure} whatever else came, and whether another try may help.
 */
export function readDataAnswer(answer: HttpAnswer, now: number): Answer {
  if (isSuccess(answer)) return { text: answer.text, envelope: readEnvelope(parseBody(answer)) };
  const body = tryParse(answer.text);
  if (!saysNoData(answer, body)) throw refuse(answer, body, now);
  const envelope = emptyEnvelope(isObject(body) ? body["version"] : undefined, new Date(now).toISOString());
  return { text: toJsonText(envelope.fields), envelope };
}

/** An answer to a data request: its envelope, and the text that the envelope can be read from again. */
export interface Answer {
  readonly text: string;
  readonly envelope: Envelope;
}

/** Reads the kept text of an answer. @throws {SyntaxError | EntsError} it is not one. */
export function readKeptAnswer(text: string): Answer {
  return { text, envelope: readEnvelope(parseJson(text)) };
}

/** The JSON of any other answer that succeeded. @throws {Failure} as above. */
export function readJsonAnswer(answer: HttpAnswer, now: number): Json {
  if (isSuccess(answer)) return parseBody(answer);
  throw refuse(answer, tryParse(answer.text), now);
}

function isSuccess({ status }: HttpAnswer): boolean {
  return status >= 200 && status < 300;
}

function parseBody({ text }: HttpAnswer): Json {
  try {
    return parseJson(text);
  } catch (cause) {
    throw new Failure(describeBrokenBody(text, cause), { passing: true });
  }
}

/** JSON that ends early is the network's failure; a page of something else is the address's. */
function describeBrokenBody(text: string, cause: unknown): EntsError {
  if (/^\s*[[{]/.test(text) || text === "") {
    return new EntsError("unavailable", "the service's answer ended early: its body is not whole JSON", { cause, hint: "try again later" });
  }
  return new EntsError("refused", `the service's answer is not JSON: ${describeText(text)}`, {
    cause,
    hint: "check that the base address (--base-url) is that of a v4 service",
  });
}

function saysNoData({ status }: HttpAnswer, body: Json): boolean {
  if (status !== 404 && status !== 416) return false;
  return /\bno\b[\w ]*\bdata\b/i.test(findServiceMessage(body) ?? "");
}

function refuse(answer: HttpAnswer, body: Json, now: number): Failure {
  const said = findServiceMessage(body) ?? describeText(answer.text);
  const error = describeRefusal(answer.status, said);
  return new Failure(error, { passing: isPassingStatus(answer.status), retryAfterMs: parseRetryAfter(answer.retryAfter, now) });
}

function describeRefusal(status: number, said: string): EntsError {
  if (status === 401) {
    return new EntsError("authentication", `the token was refused (HTTP 401): ${said}`, {
      hint: "a spent daily quota looks the same: try again tomorrow, or store another token with 'ents login'",
    });
  }
  if (status === 403) return new EntsError("authentication", `the token does not allow this (HTTP 403): ${said}`);
  if (status >= 500 || isPassingStatus(status)) {
    return new EntsError("unavailable", `the service kept failing (HTTP ${status}): ${said}`, { hint: "try again later" });
  }
  const hint = status === 404 ? "check the base address (--base-url) and the network code" : undefined;
  return new EntsError("refused", `the service refused the request (HTTP ${status}): ${said}`, { hint, refusal: { status, said } });
}

function tryParse(text: string): Json {
  try {
    return parseJson(text);
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
