import fc from "fast-check";
import { expect, test } from "vitest";
import { escapeControls } from "../../src/base/terminal.ts";
import { nastyTexts } from "./generators.ts";

/** fast-check's own string of any characters takes two seconds to set up. */
const anyTexts = fc.array(fc.integer({ max: 0x10ffff, min: 0 }).map((code) => String.fromCodePoint(code))).map((all) => all.join(""));

test.each([
  ["\u001b[31mred", String.raw`\u001b[31mred`],
  ["a\nb\tc\r", String.raw`a\u000ab\u0009c\u000d`],
  ["\u009b2J", String.raw`\u009b2J`],
  ["\u007f\u0000", String.raw`\u007f\u0000`],
  ["abc\u202ecba", String.raw`abc\u202ecba`],
  ["a\u2028b", String.raw`a\u2028b`],
  ["", ""],
  ["plain é 日本 💡", "plain é 日本 💡"],
])("%j is shown as %j", (text, shown) => {
  expect(escapeControls(text)).toBe(shown);
});

test("what is shown holds no control character, and is shown again as it is", () => {
  fc.assert(
    fc.property(fc.oneof(nastyTexts, anyTexts), (text) => {
      const shown = escapeControls(text);
      expect(shown).not.toMatch(/\p{Cc}/u);
      expect(escapeControls(shown)).toBe(shown);
    }),
  );
});
