/** Reads parts of a file of lines, however large it is. */
import type { FileHandle } from "node:fs/promises";

/** Bytes from the first (included) to the last (excluded). */
export interface Range {
  readonly from: number;
  readonly to: number;
}

export interface Line {
  /** Where it starts, in bytes. */
  readonly start: number;
  /** Without its line feed, one character a byte. */
  readonly text: string;
}

const BLOCK_BYTES = 32 * 1024;
/** No row is longer: more bytes without a line feed are not a file of rows. */
export const MAX_LINE_BYTES = 1024 * 1024;

/** The complete lines of a range (those with a line feed), block by block. */
export async function* readLines(file: FileHandle, { from, to }: Range, blockBytes = BLOCK_BYTES): AsyncGenerator<Line[]> {
  const block = Buffer.allocUnsafe(blockBytes);
  let rest = "";
  for (let at = from; at < to && rest.length <= MAX_LINE_BYTES; ) {
    const { bytesRead } = await file.read(block, 0, Math.min(blockBytes, to - at), at);
    if (bytesRead === 0) return;
    const text = rest + block.toString("latin1", 0, bytesRead);
    yield splitLines(text, at - rest.length);
    at += bytesRead;
    rest = text.slice(text.lastIndexOf("\n") + 1);
  }
}

function splitLines(text: string, start: number): Line[] {
  const lines: Line[] = [];
  for (let from = 0, end = text.indexOf("\n"); end >= 0; from = end + 1, end = text.indexOf("\n", from)) {
    lines.push({ start: start + from, text: text.slice(from, end) });
  }
  return lines;
}

const PROBE_BYTES = 16 * 1024;

/** The first line of a range that `matches`; skips the first line if the range may start inside it. */
async function findLine(
  file: FileHandle,
  range: Range,
  { matches, skipFirst = false }: { readonly matches: (line: Line) => boolean; readonly skipFirst?: boolean },
): Promise<Line | undefined> {
  let skipped = !skipFirst;
  for await (const lines of readLines(file, range, PROBE_BYTES)) {
    for (const line of lines) {
      if (skipped && matches(line)) return line;
      skipped = true;
    }
  }
  return undefined;
}

/** The first row: a line, or several where a cell has line feeds. `isOpen`: whether a line begins or ends such a cell. */
export async function findFirstLine(file: FileHandle, range: Range, isOpen: (line: string) => boolean): Promise<Line | undefined> {
  const texts: string[] = [];
  let open = false;
  const last = await findLine(
    file,
    { ...range, to: Math.min(range.to, range.from + MAX_LINE_BYTES) },
    {
      matches: ({ text }) => {
        texts.push(text);
        open = isOpen(text) !== open;
        return !open;
      },
    },
  );
  return last && { start: range.from, text: texts.join("\n") };
}

/** Whether a line is a row at or after the place searched for; undefined if it is not a row. */
export type Judge = (line: string) => boolean | undefined;

/**
 * Where the first row at or after a place starts; the end of the range if there is none. Rows are in order: a binary search,
 * which reads a few blocks.
 */
export async function findRow(file: FileHandle, { from, to }: Range, isPast: Judge): Promise<number> {
  const isRow = ({ text }: Line) => isPast(text) !== undefined;
  let [low, high] = [from, to];
  while (high - low > PROBE_BYTES) {
    const middle = low + Math.floor((high - low) / 2);
    const row = await findLine(file, { from: middle, to: high }, { matches: isRow, skipFirst: true });
    if (row && isPast(row.text) === false) low = row.start;
    else high = middle;
  }
  const found = await findLine(file, { from: low, to }, { matches: ({ text }) => isPast(text) === true });
  return found?.start ?? to;
}

export interface LastRow extends Line {
  /** Where its last line ends. */
  readonly end: number;
}

interface RowRules {
  /** Whether a line begins a row. */
  readonly isRow: (line: string) => boolean;
  /** See `findFirstLine`. */
  readonly isOpen: (line: string) => boolean;
}

/** The last whole row. */
export async function findLastRow(file: FileHandle, { from, to }: Range, { isRow, isOpen }: RowRules): Promise<LastRow | undefined> {
  for (let length = PROBE_BYTES; ; length *= 2) {
    const start = Math.max(from, to - length);
    let whole: LastRow | undefined;
    let last: LastRow | undefined;
    let open = false;
    let isWhole = start === from;
    for await (const lines of readLines(file, { from: start, to })) {
      for (const line of lines) {
        const begins = isWhole && isRow(line.text);
        open = begins ? isOpen(line.text) : open && !isOpen(line.text);
        if (begins) last = { ...line, end: line.start };
        if (last) last = { ...last, end: line.start + line.text.length + 1 };
        if (!open) whole = last;
        isWhole = true;
      }
    }
    if (whole || start === from) return whole;
  }
}
