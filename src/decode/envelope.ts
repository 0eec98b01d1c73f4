import { EntsError } from "../base/errors.ts";
import { FETCH_FLAGS } from "../options/fetch-options.ts";
import { describeJson, isObject, type Json, type JsonObject } from "../base/json.ts";
import type { Envelope } from "../series/decoded-response.ts";

export interface OpenedEnvelope {
  readonly envelope: Envelope;
  readonly data: readonly Json[];
}

/** @throws {EntsError} refused: `success` is false, or the body is not a response envelope of v4. */
export function openEnvelope(body: Json): OpenedEnvelope {
  if (isObject(body) && body["success"] === false) {
    throw new EntsError(
      "refused",
      `the service reported a failure (success: false): ${findServiceMessage(body) ?? "no reason given"}`,
    );
  }
  const problem = findShapeProblem(body);
  if (problem === undefined && isObject(body))
    return { envelope: createEnvelope(body), data: body["data"] as readonly Json[] };
  throw new EntsError("refused", `the response is not valid v4 (${problem})`, {
    hint: `check that the base address (${FETCH_FLAGS.baseUrl}) is that of a v4 service`,
  });
}

/** `data: expected an array, received object` */
function findShapeProblem(body: Json): string | undefined {
  if (!isObject(body)) return `body: expected an object, received ${describeJson(body)}`;
  const { data, success = true, error = null } = body;
  if (!Array.isArray(data)) return `data: expected an array, received ${describeJson(data)}`;
  if (typeof success !== "boolean") return `success: expected true or false, received ${describeJson(success)}`;
  const isError = error === null || typeof error === "string" || isObject(error);
  return isError ? undefined : `error: expected text or an object, received ${describeJson(error)}`;
}

/** The six fields of v4 in their order, with its defaults for missing ones, then unknown fields. */
function createEnvelope(body: JsonObject): Envelope {
  const { version, created_at, success = true, error = null, data: _, total_records = null, ...others } = body;
  const known = { version, created_at, success, error, data: null, total_records, ...others };
  return Object.fromEntries(Object.entries(known).filter((field): field is [string, Json] => field[1] !== undefined));
}

/** The message in an error body of any known shape. */
export function findServiceMessage(body: Json): string | undefined {
  if (!isObject(body)) return undefined;
  const { error, detail } = body;
  if (typeof error === "string" && error !== "") return error;
  if (typeof detail === "string") return detail;
  if (Array.isArray(detail)) return detail.map(describeInvalid).filter(Boolean).join("; ") || undefined;
  if (!isObject(detail)) return isObject(error) ? findServiceMessage({ detail: error }) : undefined;
  const [first = "", second] = [detail["error"] ?? detail["message"], detail["hint"]].filter(
    (part) => typeof part === "string",
  );
  return (second === undefined ? first : `${first}${/[.!?]$/.test(first) ? " " : "; "}${second}`) || undefined;
}

/** What a service says beside its data, in any of the fields in use. */
export function findRemarks({ error = null, warning, warnings, message }: Envelope): string[] {
  const all: readonly (Json | undefined)[] = [findServiceMessage({ error }), warning, warnings, message].flat();
  return all.filter((text): text is string => typeof text === "string" && !SAYS_NOTHING.test(text));
}

const SAYS_NOTHING = /^\s*(?:ok|success|successful)?[.!]?\s*$/i;

function describeInvalid(item: Json): string {
  if (!isObject(item)) return typeof item === "string" ? item : "";
  const { loc, msg } = item;
  const place = Array.isArray(loc) ? loc.filter((part) => part !== "query").join(".") : "";
  return [place, typeof msg === "string" ? msg : ""].filter(Boolean).join(": ");
}
