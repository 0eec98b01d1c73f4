/** What a search finds, and in which order. */
import { describe, expect, test } from "vitest";
import { createSearch, search } from "../../src/facilities/search.ts";

const of = (code: string, name: string, weight: number) => ({ item: code, texts: [code, name], weight });

/** A large weak match, then a small better one. */
test.each([
  { what: "its code before the start of another", wanted: "alpha", found: ["ALPHA2 x", "ALPHA x"] },
  { what: "its code before the same word in a name", wanted: "alpha", found: ["X alpha", "ALPHA x"] },
  { what: "a word as it stands before the start of one", wanted: "lake", found: ["X lakeside", "Y lake"] },
  {
    what: "all words as they stand before one by its start",
    wanted: "north lake",
    found: ["X north lakeside", "Y north lake"],
  },
])("$what, whatever their size", ({ wanted, found }) => {
  const list = found.map((text, index) =>
    of(text.split(" ")[0] ?? "", text.split(" ").slice(1).join(" "), index === 0 ? 900 : 1),
  );
  const [large, small] = list.map(({ item }) => item);
  expect(search(list, [wanted]).items).toEqual([small, large]);
  expect(search(list.toReversed(), [wanted]).items).toEqual([small, large]);
});

test("after its code, the full name comes before the start of a code and other names with these words", () => {
  const names = [
    ["REST", "Lake Power Reserve"],
    ["LAKE2", "Other"],
    ["L1", "L\u00e1ke Power Station"],
    ["LAKE", "Sea"],
  ];
  const list = names.map(([code = "", name = ""], index) => ({ ...of(code, name, 9 - index), name }));
  expect(search(list, ["lake"]).items).toEqual(["LAKE", "L1", "REST", "LAKE2"]);
  expect(search(list, ["lake", "power", "reserve"]).items).toEqual(["REST"]);
});

test("of equally good matches, the largest comes first; of equal size, list order", () => {
  const list = [of("A", "lake", 1), of("B", "lake", 5), of("C", "a lake", 5), of("D", "sea", 9)];
  expect(search(list, ["lake"]).items).toEqual(["B", "C", "A"]);
  expect(search(list, []).items).toEqual(["D", "B", "C", "A"]);
  expect(search(list, [" "]).items).toEqual(["D", "B", "C", "A"]);
});

test("the start of a code is as good as a word of a name", () => {
  expect(search([of("X", "Bay Three", 120), of("BAYSW", "Bayswater", 2640)], ["bay"]).items).toEqual(["BAYSW", "X"]);
});

test("typos are allowed only if no exact match exists, and are reported", () => {
  const find = createSearch([of("UNIT1", "one", 1), of("UNIT2", "two", 2), of("HORNSDALE", "Hornsdale", 3)]);
  expect(find("unit1")).toEqual({ items: ["UNIT1"], isGuess: false });
  expect(find("unit9")).toEqual({ items: ["UNIT2", "UNIT1"], isGuess: true });
  expect(find("hornsdsle")).toEqual({ items: ["HORNSDALE"], isGuess: true });
  expect(find("hornxxxle").items).toEqual([]);
});

test.each([
  ["batteries queensland", ["A"]],
  ["battery queensland", ["A"]],
  ["hills", ["C"]],
  ["gas", []],
])("a plural finds its singular, which is not a guess: %s", (wanted, found) => {
  const list = [
    of("A", "Wandoan battery Queensland", 3),
    of("B", "Gannawarra battery Victoria", 2),
    of("C", "Stony Hill GA", 1),
  ];
  expect(search(list, wanted.split(" ")).items).toEqual(found);
  expect(search(list, [wanted]).isGuess).toBe(found.length === 0);
});

test("an existing plural is not turned into its singular", () => {
  expect(search([of("A", "Hill", 2), of("B", "Hills", 1)], ["hills"]).items).toEqual(["B"]);
});

test.each([
  ["loy yagn", ["A"]],
  ["sloar", ["B"]],
  ["hornsdlae", ["D"]],
  ["yagn", ["A"]],
  // Only one swap is forgiven, of neighbouring letters, and none in a short word.
  ["aygn", []],
  ["gany", []],
  ["bya", []],
])("two swapped neighbouring letters are one typo, reported as a guess: %s", (wanted, found) => {
  const list = [of("A", "Loy Yang A", 3), of("B", "Lake solar", 2), of("C", "Bay", 1), of("D", "Hornsdale", 1)];
  expect(createSearch(list)(wanted)).toEqual({ items: found, isGuess: true });
});

test("an exact word comes before one with swapped letters", () => {
  const find = createSearch([of("A", "Yang", 2), of("B", "Yagn", 1)]);
  expect(find("yagn")).toEqual({ items: ["B"], isGuess: false });
});

test.each([
  ["\u00e5ngstr\u00f6m", "Angstrom"],
  ["angstrom", "\u00c5ngstr\u00f6m"],
  ["A\u030angstro\u0308m", "\u00c5NGSTR\u00d6M"],
])("accents and case are ignored: %s finds %s", (wanted, name) => {
  expect(createSearch([of("X", name, 1)])(wanted)).toEqual({ items: ["X"], isGuess: false });
});

test("a code with underscores is one word and several words", () => {
  const find = createSearch([of("ALBANY_WF1", "x", 1), of("W/HOE#1", "y", 1)]);
  for (const wanted of ["albany_wf1", "albany", "wf1", "albany wf1"])
    expect(find(wanted)).toEqual({ items: ["ALBANY_WF1"], isGuess: false });
  for (const wanted of ["w/hoe#1", "hoe 1"]) expect(find(wanted)).toEqual({ items: ["W/HOE#1"], isGuess: false });
});

describe("filler words", () => {
  const list = [
    of("A", "Lake wind South Australia", 1),
    of("B", "White Rock Wind Farm", 2),
    of("C", "Power Reserve", 3),
  ];

  test.each([
    ["wind farms of South Australia", ["A"]],
    ["wind farm", ["B", "A"]],
    ["Lake power station", ["A"]],
    ["power", ["C"]],
    ["power reserve", ["C"]],
    ["farm", ["B"]],
    ["power station", []],
  ])("%s", (wanted, found) => {
    expect(search(list, wanted.split(" ")).items).toEqual(found);
  });
});

test("a text of more than 200 characters is refused before it is looked for", () => {
  const find = createSearch([of("ALPHA", "Alpha", 1)]);
  expect(find("alpha".padEnd(200, " ")).items).toEqual(["ALPHA"]);
  expect(() => find("x".repeat(100_000))).toThrow("the text to search for has 100,000 characters");
});
