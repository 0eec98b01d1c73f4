/** Parses long JSON in steps, so that signals need not wait for its end. */
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
  stripMark,
} from "./json.ts";
import type { Steps } from "./steps.ts";

/** Shorter text is parsed at once: that takes a few milliseconds. */
const LONG_JSON = 256 * 1024;

/** Values of a step: about a millisecond. */
const STEP_VALUES = 2000;

/** As `parseJson`, with the same errors. */
export function* parseJsonInSteps(text: string): Steps<Json> {
  return (text.length < LONG_JSON ? undefined : yield* tryParseLong(text)) ?? parseJson(text);
}

/** Undefined for what is unusual or no JSON, which `parseJson` tells apart. */
export function* tryParseLong(text: string): Steps<Json | undefined> {
  const reader = new JsonReader(stripMark(text));
  while (reader.readSome()) yield;
  return reader.value;
}

interface Open {
  readonly array?: Json[];
  readonly object?: Record<string, Json>;
  /** The name of an object's next value. */
  key: string;
}

class JsonReader {
  /** Undefined before the end, and for text that is unusual. */
  value: Json | undefined;
  readonly #text: string;
  readonly #open: Open[] = [];
  #top: Json | undefined;
  #at = 0;
  #values = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Whether there is more to read. */
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

  /** Reads a scalar, or the start of an array or object, and all that ends after it. False for what is unusual. */
  #readValue(): boolean {
    const code = this.#skipSpace();
    this.#values++;
    if (code === OPEN_BRACKET) return this.#openArray();
    if (code === OPEN_BRACE) return this.#openObject();
    const scalar = code === QUOTE ? this.#readText() : (this.#readNumber() ?? this.#readWord());
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

  /** After a value: closes what ends here, up to the next value. */
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

  /** A key that comes twice, or that objects have already, is left to the other parser. */
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
    return end < 0 || end - start > MAX_TEXT ? undefined : tryParseText(this.#text.slice(start, end + 1));
  }

  #readNumber(): Json | undefined {
    NUMBER.lastIndex = this.#at;
    const [digits] = NUMBER.exec(this.#text) ?? [];
    if (digits === undefined) return undefined;
    this.#at += digits.length;
    return new LosslessNumber(digits);
  }

  #readWord(): Json | undefined {
    for (const [word, value] of WORDS) {
      if (!this.#text.startsWith(word, this.#at)) continue;
      this.#at += word.length;
      return value;
    }
    return undefined;
  }

  /** The character after white space. */
  #skipSpace(): number {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return code;
      this.#at++;
    }
  }
}

function tryParseText(json: string): string | undefined {
  try {
    return JSON.parse(json) as string;
  } catch {
    return undefined;
  }
}

const WORDS = [
  ["true", true],
  ["false", false],
  ["null", null],
] as const;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** In a string: it is not spelled as it reads, or is none. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const UNUSUAL = /[\\\u0000-\u001f]/;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COLON = 0x3a;
