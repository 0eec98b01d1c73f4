import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describeJson, isLosslessNumber, isObject, type Json, parseJson, toJsonText } from "../../src/base/json.ts";
import { nastyTexts, numberTexts } from "./generators.ts";

const again = (text: string) => toJsonText(parseJson(text));

describe("numbers", () => {
  test.each([
    "1e400",
    "-1E-400",
    "40.00",
    "12345678901234567890.123",
    "0.1000000000000000055511151231257827",
    "-0",
    "-0.0",
    "1E5",
    "1e+05",
    "9007199254740993",
  ])("%s keeps its digits", (text) => {
    expect(again(text)).toBe(text);
    expect(again(`{"v":[${text},${text}]}`)).toBe(`{"v":[${text},${text}]}`);
  });

  test("of any spelling keep it", () => {
    fc.assert(
      fc.property(numberTexts, (text) => {
        expect(again(text)).toBe(text);
      }),
    );
  });
});

describe("any JSON", () => {
  test("means the same after reading and writing", () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(undefined, 2), (text, indent) => {
        expect(JSON.parse(toJsonText(parseJson(text), indent))).toEqual(JSON.parse(text));
      }),
    );
  });

  test("strings are preserved, and what acts on a terminal is escaped", () => {
    fc.assert(
      fc.property(nastyTexts, nastyTexts, (key, text) => {
        const written = again(JSON.stringify({ [key]: text }));
        expect(JSON.parse(written)).toEqual({ [key]: text });
        // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
        expect(written).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
      }),
    );
  });

  test("control characters that JSON allows unescaped are escaped", () => {
    expect(toJsonText("\u007f\u0080\u009b31m\u009f")).toBe(String.raw`"\u007f\u0080\u009b31m\u009f"`);
    expect(toJsonText("\u001b[31m\u0000")).toBe(String.raw`"\u001b[31m\u0000"`);
  });

  test("may begin with a byte order mark", () => {
    expect(again("\ufeff[1.0]")).toBe("[1.0]");
  });

  test.each(["", "{", "[1,]", "{'a':1}", "<html>", "NaN", "01", "[1] x", '"a\nb"', "undefined", "1.", ".5", "+1"])(
    "%j is invalid",
    (text) => {
      expect(() => parseJson(text)).toThrow(SyntaxError);
    },
  );
});

test("numbers are values, not objects", () => {
  const value = parseJson('{"n":1,"o":{},"a":[],"s":"x","b":true,"z":null}') as Record<string, Json>;
  expect(
    Object.entries(value)
      .filter(([, each]) => isObject(each))
      .map(([key]) => key),
  ).toEqual(["o"]);
  expect(
    Object.entries(value)
      .filter(([, each]) => isLosslessNumber(each))
      .map(([key]) => key),
  ).toEqual(["n"]);
  expect(Object.values(value).map(describeJson)).toEqual([
    "a number",
    "an object",
    "an array",
    "a string",
    "a boolean",
    "null",
  ]);
  expect(describeJson(undefined)).toBe("nothing");
});
