import fc from "fast-check";
import { expect, test } from "vitest";
import { LosslessNumber } from "../../src/base/json.ts";
import {
  encodeCell,
  encodeDate,
  encodeRow,
  encodeText,
  escapeCellText,
  findDateStyle,
} from "../../src/format/xlsx/cells.ts";
import { nastyTexts, numberTexts, seconds } from "./generators.ts";

/** ECMA-376 Part 1, 22.9.2.19, and XML's own entities. */
function unescape(xml: string): string {
  const text = xml.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
  return text.replace(/_x([0-9A-F]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

test("any text comes back, from characters that XML allows", () => {
  const texts = fc.oneof(
    nastyTexts,
    fc.array(fc.constantFrom("_", "x", "0", "00", "D", "x000D_", "_x0007_")).map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const xml = escapeCellText(text);
      expect(xml).not.toMatch(/(?![\t\n])[\0-\x1f]|<|&(?!amp;|lt;|gt;)/);
      expect(unescape(xml)).toBe(text);
    }),
  );
});

test("a cell holds 32,767 characters; a longer text is an error, and never cut", () => {
  expect(escapeCellText("a".repeat(32_767))).toHaveLength(32_767);
  expect(() => escapeCellText("a".repeat(32_768))).toThrow(
    "xlsx holds texts of at most 32,767 characters; this one has 32,768: aaa",
  );
});

test("numbers are the nearest doubles; larger ones, and other values, are text", () => {
  fc.assert(
    fc.property(numberTexts, (text) => {
      const number = Number(text);
      // #,##0 and #,##0.00; one that they would show as zero has neither.
      const style = Number.isInteger(number) ? ' s="3"' : Math.abs(number) < 0.005 ? "" : ' s="4"';
      expect(encodeCell(text, "value")).toBe(
        Number.isFinite(number) ? `${style}><v>${number}</v></c>` : encodeText(text),
      );
    }),
  );
  expect(encodeCell("1e400", "value")).toBe(' t="inlineStr"><is><t>1e400</t></is></c>');
  expect(encodeCell('"n/a"', "value")).toBe(' t="inlineStr"><is><t>n/a</t></is></c>');
  expect(encodeCell(new LosslessNumber("7.50"), "text")).toBe(' s="4"><v>7.5</v></c>');
  expect(encodeCell("7.50", "text")).toBe(' t="inlineStr"><is><t>7.50</t></is></c>');
  expect(encodeCell(true, "text")).toBe(' t="b"><v>1</v></c>');
  expect(encodeCell(null, "value")).toBe("");
});

test("a date is its days since the end of 1899 if all spreadsheets agree, and text otherwise", () => {
  expect(encodeDate(Date.UTC(2025, 0, 1, 6), 0)).toBe("><v>45658.25</v></c>");
  expect(encodeDate(Date.UTC(1900, 2, 1), 0)).toBe("><v>61</v></c>");
  expect(encodeDate(Date.UTC(1900, 1, 28, 23, 55), 3)).toBe(encodeText("1900-02-28T23:55:00"));
  expect(encodeDate(Date.UTC(9999, 11, 31), 0)).toBe("><v>2958465</v></c>");
  expect(encodeDate(Date.UTC(10_000, 0, 1), 0)).toMatch(/^ t="inlineStr"/);
  fc.assert(
    fc.property(
      seconds.filter((wallClock) => wallClock >= Date.UTC(1900, 2, 1)),
      (wallClock) => {
        const day = Number(/^><v>(.*)<\/v>/.exec(encodeDate(wallClock, 0))?.[1]);
        expect(Math.round((day - 25_569) * 86_400) * 1000).toBe(wallClock);
      },
    ),
  );
});

test("a date is as precise as its interval needs", () => {
  const [year, month, date, time, second] = [5, 6, 7, 8, 9];
  const start = Date.UTC(2025, 0, 1);
  expect(
    (["5m", "1h", "1d", "7d", "1M", "season", "1y"] as const).map((interval) => findDateStyle(start, interval)),
  ).toEqual([time, time, date, date, month, month, year]);
  expect(findDateStyle(Date.UTC(2025, 6, 1), "fy")).toBe(month);
  expect(findDateStyle(Date.UTC(2025, 0, 1, 14), "1d")).toBe(time);
  expect(findDateStyle(start + 1000, "1y")).toBe(second);
  expect(findDateStyle(start, undefined)).toBe(time);
});

test("cells have references, and empty ones are left out", () => {
  const cells = Array.from({ length: 703 }, (_, column) =>
    [0, 25, 26, 51, 701, 702].includes(column) ? "><v>1</v></c>" : "",
  );
  expect(encodeRow(7, cells).match(/r="\w+"/g)).toEqual([
    'r="7"',
    ...["A7", "Z7", "AA7", "AZ7", "ZZ7", "AAA7"].map((name) => `r="${name}"`),
  ]);
});
