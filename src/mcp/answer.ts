/** What the tools have in common: rows of a command, and what is said of them. */
import { typeOfColumn } from "../facilities/tables.ts";
import { type CommandRun, type Ended, readLines, runForTool } from "./call.ts";
import { type Page, RowReader } from "./rows.ts";
import type { ToolSetting } from "./tools.ts";
import { type Call, toToolMessage } from "./words.ts";

/** What a tool gives: facts in the order in which a client reads them. */
export interface ToolResult {
  readonly facts: Readonly<Record<string, unknown>>;
  readonly failed: boolean;
  /** A picture, or where it is. */
  readonly content?: object | undefined;
  /** The number of rows before those of the result. */
  readonly offset?: number;
}

/** A call under way. */
export interface Calling extends ToolSetting {
  readonly call: Call;
}

const ROWS = 200;

function readPage({ limit = ROWS, offset = 0 }: Call["input"]): Page {
  return { limit: limit as number, offset: offset as number };
}

/** Runs a command for its rows, of which the page is kept. */
export async function readRows(run: CommandRun, { call, ...around }: Calling) {
  const reader = new RowReader(readPage(call.input));
  const values = { ...run.values, format: "ndjson" };
  const ended = await runForTool({ ...run, values }, { ...around, use: readLines((line) => reader.add(line)) });
  return { reader, ended, offset: readPage(call.input).offset };
}

export function translate({ messages }: Ended, { call, server }: Calling): readonly object[] {
  return messages.map((message) => toToolMessage(message, call, server.vocabulary));
}

export function showRows({ constant, columns, rows }: RowReader): object {
  return { ...(Object.keys(constant).length > 0 ? { constant } : {}), columns, rows };
}

/** Units of columns that have no metric. */
export function findUnits(names: readonly string[]): Readonly<Record<string, string>> {
  const units = names.map((name) => [name, COMPUTED_UNITS[name] ?? typeOfColumn(name).unit] as const);
  return Object.fromEntries(units.filter((named): named is readonly [string, string] => named[1] !== undefined));
}

const COMPUTED_UNITS: Readonly<Record<string, string>> = {
  change_percent: "%",
  share_of_time: "%",
  age_seconds: "s",
  n: "values",
  points: "values",
};
