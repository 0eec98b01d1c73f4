/** Rows and cells of a worksheet as XML (ECMA-376 Part 1, 18.3.1). */
import { EntsError } from "../../base/errors.ts";
import { isLosslessNumber } from "../../base/json.ts";
import { formatNumber } from "../../base/phrases.ts";
import { escapeControls } from "../../base/terminal.ts";
import type { Cell, ColumnKind } from "../../series/layout/layout.ts";
import { DAY } from "../../time/local-time.ts";
import { toPlainText } from "../cells.ts";

/** A cell after its reference: attributes and content; empty for none. */
export type CellXml = string;

export function encodeRow(row: number, cells: readonly CellXml[]): string {
  let xml = `<row r="${row}">`;
  for (let column = 0; column < cells.length; column++) {
    const cell = cells[column] as CellXml;
    if (cell !== "") xml += `<c r="${nameColumn(column)}${row}"${cell}`;
  }
  return `${xml}</row>`;
}

const columnNames: string[] = [];

/** `A`, …, `Z`, `AA`, … */
function nameColumn(column: number): string {
  return (columnNames[column] ??= (column < 26 ? "" : nameColumn(Math.floor(column / 26) - 1)) + String.fromCharCode(65 + (column % 26)));
}

/** Text is text, whatever it looks like: a formula would be another element. */
export function encodeText(text: string, style = 0): CellXml {
  if (text === "") return "";
  const space = /^\s|\s$|[\n\t]| {2}/.test(text) ? ' xml:space="preserve"' : "";
  return ` t="inlineStr"${toAttribute(style)}><is><t${space}>${escapeText(text)}</t></is></c>`;
}

/** A number is a double, as spreadsheets have no other; what is beyond them, or no number, is text. */
export function encodeCell(cell: Cell, kind: ColumnKind): CellXml {
  if (cell === null) return "";
  if (typeof cell === "boolean") return ` t="b"><v>${Number(cell)}</v></c>`;
  if (isLosslessNumber(cell)) return encodeNumber(cell.value);
  if (kind !== "value") return encodeText(cell);
  return cell.startsWith('"') ? encodeText(toPlainText(cell, kind)) : encodeNumber(cell);
}

function encodeNumber(text: string): CellXml {
  const number = Number(text);
  return Number.isFinite(number) ? `><v>${number}</v></c>` : encodeText(text);
}

/** The number of 1970-01-01: days are counted from the last day of 1899. */
const UNIX_EPOCH = 25_569;
/** 1900-03-01: before it, spreadsheets disagree, as some count a day that 1900 did not have. */
const FIRST_DAY = 61;
/** 10000-01-01 */
const END_OF_DAYS = 2_958_466;

/** A wall clock in milliseconds as if it were UTC; as text where spreadsheets have no date for it. */
export function encodeDate(wallClock: number, style: number): CellXml {
  const day = UNIX_EPOCH + wallClock / DAY;
  if (day < FIRST_DAY || day >= END_OF_DAYS) return encodeText(new Date(wallClock).toISOString().replace(/(?:\.000)?Z$/, ""));
  return `${toAttribute(style)}><v>${day}</v></c>`;
}

function toAttribute(style: number): string {
  return style === 0 ? "" : ` s="${style}"`;
}

/** UTF-16 units. */
export const MAX_TEXT = 32_767;

/** Characters that XML cannot hold are `_x0007_`, and text that looks so is escaped itself (ECMA-376 Part 1, 22.9.2.19). */
export function escapeText(text: string): string {
  if (text.length > MAX_TEXT) {
    const problem = `xlsx holds texts of at most ${formatNumber(MAX_TEXT)} characters; this one has ${formatNumber(text.length)}: ${escapeControls(text.slice(0, 40))}...`;
    throw new EntsError("output", problem, { hint: "use another --format, such as csv" });
  }
  return text
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, "_x005F_")
    .replace(/[&<>]/g, (character) => ENTITIES[character] as string)
    .replace(CONTROLS, (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`)
    .replace(NO_CHARACTERS, "\ufffd");
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
/** But tab and line feed. */
const CONTROLS = /(?![\t\n])[\0-\x1f]/g;
/** Halves of a surrogate pair, and what Unicode has no character for. */
const NO_CHARACTERS = /[\ufffe\uffff\p{Surrogate}]/gu;
