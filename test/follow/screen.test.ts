/** Frames on a terminal: how many lines long lines take. */
import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { openScreen } from "../../src/follow/screen.ts";
import { measureCells } from "../../src/format/text-width.ts";

function showOn(size: { readonly columns: number; readonly rows: number }, frame: string): string[] {
  const output = { stream: Object.assign(new PassThrough(), size), isTerminal: true, ...size };
  const screen = openScreen(
    { stdout: output, stderr: output, jobControl: undefined } as never,
    { divert: () => {} },
    async () => undefined,
  );
  const painted = screen.show(frame);
  screen.close();
  return stripVTControlCharacters(painted).split("\r\n");
}

const NUMBERS = "2025-01-01 11:05  6,095.75 57.61 1,234.56";

test.each([
  ["digits", `${NUMBERS}\n`, [NUMBERS.slice(0, 20), NUMBERS.slice(20, 40), NUMBERS.slice(40)]],
  [
    "bold and colours",
    `\u001b[1m${NUMBERS}\u001b[22m\n`,
    [NUMBERS.slice(0, 20), NUMBERS.slice(20, 40), NUMBERS.slice(40)],
  ],
  ["wide characters", "日本語日本語日本語日本語\n", ["日本語日本語日本語日", "本語"]],
  ["a line of just the width", "12345678901234567890\n", ["12345678901234567890"]],
])("a line that is too long continues on the next one: %s", (_what, frame, lines) => {
  const shown = showOn({ columns: 20, rows: 10 }, frame);
  expect(shown.filter((line) => line !== "")).toEqual(lines);
  expect(shown.every((line) => measureCells(line) <= 20)).toBe(true);
});

test("never more lines than the terminal has", () => {
  expect(showOn({ columns: 20, rows: 2 }, `${NUMBERS}\n`)).toEqual([NUMBERS.slice(0, 20), NUMBERS.slice(20, 40)]);
});
