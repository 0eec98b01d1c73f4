import type { Problem } from "../refusal.ts";
import { MAX_CODES } from "../../base/vocabulary.ts";
import { type ParsedDateTime, parseDateTime } from "./datetime.ts";

/** Reads a query string parameter by parameter and gathers everything that is wrong with it. */
export class ParameterReader {
  readonly problems: Problem[] = [];
  readonly #query: URLSearchParams;

  constructor(query: URLSearchParams) {
    this.#query = query;
  }

  /** All values of a repeated parameter, once each; undefined where it is not given. */
  readList(name: string): string[] | undefined {
    const values = this.#query.getAll(name);
    return values.length === 0 ? undefined : [...new Set(values)];
  }

  readCodes(name: string): string[] | undefined {
    const given = this.#query.getAll(name);
    if (given.length > MAX_CODES) {
      const msg = `List should have at most ${MAX_CODES} items after validation, not ${given.length}`;
      const ctx = { field_type: "List", max_length: MAX_CODES, actual_length: given.length };
      this.problems.push({ type: "too_long", loc: ["query", name], msg, input: given, ctx });
    }
    return this.readList(name);
  }

  /** At least one value, each of them an allowed one. */
  readRequiredChoices<T extends string>(name: string, allowed: readonly T[]): T[] {
    const values = this.readList(name);
    if (values === undefined) this.problems.push({ type: "missing", loc: ["query", name], msg: "Field required", input: null });
    return (values ?? []).flatMap((value, index) => this.#choose({ value, loc: ["query", name, index] }, allowed) ?? []);
  }

  readChoice<T extends string>(name: string, allowed: readonly T[]): T | undefined {
    const value = this.readText(name);
    return value === undefined ? undefined : this.#choose({ value, loc: ["query", name] }, allowed);
  }

  /** Of a parameter that takes one value, the last one given. */
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

  #choose<T extends string>(given: { value: string; loc: (string | number)[] }, allowed: readonly T[]): T | undefined {
    const found = allowed.find((each) => each === given.value);
    if (found !== undefined) return found;
    const quoted = allowed.map((each) => `'${each}'`);
    const expected = `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`;
    this.problems.push({ type: "enum", loc: given.loc, msg: `Input should be ${expected}`, input: given.value, ctx: { expected } });
    return undefined;
  }
}
