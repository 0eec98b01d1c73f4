/** The fields of tools: their schemas, from the option tables, and the values that clients send in them. */
import { usageError } from "../base/errors.ts";
import { findNearest } from "../base/nearest.ts";
import { formatNumber, shortenTyped } from "../base/phrases.ts";
import type { RawValues } from "../cli/values.ts";
import { flagOf, type OptionSpec, type OptionTable } from "../options/spec.ts";

/** One field of a tool, in JSON Schema. */
export interface FieldSchema {
  readonly type: "string" | "boolean" | "integer" | "array";
  readonly description?: string | undefined;
  readonly enum?: readonly string[];
  readonly items?: { readonly type: "string"; readonly enum?: readonly string[] };
  readonly minimum?: number;
  readonly maximum?: number;
}

export type Fields = Readonly<Record<string, FieldSchema>>;

/** What a client may send in a field: values are as the schema has them, and never longer than these. */
type FieldValue = string | boolean | number | readonly string[];
const MAX_TEXT = 200;
const MAX_VALUES = 1000;

/** `dateStart` → `date_start` */
export function fieldOf(key: string): string {
  return flagOf(key).slice("--".length).replaceAll("-", "_");
}

/** `describe`: puts a help text into words of tools. */
export function toSchema(spec: OptionSpec, describe: (text: string) => string): FieldSchema {
  const { help, argument, list, choices, offered = choices } = spec;
  const description = describe(help);
  if (argument === undefined) return { type: "boolean", description };
  const text = { type: "string" as const, ...(offered ? { enum: offered } : {}) };
  return list ? { type: "array", items: text, description } : { ...text, description };
}

/**
 * The fields that are set, in the types of the schema. Null, an empty text and an empty list leave a field unset; a
 * list may come as JSON text or with commas. `others`: the fields of the other tools.
 * @throws {EntsError} usage: an unknown field, a wrong type, or more text than a value needs.
 */
export function readInput(
  input: unknown,
  fields: Fields,
  others: Readonly<Record<string, Fields>>,
): Readonly<Record<string, FieldValue>> {
  if (typeof input !== "object" || input === null || Array.isArray(input))
    throw usageError("the arguments must be an object", `fields: ${Object.keys(fields).join(", ")}`);
  const set = Object.entries(input).flatMap(([name, value]) => {
    if (value === null || value === undefined || value === "" || isEmptyList(value)) return [];
    const schema = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return [[name, schema ? readField(name, value, schema) : refuseField(name, fields, others)] as const];
  });
  return Object.fromEntries(set);
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => item === null || item === "");
}

function refuseField(name: string, fields: Fields, others: Readonly<Record<string, Fields>>): never {
  const known = Object.keys(fields);
  const tool = Object.keys(others).find((other) => Object.hasOwn(others[other] ?? {}, name));
  throw usageError(
    `unknown field "${shortenTyped(name)}"`,
    tool === undefined ? `fields: ${known.join(", ")}` : `${tool} has it`,
    { didYouMean: name.length > MAX_TEXT ? [] : findNearest(name, known) },
  );
}

function readField(name: string, value: unknown, schema: FieldSchema): FieldValue {
  switch (schema.type) {
    case "boolean":
      return readSwitch(name, value);
    case "integer":
      return readCount(name, value, schema);
    case "array":
      return readListField(name, value);
    case "string":
      return readText(name, typeof value === "number" && !isFreeText(name) ? String(value) : value);
  }
}

/** Fields in which any text has a meaning: a number there is a mistake, where `during: 2025` is none. */
function isFreeText(name: string): boolean {
  return ["text", "output"].includes(name);
}

function readSwitch(name: string, value: unknown): boolean {
  const found = [true, false].find((known) => value === known || value === String(known));
  return found ?? refuseType(name, "true or false", value);
}

function readCount(
  name: string,
  value: unknown,
  { minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: FieldSchema,
): number {
  const count = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof count === "number" && Number.isInteger(count) && count >= minimum && count <= maximum) return count;
  return refuseType(
    name,
    `a whole number from ${minimum}${maximum < 1e9 ? ` to ${formatNumber(maximum)}` : ""}`,
    value,
  );
}

function readListField(name: string, value: unknown): readonly string[] {
  const list =
    typeof value === "string" ? splitList(value) : [value].flat().filter((item) => item !== null && item !== "");
  if (list.length > MAX_VALUES)
    throw usageError(`${name} has ${formatNumber(list.length)} values, and takes at most ${formatNumber(MAX_VALUES)}`);
  return list.map((item) => readText(name, item, "a list of texts"));
}

function splitList(text: string): readonly unknown[] {
  if (text.trimStart().startsWith("[")) {
    try {
      return (JSON.parse(text) as readonly unknown[]).flat();
    } catch {
      // Not JSON: the text itself is the value, and is refused as such.
    }
  }
  return text.split(/[,;]/).flatMap((part) => part.trim() || []);
}

function readText(name: string, value: unknown, expected = "a text"): string {
  if (typeof value !== "string") return refuseType(name, expected, value);
  if (value.length <= MAX_TEXT) return value;
  const length = formatNumber(value.length);
  throw usageError(`a text in ${name} has ${length} characters, and may have ${MAX_TEXT}`, undefined, { flag: name });
}

function refuseType(name: string, expected: string, value: unknown): never {
  const shown = shortenTyped(JSON.stringify(value) ?? typeof value);
  throw usageError(`${name} must be ${expected}, not ${shown}`, undefined, { flag: name, value: shown });
}

/** Values by option, which the command checks as it checks those of a command line. */
export function toRawValues(input: Readonly<Record<string, unknown>>, table: OptionTable): RawValues {
  const keys = Object.keys(table).filter((key) => input[fieldOf(key)] !== undefined);
  return Object.fromEntries(
    keys.map((key) => {
      const value = input[fieldOf(key)] as FieldValue;
      return [key, value === false ? undefined : typeof value === "number" ? String(value) : value];
    }),
  );
}
