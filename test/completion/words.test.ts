/** Words as shells type and read them. */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { listTypedWords } from "../../src/cli/completion/words.ts";
import { draws } from "../support/extent.ts";
import { createHome } from "../support/run-ents.ts";
import { answer } from "./tab.ts";
import { HAS_ANY_NAMES, HAS_SHELL } from "../support/platform.ts";

/** The words of a line, each with a mark for its type. */
function show(line: string): string[] {
  return listTypedWords(line).map(({ text, quote, isExpanded, hasTilde, isRedirected }) =>
    [text, quote && `open ${quote}`, isExpanded && "expanded", hasTilde && "tilde", isRedirected && "redirected"]
      .filter((part) => part !== "" && part !== false)
      .join(" "),
  );
}

test.each<[line: string, words: readonly string[]]>([
  ["a b", ["a", "b"]],
  ["a ", ["a", ""]],
  ["a\t  b ", ["a", "b", ""]],
  [`a 'b c' "d e"f\\ g`, ["a", "b c", "d ef g"]],
  ["a 'b c", ["a", "b c open '"]],
  [`a "b c`, ["a", `b c open "`]],
  [`a 'it'\\''s`, ["a", "it's open '"]],
  [`a "\\"\\$\\\`\\\\\\n"`, ["a", '"$`\\\\n']],
  ["a $(b c) d", ["a", "$(b c) expanded", "d"]],
  ["a $(b $(c) ')' \")\" \\) d) e", ["a", "$(b $(c) ')' \")\" \\) d) expanded", "e"]],
  ["a $(b c", ["a", "$(b c expanded"]],
  ["a `b c` d", ["a", "`b c` expanded", "d"]],
  ["a `b \\` c", ["a", "`b \\` c expanded"]],
  ["a $HOME '$HOME' \"$HOME\"", ["a", "$HOME expanded", "$HOME", "$HOME expanded"]],
  ["a <(b c) d", ["a", "<(b c) expanded", "d"]],
  ["a ~/b \\~/b '~/b' b~", ["a", "~/b tilde", "~/b", "~/b", "b~"]],
  ["a b\\", ["a", "b expanded"]],
  [
    "a > b c 2>d 2>&1 >> e <f g2>h",
    ["a", "b redirected", "c", "d redirected", "1 redirected", "e redirected", "f redirected", "g2", "h redirected"],
  ],
  ["a >", ["a", "redirected"]],
  ["a > ", ["a", "redirected"]],
  ["a; b c", ["b", "c"]],
  ["a && b | c d", ["c", "d"]],
  ["é ü€ 😀x", ["é", "ü€", "😀x"]],
])("%s", (line, words) => {
  expect(show(line)).toEqual(words);
});

/** Characters that are special in shells, and a few others. */
const CHARS = Array.from("abZ09 '\"\\$`!#~*?[]{}()<>|&;,=@:/-+%^.é€😀");

const texts = fc.array(fc.string({ unit: fc.constantFrom(...CHARS), minLength: 1, maxLength: 12 }), {
  minLength: 1,
  maxLength: 20,
});

/** File names as TAB in bash types them, after the part that is already typed. */
async function typeNames(names: readonly string[], begun: string): Promise<string[]> {
  const home = createHome();
  mkdirSync(home.path("data"));
  for (const name of names) writeFileSync(home.path(`data/${name}`), "");
  return answer(["bash", begun.replace(/^['"]/, ""), `ents network NEM -o ${begun}`], { cwd: home.folder });
}

test.skipIf(!HAS_SHELL)("bash reads back the names that TAB types, with or without quotes", async () => {
  await fc.assert(
    fc.asyncProperty(texts, fc.constantFrom("", "'", '"'), async (parts, quote) => {
      const names = [...new Set(parts.map((part) => `x${part.replaceAll("/", "")}`))];
      const typed = (await typeNames(names, `${quote}data/`)).map((text) => `${quote}${text}${quote}`);
      const { stdout } = spawnSync("bash", ["-c", `printf '%s\\0' ${typed.join(" ")}`], {
        encoding: "utf8",
        env: { LC_ALL: "C.UTF-8" },
      });
      expect(stdout.split("\0").slice(0, -1)).toEqual(names.map((name) => `data/${name}`).toSorted());
      expect(listTypedWords(typed.join(" ")).map(({ text }) => text)).toEqual(
        names.map((name) => `data/${name}`).toSorted(),
      );
    }),
    { numRuns: draws(3, 300) },
  );
});

test("no line is too strange", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary" }), fc.array(fc.string({ unit: "binary" })), async (text, words) => {
      const env = { ENTS_TYPED: [text, text, ...words].join("\n") };
      const shells = [
        ["bash", text, `ents ${words.join(" ")} ${text}`],
        ["fish", text, ...words],
        ["zsh", '"', text, ...words],
        ["powershell"],
      ];
      for (const args of shells) expect(await answer(args, { env })).toBeInstanceOf(Array);
    }),
    { numRuns: draws(4, 5000, 10) },
  );
});

/** Each case: the line as the shell passes it, and the lines for its script. */
describe("the text that replaces what was typed", () => {
  test.each<[typed: string, replaced: string, printed: readonly string[]]>([
    ["--format=cs", "cs", ["csv"]],
    ['--format="cs', "cs", ["csv"]],
    ["-m power,ener", "power,ener", ["power,energy"]],
    ['-m power,"ener', "ener", ["energy"]],
    ['-m "power",ener', '"power",ener', ["power,energy"]],
    ["-r nsw", "nsw", ["NSW1"]],
    ["-r 'nsw", "nsw", ["NSW1"]],
    ["-f C", "C", ["csv", "chart"]],
  ])("bash: %s", async (typed, replaced, printed) => {
    expect(await answer(["bash", replaced, `ents network NEM ${typed}`])).toEqual(printed);
  });

  test.each<[typed: readonly [quote: string, word: string], words: readonly string[], start: string]>([
    [["", "--format=cs"], [], "--format="],
    [["", "power,ener"], ["-m"], "power,"],
    [['"', "power,ener"], ["-m"], "power,"],
    [["", "po\\wer,ener"], ["-m"], "po\\wer,"],
    [["", "ener"], ["-m"], ""],
  ])("zsh: %s", async (typed, words, start) => {
    const [printed, ...candidates] = await answer(["zsh", ...typed, "network", "NEM", ...words]);
    expect(printed).toBe(start);
    expect(candidates.length).toBeGreaterThan(3);
  });

  test("a variable stays as typed, in any shell", async () => {
    expect(await answer(["bash", "$X,ener", "ents network NEM -m $X,ener"])).toEqual([]);
    expect(await answer(["zsh", "", "$X,ener", "network", "NEM", "-m"])).toEqual([]);
    expect(await answer(["fish", "$X,ener", "network", "NEM", "-m"])).toEqual([]);
  });

  test.skipIf(!HAS_ANY_NAMES)("zsh: colons and backslashes", async () => {
    const home = createHome();
    writeFileSync(home.path("a:b\\c"), "");
    expect(await answer(["zsh", "", "", "network", "NEM", "-o"], { cwd: home.folder })).toEqual(["", "a\\:b\\\\c"]);
  });

  test.each<[typed: readonly [word: string, replaced: string], words: readonly string[], printed: readonly string[]]>([
    [
      ["", ""],
      ["-r"],
      ["NSW1\tNSW1\tNSW1", "QLD1\tQLD1\tQLD1", "SA1\tSA1\tSA1", "TAS1\tTAS1\tTAS1", "VIC1\tVIC1\tVIC1"],
    ],
    [["power,ener", "ener"], ["-m"], ["energy\tenergy\tEnergy over the interval (MWh)"]],
    [["power,ener", "power,ener"], ["-m"], ["'power,energy'\tenergy\tEnergy over the interval (MWh)"]],
    [["'power,ener", "'power,ener"], ["-m"], ["'power,energy'\tenergy\tEnergy over the interval (MWh)"]],
    [["--format=cs", "--format=cs"], [], ["--format=csv\tcsv\t--format=csv"]],
    [["'it''s,ener", "'it''s,ener"], ["-m"], ["'it''s,energy'\tenergy\tEnergy over the interval (MWh)"]],
    [["a` b,ener", "a` b,ener"], ["-m"], ["'a b,energy'\tenergy\tEnergy over the interval (MWh)"]],
    [["$(ls)", "$(ls)"], ["-m"], []],
    [["$X,ener", "$X,ener"], ["-m"], []],
  ])("PowerShell: %s", async ([typed, replaced], words, printed) => {
    expect(
      await answer(["powershell"], { env: { ENTS_TYPED: [replaced, typed, "network", "NEM", ...words].join("\n") } }),
    ).toEqual(printed);
  });
});

test.each([
  [],
  ["tcsh", "", "ents "],
  ["bash"],
  ["bash", "x", "ents y"],
  ["powershell"],
  ["__proto__"],
  ["constructor"],
])("nothing for what no script would ask: %s", async (...args) => {
  expect(await answer(args)).toEqual([]);
});

test("if a shell prints no candidate, nothing is printed, not even an empty line", async () => {
  expect(await answer(["bash", "'it", "ents network NEM -m 'it"])).toEqual([]);
});
