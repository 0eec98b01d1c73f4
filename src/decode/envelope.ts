import * as z from "zod";
import { EntsError } from "../base/errors.ts";
import { isObject, type Json, type JsonObject, parseJson, toJsonText } from "../base/json.ts";
import { scanBody } from "./scan.ts";
import { parseStamp } from "../time/stamp.ts";
import { plainMessage } from "./zod-message.ts";

/** The response envelope of v4.md: every field that the service sent, unknown ones too, in its order; `data` is not read yet. */
export interface Envelope {
  readonly fields: JsonObject;
  readonly data: readonly Json[];
  /** The same with every point parsed, where this one was read the fast way. */
  readonly plain?: () => Envelope;
}

const envelopeSchema = z.looseObject({
  data: z.array(z.unknown()),
  success: z.boolean().optional(),
  error: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
});

/**
 * Reads a parsed body as an envelope.
 * @throws {EntsError} refused: `success` is false, or the body is not a v4 envelope.
 */
export function readEnvelope(body: Json): Envelope {
  if (isObject(body) && body["success"] === false) {
    throw new EntsError("refused", `the service answered success: false: ${findServiceMessage(body) ?? "without a message"}`);
  }
  const checked = envelopeSchema.safeParse(body);
  if (checked.success && isObject(body)) return { fields: fillIn(body), data: body["data"] as readonly Json[] };
  const problem = checked.error?.issues[0];
  throw new EntsError(
    "refused",
    `the service's answer is JSON, but not the envelope of v4 (${problem?.path.join(".") || "body"}: ${problem ? plainMessage(problem) : "not an object"})`,
    { hint: "check that the base address is that of a v4 service" },
  );
}

/**
 * Reads a body, as UTF-8: the fast way where nothing in it is unusual, else the plain way, which is its reference.
 * @throws {SyntaxError} the body is not JSON; {EntsError} as `readEnvelope`.
 */
export function readBody(bytes: Buffer): Envelope {
  const scanned = scanBody(bytes);
  if (scanned === undefined) return readBodyPlainly(bytes);
  return { ...readEnvelope(scanned), plain: () => readBodyPlainly(bytes) };
}

/** Reads a body by parsing all of it. */
export function readBodyPlainly(bytes: Buffer): Envelope {
  return readEnvelope(parseJson(bytes.toString("utf8")));
}

/** All six fields of v4.md in its order, with its defaults for those that a success may leave out; then the unknown ones. */
function fillIn(body: JsonObject): JsonObject {
  const { version, created_at, success = true, error = null, data = [], total_records = null, ...others } = body;
  const known = { version, created_at, success, error, data, total_records, ...others };
  return Object.fromEntries(Object.entries(known).filter((field): field is [string, Json] => field[1] !== undefined));
}

/** The envelope of a request for which the service has no data. */
export function emptyEnvelope(version: Json | undefined, createdAt: string): Envelope {
  const fields = { version: version ?? "", created_at: createdAt, success: true, error: null, data: [], total_records: null };
  return { fields, data: [] };
}

/** The envelope of several answers: the first that has data, made when the last one was. `data` is not joined. */
export function joinEnvelopes(envelopes: readonly Envelope[]): Envelope {
  const first = envelopes.find(({ data }) => data.length > 0) ?? envelopes[0] ?? emptyEnvelope(undefined, "");
  const totals = new Set(envelopes.map(({ fields }) => toJsonText(fields["total_records"] ?? null)));
  const created = envelopes.map(({ fields }) => fields["created_at"] ?? null).reduce(laterStamp);
  const fields = { ...first.fields, created_at: created, ...(totals.size > 1 ? { total_records: null } : {}) };
  return { fields, data: envelopes.flatMap(({ data }) => data) };
}

function laterStamp(a: Json, b: Json): Json {
  const instant = (stamp: Json) => (typeof stamp === "string" ? parseStamp(stamp, "") : undefined) ?? 0;
  return instant(b) > instant(a) ? b : a;
}

/** The human-readable message in an error body of any of the known shapes (in-practice.md, Errors). */
export function findServiceMessage(body: Json): string | undefined {
  if (!isObject(body)) return undefined;
  const { error, detail } = body;
  if (typeof error === "string" && error !== "") return error;
  if (typeof detail === "string") return detail;
  if (Array.isArray(detail)) return detail.map(describeInvalid).filter(Boolean).join("; ") || undefined;
  if (!isObject(detail)) return isObject(error) ? findServiceMessage({ detail: error }) : undefined;
  const parts = [detail["error"] ?? detail["message"], detail["hint"]].filter((part) => typeof part === "string");
  return parts.join("; ") || undefined;
}

function describeInvalid(item: Json): string {
  if (!isObject(item)) return typeof item === "string" ? item : "";
  const { loc, msg } = item;
  const place = Array.isArray(loc) ? loc.filter((part) => part !== "query").join(".") : "";
  return [place, typeof msg === "string" ? msg : ""].filter(Boolean).join(": ");
}
