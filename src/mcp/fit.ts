/** Fits a result into what clients take: rows that are too many are left out, and it says so. */
import { formatNumber } from "../base/phrases.ts";
import type { ToolResult } from "./answer.ts";

/** Of a whole result, with its text and its structure, but without pictures. */
const MAX_CHARACTERS = 40_000;
/** What stands around it, and what is said of rows that are left out. */
const MAX_AROUND = 500;
const MAX_MESSAGES = 20;
const MAX_TEXT = 600;

interface Facts {
  readonly messages?: readonly object[];
  readonly rows?: readonly unknown[];
  readonly total_rows?: number;
  readonly how_to_get_all?: string | undefined;
  readonly [fact: string]: unknown;
}

/** A result as the protocol has it. */
export function fitResult({ facts, failed, content, offset = 0 }: ToolResult) {
  const structure = fitRows(shortenMessages(facts), offset);
  const text = { type: "text" as const, text: JSON.stringify(structure) };
  return {
    content: [text, ...(content ? [content as typeof text] : [])],
    structuredContent: structure as Record<string, unknown>,
    isError: failed,
  };
}

/** `offset`: the number of rows before those of the result. */
function fitRows(facts: Facts, offset: number): Facts {
  const { rows } = facts;
  if (!rows) return facts;
  let room = MAX_CHARACTERS - MAX_AROUND - countCharacters(takeRows(facts, 0, offset));
  const first = rows.findIndex((row) => (room -= countCharacters(row)) < 0);
  return takeRows(facts, first < 0 ? rows.length : first, offset);
}

/** Says before the rows which of them are not there. */
function takeRows({ messages, rows = [], ...facts }: Facts, count: number, offset: number): Facts {
  const { total_rows: total = 0, how_to_get_all: all, ...others } = facts;
  const left = total - count;
  const end = offset + count;
  const here = count === 0 ? "none of them is here" : `these are ${formatNumber(offset + 1)} to ${formatNumber(end)}`;
  const next = end < total && count > 0 ? `; the next page: offset ${end}` : "";
  const leftOut = `${formatNumber(left)} of ${formatNumber(total)} rows: ${here}${next}`;
  const page = left > 0 ? { left_out: leftOut, how_to_get_all: all } : {};
  return { messages: messages ?? [], total_rows: total, ...page, ...others, rows: rows.slice(0, count) };
}

/** Characters of a value in a result: once as it is, and once in a text. */
function countCharacters(value: unknown): number {
  const json = JSON.stringify(value);
  return json.length + JSON.stringify(json).length;
}

function shortenMessages({ messages = [], ...facts }: Facts): Facts {
  const shown = messages.slice(0, MAX_MESSAGES).map(shorten);
  const more = messages.length - shown.length;
  if (more > 0) shown.push({ kind: "note", message: `${formatNumber(more)} messages more` });
  return { messages: shown, ...facts };
}

function shorten(message: object): object {
  return JSON.parse(JSON.stringify(message), (_, value: unknown) =>
    typeof value === "string" && value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}...` : value,
  ) as object;
}
