/** The cells of a chart: blocks of two colours, dots, and text of any width. */
import { expect, test } from "vitest";
import { fitNames } from "../../src/format/picture/model/fit-names.ts";
import { CellGrid } from "../../src/format/picture/terminal/canvas.ts";
import { printCompact, shortenTicks, toShownText } from "../../src/format/picture/terminal/text.ts";
test("wide characters take two cells; what does not fit is left out; styles are closed", () => {
  const canvas = new CellGrid(6);
  canvas.write(0, 0, { text: "風x" });
  canvas.write(3, 0, { text: "ab", style: "1" });
  canvas.write(5, 1, { text: "風" });
  canvas.write(4, 2, { text: "abc" });
  expect([...canvas.lines()]).toEqual(["風x\u001b[1mab\u001b[0m", "", "    ab"]);
});

test.each([
  [9999, "9,999"],
  [12_345, "12.3k"],
  [-66_466, "-66.5k"],
  [10_183_581, "10.2M"],
  [3_200_000_000, "3.20B"],
  [0, "0"],
  [undefined, "-"],
])("%s in little space is %s", (value, text) => {
  expect(printCompact(value)).toBe(text);
});

test("long ticks get a suffix, unless two would become the same", () => {
  const ticks = (...values: readonly number[]) => values.map((at) => ({ at, text: at.toLocaleString("en-US") }));
  const shortened = (...values: readonly number[]) => shortenTicks(ticks(...values)).map(({ text }) => text);
  expect(shortened(0, 2_500_000, 5_000_000)).toEqual(["0", "2.5M", "5M"]);
  expect(shortened(0, 5000, 10_000)).toEqual(["0", "5,000", "10,000"]);
  expect(shortened(20_000_000, 20_000_500)).toEqual(["20,000,000", "20,000,500"]);
});

test("text in ASCII keeps what is readable", () => {
  expect(toShownText("tCO₂e · Müller – 風\u001b", false)).toBe("tCO2e - Muller - ?\\u001b");
  expect(toShownText("tCO₂e 風\u001b", true)).toBe("tCO₂e 風\\u001b");
});

test("names are cut where they stay different", () => {
  const fit = (width: number, ...names: readonly string[]) => fitNames(names, (text) => text.length <= width);
  expect(fit(9, "curtailment", "wind")).toEqual(["curtai...", "wind"]);
  expect(fit(9, "curtailment, NSW", "curtailment, Vic")).toEqual(["...t, NSW", "...t, Vic"]);
  expect(fit(11, "a long, long x", "a long, long y", "b long, long x")).toEqual([
    "a lo...ng x",
    "a lo...ng y",
    "b lo...ng x",
  ]);
  expect(fit(80, "wind")).toEqual(["wind"]);
  expect(fit(2, "wind")).toEqual(["..."]);
});
