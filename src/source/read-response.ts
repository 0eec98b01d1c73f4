/** What an HTTP answer means (in-practice.md, Errors). */
import { FETCH_FLAGS } from "../options/fetch-options.ts";
import { EntsError, type HttpRefusal } from "../base/errors.ts";
import { isObject, type Json, parseJson } from "../base/json.ts";
import { JsonError, parseJsonBytes } from "../base/json-bytes.ts";
import { shortenText, type MaskBody, type ShowText } from "../base/shown-text.ts";
import { MAX_SIZE } from "../base/sizes.ts";
import { runWithPauses, type Steps } from "../base/steps.ts";
import type { MissingToken, Token } from "../settings/token.ts";
import { decodeInSteps } from "../decode/decode.ts";
import { findServiceMessage } from "../decode/envelope.ts";
import type { Body } from "../series/body.ts";
import { type Answer, createEmptyAnswer, isUnknown } from "../series/answer.ts";
import { Failure, incompleteAnswer } from "./failure.ts";
import { isHeavyQuery } from "./token-watch.ts";
import { createPause } from "./pause.ts";
import { isSuccess, MAX_REFUSAL, type Response, unpack } from "./response.ts";
import { isRetryableStatus, parseRetryAfter } from "./retry.ts";

export interface ReadOptions {
  /** Makes the service's text fit for messages. */
  readonly show: ShowText;
  /** Takes secrets out of the body. */
  readonly mask: MaskBody;
  /** Maximum bytes of the unpacked body. */
  readonly maxBody: number;
  /** Ends the reading of a long answer. */
  readonly signal?: AbortSignal;
  /** Whether the request left the end of its window to the service. */
  readonly isOpen?: boolean;
  /** The token that was sent or was missing, for messages. */
  readonly token?: Token | MissingToken;
}

export const DEFAULTS: ReadOptions = { show: shortenText, mask: (body) => body, maxBody: MAX_SIZE };

/**
 * The answer in a response: its data, or that there is none. `unpacked`: its body, where it is unpacked already.
 * @throws {Failure} broken, or the service is unavailable; {EntsError} authentication, refused: another refusal, or not v4.
 */
export async function readResponse(response: Response, options = DEFAULTS, unpacked?: Body): Promise<Answer> {
  if (isSuccess(response)) {
    const body = unpacked ?? (await unpack(response, options.maxBody));
    return showProblem(await readData(body, decodeInSteps, options), options);
  }
  const text = await readRefusal(response, options);
  if (!saysNoData(response, text, options.isOpen ?? false)) throw toError(response, text, options);
  return createEmptyAnswer(isObject(text.body) ? text.body["version"] : undefined, new Date(response.receivedAt).toISOString());
}

/** The JSON of any other answer. @throws as above. */
export async function readJson(response: Response, options = DEFAULTS): Promise<Json> {
  if (isSuccess(response)) return readData(await unpack(response, options.maxBody), ({ bytes }) => parseJsonBytes(bytes), options);
  throw toError(response, await readRefusal(response, options), options);
}

async function readData<T>(body: Body, read: (masked: Body) => Steps<T>, { show, mask, signal }: ReadOptions): Promise<T> {
  const masked = body.map(mask);
  try {
    return await runWithPauses(read(masked), createPause(signal));
  } catch (cause) {
    if (cause instanceof EntsError) throw cause.mapMessage(show);
    if (cause instanceof JsonError) throw brokenBody(cause, show);
    throw cause;
  }
}

function showProblem(answer: Answer, { show }: ReadOptions): Answer {
  return isUnknown(answer) ? { ...answer, problem: answer.problem.mapMessage(show) } : answer;
}

/** JSON that ends early is the network's failure; text that is not JSON comes from another kind of server; both may pass. */
function brokenBody(cause: JsonError, show: ShowText): Failure | EntsError {
  const { fault, start } = cause;
  if (fault === "incomplete") return incompleteAnswer(cause);
  if (fault === "excessive") {
    const hint = `ask for less in one request (${FETCH_FLAGS.maxWindow}, fewer codes)`;
    return new EntsError("refused", `cannot read the service's answer: ${show(cause.message)}`, { cause, hint });
  }
  if (fault === "invalid") {
    return new EntsError("refused", `the service's answer is not valid JSON: ${show(cause.message)}`, { cause });
  }
  return new Failure(isPage(start) ? "the service answered with an HTML page instead of JSON" : "the service's answer is not JSON", {
    kind: "refused",
    said: readMessage(start, show),
    cause,
    hint: `check that the base address (${FETCH_FLAGS.baseUrl}) is that of a v4 service`,
  });
}

/** The body of a refusal; both are empty where it cannot be read, as the status says enough. */
interface RefusalText {
  readonly text: string;
  readonly body: Json;
}

async function readRefusal(response: Response, { mask, maxBody }: ReadOptions): Promise<RefusalText> {
  try {
    const text = mask((await unpack(response, Math.min(maxBody, MAX_REFUSAL))).bytes).toString("utf8");
    return { text, body: tryParse(text) };
  } catch {
    return { text: "", body: null };
  }
}

/** A window without an end ends with the newest bucket of the service: one that starts later is refused as reversed. */
const STARTS_LATER = /^date start must be before date end\.?$/i;

function saysNoData({ status }: Response, { body }: RefusalText, isOpen: boolean): boolean {
  // The pattern takes quadratic time.
  const said = shortenText(findServiceMessage(body) ?? "");
  if (status === 400) return isOpen && STARTS_LATER.test(said.trim());
  return (status === 404 || status === 416) && /\bno\b[\w ]*\bdata\b/i.test(said);
}

function toError({ status, retryAfter, receivedAt }: Response, { text, body }: RefusalText, options: ReadOptions): Failure | EntsError {
  const { show, token } = options;
  const message = findServiceMessage(body);
  const said = message === undefined ? readMessage(text, show) : show(message);
  const retryable = isRetryableStatus(status);
  const retryAfterMs = parseRetryAfter(retryAfter, receivedAt);
  if (status < 500 && !retryable) {
    const says = said ?? (isPage(text) ? "an HTML page" : "no reason given");
    if (token && token.value === undefined && (status === 401 || status === 403)) return needsToken({ status, said: says }, token);
    // Whether it may pass, the client knows.
    if (status === 401) return refusedToken({ said: says, retryAfterMs }, options);
    return describeRefusal(status, says, options);
  }
  const failed = status === 429 ? "rate limited (HTTP 429)" : `the service is unavailable (HTTP ${status})`;
  return new Failure(failed, { said, retryable, retryAfterMs, problem: isHeavyQuery(status, said) ? "heavy query" : undefined });
}

function refusedToken(answer: { said: string; retryAfterMs: number | undefined }, options: ReadOptions): Failure {
  const final = `${nameToken(options)} was refused (HTTP 401)`;
  const refusal = { status: 401, said: answer.said };
  return new Failure("the token was refused (HTTP 401)", { ...answer, final, kind: "authentication", problem: "token", refusal });
}

/** Not tried again: there is no token whose quota could be spent. */
function needsToken(refusal: HttpRefusal, { message, hint }: MissingToken): EntsError {
  const { status, said } = refusal;
  return new EntsError("authentication", `${message}, and the request was refused (HTTP ${status}): ${said}`, { hint, refusal });
}

/** `the token from ENTS_TOKEN` */
function nameToken({ token }: ReadOptions): string {
  return ["the token", token?.value === undefined ? "" : token.source].filter(Boolean).join(" ");
}

function describeRefusal(status: number, said: string, options: ReadOptions): EntsError {
  if (status === 403) {
    const { token } = options;
    const hint = token?.value === undefined ? undefined : `to use another token, ${token.replace}`;
    return new EntsError("authentication", `${nameToken(options)} does not allow this (HTTP 403): ${said}`, {
      hint,
      refusal: { status, said },
    });
  }
  const hint = status === 404 ? `check the base address (${FETCH_FLAGS.baseUrl}) and the network code` : undefined;
  return new EntsError("refused", `the service refused the request (HTTP ${status}): ${said}`, { hint, refusal: { status, said } });
}

function tryParse(text: string): Json {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}

/** The message in a body that is not JSON; an HTML page has none. */
function readMessage(text: string, show: ShowText): string | undefined {
  if (text.trim() === "" || isPage(text)) return undefined;
  const line = show(text.trim().replace(/\s+/g, " "));
  return line.length > 200 ? `${line.slice(0, 200)}...` : line;
}

function isPage(text: string): boolean {
  return /^\s*</.test(text);
}
