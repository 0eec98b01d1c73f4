/** The styles of cells, by their index in `cellXfs` (ECMA-376 Part 1, 18.8). */
import { INTERVALS, type Interval } from "../../base/vocabulary.ts";
import { DAY, MINUTE } from "../../time/local-time.ts";

/** From coarse to fine. */
const DATE_FORMATS = ["yyyy", "yyyy-mm", "yyyy-mm-dd", "yyyy-mm-dd hh:mm", "yyyy-mm-dd hh:mm:ss"];
const [YEAR, MONTH, DATE, TIME, SECONDS] = [0, 1, 2, 3, 4];

export const HEADING = 1;
export const NUMBER_HEADING = 2;
const FIRST_DATE = 3;

/** As long as the interval needs, and the date itself: that of a day that starts at 14:00 UTC needs its time. */
export function findDateStyle(wallClock: number, interval: Interval | undefined): number {
  return FIRST_DATE + Math.max(levelOfInterval(interval), levelOf(wallClock));
}

function levelOfInterval(interval: Interval | undefined): number {
  if (interval === undefined) return TIME;
  const { bucket } = INTERVALS[interval];
  if ("ms" in bucket) return bucket.ms < DAY ? TIME : DATE;
  return bucket.months < 12 ? MONTH : YEAR;
}

function levelOf(wallClock: number): number {
  if (wallClock % MINUTE !== 0) return SECONDS;
  if (wallClock % DAY !== 0) return TIME;
  const date = new Date(wallClock);
  if (date.getUTCDate() !== 1) return DATE;
  return date.getUTCMonth() === 0 ? YEAR : MONTH;
}

/** The first id of a number format that is not built in. */
const FIRST_FORMAT_ID = 164;

const NUMBER_FORMATS = DATE_FORMATS.map((code, index) => `<numFmt numFmtId="${FIRST_FORMAT_ID + index}" formatCode="${code}"/>`);
const FONT = '<sz val="11"/><name val="Calibri"/><family val="2"/>';
const CELL_STYLES = [
  '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>',
  '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>',
  '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1" applyAlignment="1"><alignment horizontal="right"/></xf>',
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
