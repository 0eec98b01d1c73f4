/** Long JSON is parsed in steps by another parser, with the same result; it leaves what it cannot read to the normal one. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Json, parseJson, toJsonText } from "../../src/base/json.ts";
import { parseJsonInSteps, tryParseLong } from "../../src/base/json-steps.ts";
import { runAtOnce } from "../../src/base/steps.ts";
import { bodies } from "../fast/bodies.ts";
import { nastyTexts, numberTexts } from "./generators.ts";

function tryParse(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Keys that every object already has. */
const INHERITED = Object.getOwnPropertyNames(Object.prototype);

/** Keeps the spelling of numbers and the order of fields. */
const textOf = (json: Json | undefined) => (json === undefined ? undefined : toJsonText(json));

test("any JSON gives the same result", () => {
  const texts = fc.oneof(
    fc.json(),
    numberTexts,
    nastyTexts.map((text) => JSON.stringify({ [text]: [text] })),
    fc.json().map((text) => JSON.stringify(JSON.parse(text), undefined, "\t\r\n ")),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const isUnusual = INHERITED.some((name) => text.includes(`"${name}"`));
      expect([textOf(parseJson(text)), isUnusual ? undefined : ""]).toContain(textOf(runAtOnce(tryParseLong(text))));
    }),
  );
});

test("invalid JSON is never accepted", () => {
  const broken = fc
    .tuple(bodies, fc.nat(), fc.constantFrom("", ",", ":", "[", "]", "{", "}", '"', "\\", "0", "-", ".", "e", "null", "\n", "\u0000"))
    .map(([body, at, put]) => {
      const text = body.toString();
      const place = at % (text.length + 1);
      return text.slice(0, place) + put + text.slice(place + (at % 2));
    });
  fc.assert(
    fc.property(broken, (text) => {
      expect([undefined, textOf(tryParse(text))]).toContain(textOf(runAtOnce(tryParseLong(text))));
    }),
    { numRuns: 500 },
  );
});

describe("a long text", () => {
  const long = (text: string) => `{"filler":"${"x".repeat(300_000)}","more":${text}}`;

  test("is read in steps", () => {
    const steps = parseJsonInSteps(long(`[${"1.50,".repeat(50_000)}null]`));
    expect([...steps].length).toBeGreaterThan(20);
  });

  test.each(["{}", '{"__proto__":1,"constructor":2}', '["\\u00e9\\n\\"",-0.0E+5,true,false,null]', " [ [ ] , { } ] "])(
    "of %s is read like a short one",
    (text) => {
      expect(textOf(runAtOnce(parseJsonInSteps(long(text))))).toBe(textOf(parseJson(long(text))));
    },
  );

  test.each(["{", "[1,]", '{"a":1,}', '{"a":1,"a":2}', "01", "[NaN]", '"\\x"', '"\n"', "[".repeat(501) + "]".repeat(501)])(
    "of %s fails like a short one",
    (text) => {
      const errorOf = (parse: () => unknown) => {
        try {
          return parse();
        } catch (error) {
          return String(error);
        }
      };
      expect(errorOf(() => parseJson(long(text)))).toMatch(/Error: /);
      expect(errorOf(() => runAtOnce(parseJsonInSteps(long(text))))).toBe(errorOf(() => parseJson(long(text))));
    },
  );
});
