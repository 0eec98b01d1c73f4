import fc from "fast-check";
import { expect, test } from "vitest";
import { escapeControls, wrapMessage } from "../../src/base/terminal.ts";
import { nastyTexts } from "./generators.ts";

/** fast-check's own string of any characters takes two seconds to set up. */
const anyTexts = fc
  .array(fc.integer({ max: 0x10ffff, min: 0 }).map((code) => String.fromCodePoint(code)))
  .map((all) => all.join(""));

test.each([
  ["\u001b[31mred", String.raw`\u001b[31mred`],
  ["a\nb\tc\r", String.raw`a\u000ab\u0009c\u000d`],
  ["\u009b2J", String.raw`\u009b2J`],
  ["\u007f\u0000", String.raw`\u007f\u0000`],
  ["abc\u202ecba", String.raw`abc\u202ecba`],
  ["a\u2028b", String.raw`a\u2028b`],
  ["\u2066a\u2067b\u2068c\u2069", String.raw`\u2066a\u2067b\u2068c\u2069`],
  ["\u200ea\u200f", String.raw`\u200ea\u200f`],
  ["", ""],
  ["plain é 日本 💡", "plain é 日本 💡"],
])("%j is shown as %j", (text, shown) => {
  expect(escapeControls(text)).toBe(shown);
});

test("shown text has no control character, and is shown the same again", () => {
  fc.assert(
    fc.property(fc.oneof(nastyTexts, anyTexts), (text) => {
      const shown = escapeControls(text);
      expect(shown).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
      expect(escapeControls(shown)).toBe(shown);
    }),
  );
});

const WRAPPED = ["note: from 2024-01-01 until now;", "for 2024 alone, use", "--during 2024"];

test("a message wraps at words, and commands in it stay in one line", () => {
  expect(wrapMessage("note: from 2024-01-01 until now; for 2024 alone, use --during 2024", 32)).toEqual(WRAPPED);
  expect(wrapMessage("see 'ents list regions --help' for all", 12)).toEqual([
    "see",
    "'ents list regions --help'",
    "for all",
  ]);
  expect(wrapMessage("ents market NEM -m price -o 'my prices.csv'", 12)).toEqual([
    "ents market NEM -m price -o 'my prices.csv'",
  ]);
  expect(wrapMessage("name a network: ents network NEM -m power", 20)).toEqual([
    "name a network:",
    "ents network NEM -m power",
  ]);
  expect(wrapMessage("the service's own, and the network's", 20)).toEqual(["the service's own,", "and the network's"]);
});

test("wrapped lines are the message, and none is longer than the width except a word or a command", () => {
  const words = fc.array(
    fc.constantFrom<string>("a", "price", "unknown", "'ents list'", "--last 7d", "https://v4.example.org/path"),
    {
      minLength: 1,
    },
  );
  fc.assert(
    fc.property(words, fc.integer({ min: 1, max: 80 }), (all, width) => {
      const lines = wrapMessage(all.join(" "), width);
      expect(lines.join(" ")).toBe(all.join(" "));
      expect(lines.filter((line) => line.length > width && !all.includes(line))).toEqual([]);
    }),
  );
});
