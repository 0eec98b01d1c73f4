/** Shared by formats with one row per line: csv, tsv and ndjson. */
import type { Cell, Column, Row } from "../series/layout/layout.ts";
import { isLosslessNumber } from "../base/json.ts";
import { copyLines, type LineFrame, openLineWriter } from "./copy-points.ts";
import { type Batch, type Encoded, type Encoder, type Header, joinTexts } from "./format.ts";

/** The text around timestamps, as printed, and numbers, as the service sent them. */
export interface LineStyle {
  /** The header line, or an empty string. */
  readonly head: string;
  readonly open: string;
  readonly separator: string;
  readonly close: string;
  /** The text before a column's cell in every row. */
  readonly key: (column: Column) => string;
  /** The text on both sides of a timestamp. */
  readonly stampQuote: string;
  readonly nullText: string;
  readonly text: (cell: string | boolean) => string;
  /** A value that the service sent as a JSON string. */
  readonly textValue: (json: string) => string;
}

export function openLines(uncached: LineStyle, { columns, printStamp }: Header): Encoder {
  const style = { ...uncached, text: cacheTexts(uncached.text) };
  const keys = columns.map((column) => style.key(column));
  const encodeCell = (cell: Cell, index: number) => (keys[index] as string) + encodeValue(cell, columns[index] as Column, style);
  const encodeRow = (row: Row) => style.open + row.map(encodeCell).join(style.separator) + style.close;
  const copies = columns.some(({ kind }) => kind === "value");
  let head = style.head;
  return { write, end };

  function* write(batch: Batch): Generator<Encoded> {
    const writer = copies && batch.placed ? yield* openLineWriter(batch.placed, frameLines(style, columns, keys), printStamp) : undefined;
    const rows = writer ? [] : batch.rows();
    // Written after `batch.rows`, which may throw: an error leaves no header behind.
    yield* end();
    if (writer) {
      yield* copyLines(writer);
      batch.onRows?.(writer.lines);
    } else yield* joinTexts(mapRows(rows, encodeRow));
  }

  /** The header, if it is not written yet. */
  function* end(): Generator<Encoded> {
    if (head !== "") yield head;
    head = "";
  }
}

function encodeValue(cell: Cell, { kind }: Column, style: LineStyle): string {
  if (cell === null) return style.nullText;
  if (isLosslessNumber(cell)) return cell.value;
  if (typeof cell === "boolean" || kind === "text") return style.text(cell);
  if (kind === "stamp") return style.stampQuote + cell + style.stampQuote;
  return cell.startsWith('"') ? style.textValue(cell) : cell;
}

const TEXT: Column = { name: "", kind: "text" };

/** The text around timestamps and values, the same in all lines of a series. */
function frameLines(style: LineStyle, columns: readonly Column[], keys: readonly string[]): LineFrame {
  const { stampQuote: quote, separator, nullText, close } = style;
  const firstText = columns.findIndex(({ kind }) => kind === "text");
  const firstValue = columns.findIndex(({ kind }) => kind === "value");
  return {
    nullText,
    close,
    open: style.open + (keys[0] as string) + quote,
    beforeEnd: firstText > 1 ? quote + separator + (keys[1] as string) + quote : undefined,
    constants: ({ constants }) => {
      const cells = constants.map((cell, index) => (keys[firstText + index] as string) + encodeValue(cell, TEXT, style));
      return [quote, ...cells, keys[firstValue]].join(separator);
    },
    beforeValues: keys.slice(firstValue + 1).map((key) => separator + key),
  };
}

function* mapRows(rows: Iterable<Row>, encode: (row: Row) => string): Generator<string> {
  for (const row of rows) yield encode(row);
}

/** A table has few distinct texts: each is encoded once. */
function cacheTexts(encode: LineStyle["text"]): LineStyle["text"] {
  const texts = new Map<string | boolean, string>();
  return (cell) => {
    let text = texts.get(cell);
    if (text === undefined) {
      text = encode(cell);
      texts.set(cell, text);
    }
    return text;
  };
}
