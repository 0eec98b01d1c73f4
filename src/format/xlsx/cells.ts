/** Rows and cells of a worksheet as XML (ECMA-376 Part 1, 18.3.1). */
import { EntsError } from "../../base/errors.ts";
import { isLosslessNumber } from "../../base/json.ts";
import { formatNumber } from "../../base/phrases.ts";
import { escapeControls } from "../../base/terminal.ts";
import type { Cell, ColumnKind } from "../../series/layout/layout.ts";
import { DAY, MINUTE } from "../../time/local-time.ts";
import { toPlainText } from "../cells.ts";
import { findRule, type Interval } from "../../base/intervals.ts";

/** The XML of a cell after its reference: attributes and content; empty for an empty cell. */
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
export function nameColumn(column: number): string {
  return (columnNames[column] ??=
    (column < 26 ? "" : nameColumn(Math.floor(column / 26) - 1)) + String.fromCharCode(65 + (column % 26)));
}

/** Never read as a formula, whatever the text: formulas have an element of their own. */
export function encodeText(text: string, style = 0): CellXml {
  if (text === "") return "";
  const space = /^\s|\s$|[\n\t]| {2}/.test(text) ? ' xml:space="preserve"' : "";
  return ` t="inlineStr"${toAttribute(style)}><is><t${space}>${escapeCellText(text)}</t></is></c>`;
}

/**
 * Numbers are doubles, the only numbers of spreadsheets; a number out of their range, or anything else, becomes text.
 */
export function encodeCell(cell: Cell, kind: ColumnKind): CellXml {
  if (cell === null) return "";
  if (typeof cell === "boolean") return ` t="b"><v>${Number(cell)}</v></c>`;
  if (isLosslessNumber(cell)) return encodeNumber(cell.value);
  if (kind !== "value") return encodeText(cell);
  return cell.startsWith('"') ? encodeText(toPlainText(cell, kind)) : encodeNumber(cell);
}

function encodeNumber(text: string): CellXml {
  const number = Number(text);
  if (!Number.isFinite(number)) return encodeText(text);
  const style = Number.isInteger(number) ? INTEGER : Math.abs(number) < LEAST ? 0 : NUMBER;
  return `${toAttribute(style)}><v>${number}</v></c>`;
}

/** The serial number of 1970-01-01; serial numbers count days from 1899-12-31. */
const UNIX_EPOCH = 25_569;
/** 1900-03-01. Spreadsheets disagree on earlier dates, as some count a 29 February 1900, which did not exist. */
const FIRST_DAY = 61;
/** 10000-01-01 */
const END_OF_DAYS = 2_958_466;

/** Encodes a wall clock, in milliseconds as if it were UTC; as text if spreadsheets have no such date. */
export function encodeDate(wallClock: number, style: number): CellXml {
  const day = UNIX_EPOCH + wallClock / DAY;
  if (day < FIRST_DAY || day >= END_OF_DAYS)
    return encodeText(new Date(wallClock).toISOString().replace(/(?:\.000)?Z$/, ""));
  return `${toAttribute(style)}><v>${day}</v></c>`;
}

function toAttribute(style: number): string {
  return style === 0 ? "" : ` s="${style}"`;
}

/** In UTF-16 units. */
export const MAX_CELL_TEXT = 32_767;

/**
 * Escapes characters that XML cannot hold as `_x0007_`, and text that looks like such an escape (ECMA-376 Part 1,
 * 22.9.2.19).
 */
export function escapeCellText(text: string): string {
  if (text.length > MAX_CELL_TEXT) {
    const problem = `xlsx holds texts of at most ${formatNumber(MAX_CELL_TEXT)} characters; this one has ${formatNumber(text.length)}: ${escapeControls(text.slice(0, 40))}...`;
    throw new EntsError("output", problem, { hint: "use another --format, such as csv" });
  }
  return text
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, "_x005F_")
    .replace(/[&<>]/g, (character) => ENTITIES[character] as string)
    .replace(CONTROLS, (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`)
    .replace(NONCHARACTERS, "\ufffd");
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
/** Control characters, except tab and line feed. */
const CONTROLS = /(?![\t\n])[\0-\x1f]/g;
/** Lone surrogates and noncharacters. */
const NONCHARACTERS = /[\ufffe\uffff\p{Surrogate}]/gu;

/** From coarse to fine. */
const DATE_FORMATS = ["yyyy", "yyyy-mm", "yyyy-mm-dd", "yyyy-mm-dd hh:mm", "yyyy-mm-dd hh:mm:ss"];
const [YEAR, MONTH, DATE, TIME, SECONDS] = [0, 1, 2, 3, 4];

export const HEADING = 1;
export const NUMBER_HEADING = 2;
const INTEGER = 3;
const NUMBER = 4;
const FIRST_DATE = 5;
/** Two decimals would show a smaller number as zero. */
const LEAST = 0.005;

/**
 * Chooses a date format as precise as the interval and the date need: a day that starts at 14:00 UTC needs its time.
 */
export function findDateStyle(wallClock: number, interval: Interval | undefined): number {
  return FIRST_DATE + Math.max(levelOfInterval(interval), levelOf(wallClock));
}

function levelOfInterval(interval: Interval | undefined): number {
  if (interval === undefined) return TIME;
  const rule = findRule(interval);
  if ("ms" in rule) return rule.ms < DAY ? TIME : DATE;
  return rule.months < 12 ? MONTH : YEAR;
}

function levelOf(wallClock: number): number {
  if (wallClock % MINUTE !== 0) return SECONDS;
  if (wallClock % DAY !== 0) return TIME;
  const date = new Date(wallClock);
  if (date.getUTCDate() !== 1) return DATE;
  return date.getUTCMonth() === 0 ? YEAR : MONTH;
}

/** The first id for custom number formats. */
const FIRST_FORMAT_ID = 164;

const NUMBER_FORMATS = DATE_FORMATS.map(
  (code, index) => `<numFmt numFmtId="${FIRST_FORMAT_ID + index}" formatCode="${code}"/>`,
);
const FONT = '<sz val="11"/><name val="Calibri"/><family val="2"/>';
const CELL_STYLES = [
  '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>',
  '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>',
  '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1" applyAlignment="1"><alignment horizontal="right"/></xf>',
  // Built in: #,##0 and #,##0.00
  ...[3, 4].map((id) => `<xf numFmtId="${id}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`),
  ...DATE_FORMATS.map(
    (_, index) =>
      `<xf numFmtId="${FIRST_FORMAT_ID + index}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyAlignment="1"><alignment horizontal="left"/></xf>`,
  ),
];

export const STYLES = [
  '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">',
  `<numFmts count="${NUMBER_FORMATS.length}">${NUMBER_FORMATS.join("")}</numFmts>`,
  `<fonts count="2"><font>${FONT}</font><font><b/>${FONT}</font></fonts>`,
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>',
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>',
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
  `<cellXfs count="${CELL_STYLES.length}">${CELL_STYLES.join("")}</cellXfs>`,
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>',
  "</styleSheet>",
].join("");
