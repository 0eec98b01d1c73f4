/** Ways to damage a body: in its JSON, in its bytes, and in transit. */
import { gzipSync } from "node:zlib";
import { TOKEN } from "../e2e/envelopes.ts";
import type { Chance } from "../support/chance.ts";
import { ENDINGS, MEMBERS, NAMES, NUMBERS, STAMPS, STRINGS, TEXTS, VALUES } from "./texts.ts";

type Mutate<T> = (subject: T, chance: Chance) => T;

export const MUTATE_TEXT: Readonly<Record<string, Mutate<string>>> = {
  "another string": (text, chance) =>
    replaceToken(text, STRING, { chance, make: () => JSON.stringify(chance.pick(TEXTS)) }),
  "an odd string": (text, chance) => replaceToken(text, STRING, { chance, make: () => chance.pick(STRINGS) }),
  "another number": (text, chance) => replaceToken(text, NUMBER, { chance, make: () => chance.pick(NUMBERS) }),
  "another type": (text, chance) => replaceToken(text, VALUE, { chance, make: () => chance.pick(VALUES) }),
  "another stamp": (text, chance) =>
    replaceToken(text, STAMP, { chance, make: () => JSON.stringify(chance.pick(STAMPS)) }),
  "a member more": (text, chance) => insertAfter(text, /\{(?=")/g, { chance, make: () => chance.pick(MEMBERS) }),
  "a hostile label": (text, chance) =>
    text.replaceAll(/"columns":\{(\}?)/g, (_, end: string) => {
      const member = `${JSON.stringify(chance.pick(NAMES))}:${JSON.stringify(chance.pick(TEXTS))}`;
      return `"columns":{${member}${end === "" ? "," : end}`;
    }),
  "a long label": (text, chance) =>
    insertAfter(text, /"columns":\{(?=")/g, {
      chance,
      make: () => `"long":"${"y".repeat(chance.pick([65_537, 300_000]))}",`,
    }),
  "deep nesting": (text, chance) => insertAfter(text, /\{(?=")/g, { chance, make: () => `"deep":${nest(chance)},` }),
  "no member": (text, chance) =>
    replaceToken(text, /"\w+":(?:"[^"\\]*"|-?\d[\d.]*|null|true|\[\]|\{\}),?/g, { chance, make: () => "" }),
  "no token": (text, chance) =>
    replaceToken(text, /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^{}[\],:"\s]+/gs, { chance, make: () => "" }),
  "a token twice": (text, chance) =>
    replaceToken(text, /"(?:[^"\\]|\\.)*"|[{}[\],:]/gs, { chance, make: (token) => token + token }),
  blanks: (text, chance) =>
    insertAfter(text, /[{}[\],:]/g, {
      chance,
      make: () => chance.pick([" ".repeat(5000), "\n\t\r ", "\u00a0", "\u000b"]),
    }),
  "the token": (text, chance) => replaceToken(text, STRING, { chance, make: () => JSON.stringify(TOKEN) }),
  "an end": (text, chance) => text + chance.pick(ENDINGS),
};

export const MUTATE_BYTES: Readonly<Record<string, Mutate<Buffer>>> = {
  cut: (bytes, chance) => bytes.subarray(0, chance.below(bytes.length + 1)),
  "flipped bits": (bytes, chance) => {
    const flipped = Buffer.from(bytes);
    for (let left = 1 + chance.below(6); left > 0 && bytes.length > 0; left--) {
      const at = chance.below(bytes.length);
      flipped[at] = (flipped[at] as number) ^ (1 << chance.below(8));
    }
    return flipped;
  },
  garbage: (bytes, chance) =>
    insertBytes(bytes, Buffer.from(Array.from({ length: 1 + chance.below(20) }, () => chance.below(256))), chance),
  "a byte order mark": (bytes) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]),
  "two byte order marks": (bytes) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf]), bytes]),
  "a NUL": (bytes, chance) => insertBytes(bytes, Buffer.from([0]), chance),
  "no UTF-8": (bytes, chance) =>
    insertBytes(
      bytes,
      Buffer.from(chance.pick([[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xf8, 0x88], [0xc0, 0xaf]])),
      chance,
    ),
  "UTF-16": (bytes) => Buffer.from(bytes.toString("utf8"), "utf16le"),
  "the body twice": (bytes) => Buffer.concat([bytes, bytes]),
};

/** The bytes and headers that are sent. */
export interface Packed {
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

export const MUTATE_WIRE: Readonly<Record<string, (bytes: Buffer, chance: Chance) => Packed>> = {
  gzip: (bytes, chance) => ({
    headers: { "content-encoding": chance.pick(["gzip", "GZIP", "x-gzip"]) },
    bytes: gzipSync(bytes),
  }),
  "gzip in members": (bytes, chance) => {
    const at = chance.below(bytes.length + 1);
    return { headers: GZIP, bytes: Buffer.concat([gzipSync(bytes.subarray(0, at)), gzipSync(bytes.subarray(at))]) };
  },
  "gzip with an end": (bytes, chance) => ({
    headers: GZIP,
    bytes: Buffer.concat([gzipSync(bytes), Buffer.from(chance.pick(ENDINGS))]),
  }),
  "gzip cut": (bytes, chance) => {
    const packed = gzipSync(bytes);
    return { headers: GZIP, bytes: packed.subarray(0, chance.below(packed.length)) };
  },
  "gzip flipped": (bytes, chance) => ({
    headers: GZIP,
    bytes: (MUTATE_BYTES["flipped bits"] as Mutate<Buffer>)(gzipSync(bytes), chance),
  }),
  "gzip twice": (bytes) => ({ headers: GZIP, bytes: gzipSync(gzipSync(bytes)) }),
  "gzip that is none": (bytes) => ({ headers: GZIP, bytes }),
  "gzip unsaid": (bytes) => ({ headers: {}, bytes: gzipSync(bytes) }),
  "gzip of much": (bytes) => ({
    headers: GZIP,
    bytes: gzipSync(Buffer.concat([bytes, Buffer.alloc(8_000_000, 0x20)])),
  }),
  "another encoding": (bytes, chance) => ({
    headers: {
      "content-encoding": chance.pick([
        "br",
        "deflate",
        "zstd",
        "gzip, gzip",
        "identity, gzip",
        "identity",
        "",
        "utf-8",
      ]),
    },
    bytes,
  }),
};

const GZIP = { "content-encoding": "gzip" };
const STRING = /"(?:[^"\\]|\\.)*"/gs;
const NUMBER = /(?<=[[,:]\s*)-?\d[\d.eE+-]*/g;
const VALUE = /(?<=[[,:]\s*)(?:"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|\[\]|\{\})/gs;
const STAMP = /"\d{4}-\d\d-\d\dT[^"]*"/g;

interface Change {
  readonly chance: Chance;
  readonly make: (old: string) => string;
}

/** Replaces one match; returns the text unchanged if there is none. */
function replaceToken(text: string, pattern: RegExp, { chance, make }: Change): string {
  const matches = [...text.matchAll(pattern)];
  if (matches.length === 0) return text;
  const { 0: old, index } = chance.pick(matches);
  return text.slice(0, index) + make(old) + text.slice(index + old.length);
}

function insertAfter(text: string, pattern: RegExp, { chance, make }: Change): string {
  return replaceToken(text, pattern, { chance, make: (old) => old + make(old) });
}

function insertBytes(bytes: Buffer, more: Buffer, chance: Chance): Buffer {
  const at = chance.below(bytes.length + 1);
  return Buffer.concat([bytes.subarray(0, at), more, bytes.subarray(at)]);
}

function nest(chance: Chance): string {
  const depth = chance.pick([5, 600, 20_000]);
  return chance.oneIn(2) ? "[".repeat(depth) + "]".repeat(depth) : `${'{"a":'.repeat(depth)}0${"}".repeat(depth)}`;
}
