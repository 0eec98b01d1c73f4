import { isUtf8 } from "node:buffer";

const BYTE_ORDER_MARK = 0xfeff;

/** Text without a byte order mark. */
export function stripMark(text: string): string {
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
}

/**
 * The text of a file that a person has written: UTF-8, with or without a byte order mark, or UTF-16 as PowerShell and
 * spreadsheets on Windows write it (little endian, with a mark). Undefined for any other encoding.
 */
export function decodeText(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return stripMark(bytes.toString("utf16le"));
  return isUtf8(bytes) ? stripMark(bytes.toString("utf8")) : undefined;
}
