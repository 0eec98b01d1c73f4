/** Parses long JSON in steps, so that signals are handled in between. */
import { stripMark } from "./text-encoding.ts";
import {
  CLOSE_BRACE,
  COMMA,
  isEscaped,
  type Json,
  LosslessNumber,
  MAX_DEPTH,
  MAX_TEXT,
  MAX_VALUES,
  OPEN_BRACE,
  parseJson,
  QUOTE,
} from "./json.ts";
import { attempt } from "./errors.ts";
import type { Steps } from "./steps.ts";

/** In characters. Shorter text is parsed in one go, in a few milliseconds. */
const LONG_JSON = 256 * 1024;

/** Values per step: about a millisecond. */
const STEP_VALUES = 2000;

/** Like `parseJson`, with the same errors. */
export function* parseJsonInSteps(text: string): Steps<Json> {
  return (text.length < LONG_JSON ? undefined : yield* tryParseLong(text)) ?? parseJson(text);
}

/** Undefined for unusual or invalid JSON: fall back to `parseJson`. */
export function* tryParseLong(text: string): Steps<Json | undefined> {
  const reader = new JsonReader(stripMark(text));
  while (reader.readSome()) yield;
  return reader.value;
}

interface Open {
  readonly array?: Json[];
  readonly object?: Record<string, Json>;
  key: string;
}

class JsonReader {
  /** Undefined until the end is reached, and for unusual text. */
  value: Json | undefined;
  readonly #text: string;
  readonly #open: Open[] = [];
  #top: Json | undefined;
  #at = 0;
  #values = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readSome(): boolean {
    for (const stop = this.#values + STEP_VALUES; this.#values < stop; ) {
      if (!this.#readValue() || this.#values > MAX_VALUES || this.#open.length > MAX_DEPTH) return false;
      if (this.#open.length > 0) continue;
      this.#skipSpace();
      if (this.#at === this.#text.length) this.value = this.#top;
      return false;
    }
    return true;
  }

  /** Reads a scalar or the start of an array or object, and the closing brackets after it. False for unusual text. */
  #readValue(): boolean {
    const code = this.#skipSpace();
    this.#values++;
    if (code === OPEN_BRACKET) return this.#openArray();
    if (code === OPEN_BRACE) return this.#openObject();
    const scalar = code === QUOTE ? this.#readText() : this.#readPlain();
    if (scalar === undefined) return false;
    this.#add(scalar);
    return this.#goOn();
  }

  #openArray(): boolean {
    const array: Json[] = [];
    this.#add(array);
    this.#open.push({ array, key: "" });
    this.#at++;
    return this.#skipSpace() === CLOSE_BRACKET ? this.#goOn() : true;
  }

  #openObject(): boolean {
    const object: Record<string, Json> = {};
    this.#add(object);
    this.#open.push({ object, key: "" });
    this.#at++;
    return this.#skipSpace() === CLOSE_BRACE ? this.#goOn() : this.#readKey();
  }

  /** After a value: closes the arrays and objects that end here, and moves to the next value. */
  #goOn(): boolean {
    for (let open = this.#open.at(-1); open; open = this.#open.at(-1)) {
      const code = this.#skipSpace();
      if (code === COMMA) {
        this.#at++;
        return open.object ? this.#readKey() : true;
      }
      if (code !== (open.object ? CLOSE_BRACE : CLOSE_BRACKET)) return false;
      this.#at++;
      this.#open.pop();
    }
    return true;
  }

  /** False for duplicate keys and keys that every object inherits (`__proto__`): `parseJson` handles them. */
  #readKey(): boolean {
    const open = this.#open.at(-1) as Open;
    const key = this.#skipSpace() === QUOTE ? this.#readText() : undefined;
    if (key === undefined || key in (open.object ?? {}) || this.#skipSpace() !== COLON) return false;
    this.#at++;
    open.key = key;
    return true;
  }

  #add(value: Json): void {
    const open = this.#open.at(-1);
    if (!open) this.#top = value;
    else if (open.object) open.object[open.key] = value;
    else open.array?.push(value);
  }

  #readText(): string | undefined {
    const start = this.#at;
    let end = this.#text.indexOf('"', start + 1);
    const plain = this.#text.slice(start + 1, end);
    if (end > 0 && !UNUSUAL.test(plain)) {
      this.#at = end + 1;
      return end - start > MAX_TEXT ? undefined : plain;
    }
    while (end > 0 && isEscaped(this.#text, end)) end = this.#text.indexOf('"', end + 1);
    this.#at = end + 1;
    return end < 0 || end - start > MAX_TEXT ? undefined : attempt(() => JSON.parse(this.#text.slice(start, end + 1)) as string);
  }

  #readPlain(): Json | undefined {
    NUMBER_OR_WORD.lastIndex = this.#at;
    const [text] = NUMBER_OR_WORD.exec(this.#text) ?? [];
    if (text === undefined) return undefined;
    this.#at += text.length;
    // Digits and the minus sign sort before letters.
    return text < "a" ? new LosslessNumber(text) : WORDS[text];
  }

  #skipSpace(): number {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return code;
      this.#at++;
    }
  }
}

const NUMBER_OR_WORD = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const WORDS: Readonly<Record<string, Json>> = { true: true, false: false, null: null };
/** In a string: an escape, or a control character, which is invalid. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters on purpose
const UNUSUAL = /[\\\u0000-\u001f]/;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COLON = 0x3a;
