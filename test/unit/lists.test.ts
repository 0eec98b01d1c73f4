import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { expandList } from "../../src/cli/values.ts";
import { contextWith } from "../support/context.ts";

const folder = mkdtempSync(join(tmpdir(), "ents-lists-"));
afterAll(() => rmSync(folder, { recursive: true }));

function expand(values: string[], stdin = ""): Promise<string[]> {
  const stream = Readable.from([stdin]);
  return expandList(values, contextWith({ stdin: { stream, isTerminal: false }, cwd: "/" }));
}

function file(content: string): string {
  const path = join(folder, "codes.txt");
  writeFileSync(path, content);
  return `@${path}`;
}

describe("values on the command line", () => {
  test.each([
    [
      ["power", "energy"],
      ["power", "energy"],
    ],
    [["power,energy"], ["power", "energy"]],
    [["power, energy"], ["power", "energy"]],
    [
      ["power,", "energy"],
      ["power", "energy"],
    ],
    [[",power,,energy,"], ["power", "energy"]],
    [["power;energy"], ["power", "energy"]],
    [[","], []],
    [
      ["a", "b,c", "a"],
      ["a", "b", "c", "a"],
    ],
    [["a#b"], ["a#b"]],
  ])("%j are %j", async (given, values) => {
    expect(await expand(given)).toEqual(values);
  });

  test("spaces, commas and repetition mean the same", async () => {
    const codes = fc.array(fc.stringMatching(/^[A-Z][A-Z0-9_]{0,8}$/), { minLength: 1, maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(codes, fc.array(fc.constantFrom(",", ", ", "|")), async (values, joints) => {
        const joined = values.map((value, index) => value + (joints[index] ?? "|")).join("");
        expect(await expand(joined.split("|"))).toEqual(values);
      }),
    );
  });
});

describe("@file", () => {
  test("one per line; comments, blank lines, spaces and any line ending are not part of a value", async () => {
    const content = "# my codes\nERARING\r\n\n  BAYSW  # Bayswater\n\t\n#LOYYB\nLOYYA\t#\nMP\rVP";
    expect(await expand([file(content)])).toEqual(["ERARING", "BAYSW", "LOYYA", "MP", "VP"]);
  });

  test("a # inside a word is part of the code", async () => {
    const content = "W/HOE#1\r\nW/HOE#2,TARONG#1 # Wivenhoe and Tarong\nTARONG#2#\n #W/HOE#3";
    expect(await expand([file(content)])).toEqual(["W/HOE#1", "W/HOE#2", "TARONG#1", "TARONG#2#"]);
    expect(await expand(["@-"], content)).toEqual(["W/HOE#1", "W/HOE#2", "TARONG#1", "TARONG#2#"]);
  });

  test("cells of a spreadsheet: tabs, quotes, empty ones", async () => {
    expect(await expand([file('"ER01"\t"ER02"\r\n\t\r\n"BW01",""\r\nBW02\t\r\n\u00a0BW03\u00a0\r\n')])).toEqual([
      "ER01",
      "ER02",
      "BW01",
      "BW02",
      "BW03",
    ]);
  });

  test("semicolons, as spreadsheets write them if a comma is the decimal mark", async () => {
    expect(await expand([file('BAYSW;HPR\r\n"ERARING";\r\n')])).toEqual(["BAYSW", "HPR", "ERARING"]);
  });

  test.each([
    ["a workbook", Buffer.from("PK\x03\x04\x14\0\x06\0BAYSW")],
    ["UTF-16 without a mark", Buffer.from("BAYSW\n", "utf16le")],
    ["an escape sequence", Buffer.from("BAYSW\n\x1b[31mHPR\n")],
  ])("%s is not text: a usage error that names it", async (_, content) => {
    const path = join(folder, "codes.xlsx");
    writeFileSync(path, content);
    await expect(expand([`@${path}`])).rejects.toMatchObject({ kind: "usage", message: `@${path} is not text` });
    await expect(expand(["@-"], content.toString("latin1"))).rejects.toMatchObject({
      kind: "usage",
      message: "standard input is not text",
    });
  });

  test("UTF-16, as Windows writes it", async () => {
    const path = join(folder, "utf16.txt");
    writeFileSync(path, Buffer.from("\ufeffERARING\r\nW/HOE#1\r\n", "utf16le"));
    expect(await expand([`@${path}`])).toEqual(["ERARING", "W/HOE#1"]);
  });

  test("a byte order mark is not part of a value", async () => {
    expect(await expand([file("\ufeffERARING\nBAYSW\n")])).toEqual(["ERARING", "BAYSW"]);
    expect(await expand([file("\ufeff# codes\nBAYSW\n")])).toEqual(["BAYSW"]);
  });

  test("mixes with other values, in their order", async () => {
    expect(await expand(["A", file("B\nC\n"), "D,E"])).toEqual(["A", "B", "C", "D", "E"]);
  });

  test.each(["", "# nothing\n\n", ",\n"])("without a value (%j) is a usage error that names it", async (content) => {
    await expect(expand([file(content)])).rejects.toMatchObject({
      kind: "usage",
      message: expect.stringMatching(/^@.*codes\.txt has no values$/) as string,
    });
  });

  test("any list of lines is read back, whatever the line endings", async () => {
    const codes = fc.array(fc.stringMatching(/^[A-Z][A-Z0-9_/#-]{0,8}$/), { minLength: 1, maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(codes, fc.constantFrom("\n", "\r\n", "\n\n", " # x\r\n"), async (values, end) => {
        expect(await expand(["@-"], values.map((value) => value + end).join(""))).toEqual(values);
      }),
    );
  });

  test("that does not exist is a usage error that names it", async () => {
    await expect(expand([`@${join(folder, "absent.txt")}`])).rejects.toMatchObject({
      kind: "usage",
      message: expect.stringMatching(/cannot read @.*absent\.txt: no such file/) as string,
    });
  });

  test.each([
    ["a folder", () => `@${folder}`],
    ["no name", () => "@"],
  ])("that cannot be read (%s) is a usage error", async (_, name) => {
    const message = `cannot read ${name()}: it is a directory`;
    await expect(expand([name()])).rejects.toMatchObject({ kind: "usage", message });
  });
});

test("@- is standard input", async () => {
  expect(await expand(["@-"], "ER01\nER02 # second\r\n\r\nER03")).toEqual(["ER01", "ER02", "ER03"]);
  await expect(expand(["@-"], "")).rejects.toMatchObject({ kind: "usage", message: "standard input has no values" });
});

test("@- a second time is a usage error: standard input is read once", async () => {
  const message = "@- can only be used once";
  await expect(expand(["@-", "@-"], "ER01")).rejects.toMatchObject({ kind: "usage", message });
});

test("waiting for standard input ends when the command is stopped", async () => {
  const stop = new AbortController();
  const silent = new Readable({ read: () => {} });
  const waiting = expandList(["@-"], contextWith({ stdin: { stream: silent, isTerminal: true }, signal: stop.signal }));
  stop.abort(new Error("stopped"));
  await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
});
