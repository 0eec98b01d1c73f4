import type { ParameterProblem } from "../refusal.ts";
import { MAX_CODES } from "../../base/vocabulary.ts";
import type { LocalTime } from "../../time/local-time.ts";

/** Reads the parameters of a query string and collects their problems. */
export class ParameterReader {
  readonly problems: ParameterProblem[] = [];
  readonly #query: URLSearchParams;

  constructor(query: URLSearchParams) {
    this.#query = query;
  }

  /** The distinct values of a repeated parameter; undefined where it is missing. */
  readList(name: string): string[] | undefined {
    const values = this.#query.getAll(name);
    return values.length === 0 ? undefined : [...new Set(values)];
  }

  readCodes(name: string): string[] | undefined {
    const codes = this.#query.getAll(name);
    if (codes.length > MAX_CODES) {
      const msg = `List should have at most ${MAX_CODES} items after validation, not ${codes.length}`;
      const ctx = { field_type: "List", max_length: MAX_CODES, actual_length: codes.length };
      this.problems.push({ type: "too_long", loc: ["query", name], msg, input: codes, ctx });
    }
    return this.readList(name);
  }

  /** At least one value, all of them allowed. */
  readRequiredChoices<T extends string>(name: string, allowed: readonly T[]): T[] {
    const values = this.readList(name);
    if (values === undefined) this.problems.push({ type: "missing", loc: ["query", name], msg: "Field required", input: null });
    return (values ?? []).flatMap((value, index) => this.#choose({ value, loc: ["query", name, index] }, allowed) ?? []);
  }

  readChoice<T extends string>(name: string, allowed: readonly T[]): T | undefined {
    const value = this.readText(name);
    return value === undefined ? undefined : this.#choose({ value, loc: ["query", name] }, allowed);
  }

  /** The last value of a parameter that takes one. */
  readText(name: string): string | undefined {
    return this.#query.getAll(name).at(-1);
  }

  readDateTime(name: string): Exclude<ParsedDateTime, "malformed"> | undefined {
    const input = this.readText(name);
    if (input === undefined) return undefined;
    const parsed = parseDateTime(input);
    if (parsed !== "malformed") return parsed;
    const msg = "Input should be a valid datetime or date, invalid character or value";
    this.problems.push({ type: "datetime_from_date_parsing", loc: ["query", name], msg, input });
    return undefined;
  }

  #choose<T extends string>({ value, loc }: { value: string; loc: (string | number)[] }, allowed: readonly T[]): T | undefined {
    const found = allowed.find((each) => each === value);
    if (found !== undefined) return found;
    const quoted = allowed.map((each) => `'${each}'`);
    const expected = `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`;
    this.problems.push({ type: "enum", loc, msg: `Input should be ${expected}`, input: value, ctx: { expected } });
    return undefined;
  }
}

/** `offset`: a valid time with an offset. */
type ParsedDateTime = { readonly local: LocalTime } | "malformed" | "offset";

const DATE_TIME = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2}(?:\.\d{1,6})?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** `2025-01-31`, `2025-01-31T14:05`, `2025-01-31T14:05:30`: network-local, so without an offset. */
function parseDateTime(text: string): ParsedDateTime {
  const [matched, date, time = "00:00", seconds = ":00", offset] = DATE_TIME.exec(text) ?? [];
  if (matched === undefined) return "malformed";
  const local = Date.parse(`${date}T${time}${seconds}Z`);
  if (Number.isNaN(local) || new Date(local).toISOString().slice(0, 10) !== date) return "malformed";
  return offset === undefined ? { local } : "offset";
}
