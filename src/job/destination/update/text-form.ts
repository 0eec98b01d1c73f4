/**
 * Rows of csv, tsv and ndjson as they are in a file. Lines and cells are its bytes, one character a byte (latin1): so cells
 * that are only moved stay as they are.
 */
import { toJsonText } from "../../../base/json.ts";
import { writeNull } from "../../../format/delimited.ts";
import { describeFormat } from "../../../format/registry.ts";
import type { Output } from "../../output.ts";

export interface TextForm {
  /** The first cell of a line, if there is one. */
  readonly first: (line: string) => string | undefined;
  /** The cells of a row, in the order of the columns; undefined if it is not a row with these columns. */
  readonly split: (line: string, columns: readonly string[]) => readonly string[] | undefined;
  /** With its line feed. */
  readonly join: (cells: readonly string[], columns: readonly string[]) => string;
  /** The names of the columns, by the first line. */
  readonly readNames: (line: string) => readonly string[];
  /** Where a file has the names of its columns. */
  readonly names: "header" | "rows" | "nowhere";
  /** Whether a cell with a line feed in its text begins or ends in this line. */
  readonly isOpen: (line: string) => boolean;
  /** The text in a cell; null for a null. */
  readonly read: (cell: string) => string | null;
  readonly nullCell: string;
}

export function createTextForm({ formatName, formatOptions }: Pick<Output, "formatName" | "formatOptions">): TextForm {
  const { delimiter } = describeFormat(formatName);
  const { null: nullText = "", header } = formatOptions;
  return delimiter === undefined ? NDJSON : createDelimited(delimiter, { header, nullText });
}

export function toBytes(text: string): string {
  return Buffer.from(text).toString("latin1");
}

function toText(bytes: string): string {
  return /[\x80-\xff]/.test(bytes) ? Buffer.from(bytes, "latin1").toString("utf8") : bytes;
}

/** What csv-stringify puts before a text that a spreadsheet would run as a formula. */
const HARMLESS = /^'(?=[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/;

function createDelimited(delimiter: string, { header, nullText }: { readonly header: boolean; readonly nullText: string }): TextForm {
  const cell = new RegExp(`("(?:[^"]|"")*"|[^${delimiter}"]*)(${delimiter}|$)`, "y");
  const split = (line: string): string[] => {
    if (!line.includes('"')) return line.split(delimiter);
    const cells: string[] = [];
    cell.lastIndex = 0;
    for (let found = cell.exec(line); found; found = cell.exec(line)) {
      cells.push(found[1] as string);
      if (found[2] === "") return cells;
    }
    return [];
  };
  const read = (text: string) => toText(text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text).replace(HARMLESS, "");
  const nullCell = toBytes(writeNull(nullText, delimiter));
  return {
    first: (line) => (line.includes(delimiter) ? line.slice(0, line.indexOf(delimiter)) : undefined),
    split: (line, columns) => {
      const cells = split(line);
      return cells.length === columns.length ? cells : undefined;
    },
    join: (cells) => `${cells.join(delimiter)}\n`,
    readNames: (line) => split(line).map(read),
    names: header ? "header" : "nowhere",
    isOpen: (line) => line.includes('"') && line.split('"').length % 2 === 0,
    read: (text) => (text === nullCell ? null : read(text)),
    nullCell,
  };
}

const FIELD = /("(?:[^"\\]|\\.)*"):("(?:[^"\\]|\\.)*"|[^",{}[\]]+)(,|\}$)/y;

const NDJSON: TextForm = {
  first: (line) => /^\{"[^"\\]*":("[^"\\]*"|[^",{}[\]]+)[,}]/.exec(line)?.[1],
  split: (line, columns) => {
    const fields = listFields(line);
    const isRow = fields.length === columns.length && fields.every(([key], index) => key === keyOf(columns[index] as string));
    return isRow ? fields.map(([, cell]) => cell) : undefined;
  },
  join: (cells, columns) => `{${cells.map((cell, index) => `${keyOf(columns[index] as string)}:${cell}`).join(",")}}\n`,
  readNames: (line) => listFields(line).map(([key]) => JSON.parse(toText(key)) as string),
  names: "rows",
  isOpen: () => false,
  read: (cell) => (cell === "null" ? null : cell.startsWith('"') ? (JSON.parse(toText(cell)) as string) : cell),
  nullCell: "null",
};

const keys = new Map<string, string>();

function keyOf(name: string): string {
  let key = keys.get(name);
  if (key === undefined) keys.set(name, (key = toBytes(toJsonText(name))));
  return key;
}

/** No cells where the line is not one object of plain values. */
function listFields(line: string): (readonly [key: string, cell: string])[] {
  const fields: (readonly [string, string])[] = [];
  FIELD.lastIndex = line.startsWith("{") ? 1 : line.length;
  for (let found = FIELD.exec(line); found; found = FIELD.exec(line)) {
    fields.push([found[1] as string, found[2] as string]);
    if (found[3] === "}") return fields;
  }
  return [];
}
