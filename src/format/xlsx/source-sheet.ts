/** The worksheet that says where the data come from. */
import { nameZone } from "../../time/zone.ts";
import { toJsonText } from "../../base/json.ts";
import type { AnswerHead } from "../../series/answer.ts";
import type { Column } from "../../series/layout/table.ts";
import { formatLocalTime } from "../../time/local-time.ts";
import type { Header } from "../format.ts";
import { type CellXml, encodeText, MAX_TEXT } from "./cells.ts";
import { HEADING } from "./styles.ts";
import type { Worksheet } from "./workbook.ts";

export const SOURCE_SHEET: Worksheet = { name: "Source", widths: [18, 100] };

/** Two columns: what, and its value; nothing without `about`. */
export function encodeSource({ about, columns, zone }: Header, heads: readonly AnswerHead[]): CellXml[][] {
  if (!about) return [];
  const { service, command, version, query } = about;
  const { start, end } = query.window;
  // What has no data may be an answer of ents' own.
  const answers = heads.filter(({ hasData }) => hasData);
  const facts: readonly (readonly [string, readonly string[]])[] = [
    ["service", [service]],
    ["command", [command]],
    ["ents version", [version]],
    ["query", [`${query.command} ${query.network}`, ...query.parameters.map(({ name, values }) => `${name}: ${values.join(", ")}`)]],
    ["window", [`from ${describeTime(start)}`, `to ${describeTime(end)}`]],
    ["time zone", [nameZone(zone)]],
    ["units", listUnits(columns)],
    ["service version", [...new Set(answers.map((head) => readField(head, "version")))]],
    ["answers created", listEnds(answers.map((head) => readField(head, "created_at")))],
    ["requests", heads.flatMap(({ path }) => path ?? [])],
  ];
  return facts.flatMap(([name, values]) =>
    values.map((value, index) => [index === 0 ? encodeText(name, HEADING) : "", encodeText(value.slice(0, MAX_TEXT))]),
  );
}

function describeTime(local: number | undefined): string {
  return local === undefined ? "the service's default" : `${formatLocalTime(local)} (network time)`;
}

/** One alone that all values have, or each with its columns. */
function listUnits(columns: readonly Column[]): string[] {
  const units = new Map<string, string[]>();
  for (const { name, unit } of columns) if (unit) units.set(unit, [...(units.get(unit) ?? []), name]);
  const isOne = units.size === 1 && columns.every(({ kind, unit }) => kind !== "value" || unit);
  return isOne ? [...units.keys()] : Array.from(units, ([unit, names]) => `${unit}: ${names.join(", ")}`);
}

function readField({ envelope }: AnswerHead, name: string): string {
  const value = envelope[name] ?? null;
  return typeof value === "string" ? value : toJsonText(value);
}

/** The first and the last. */
function listEnds(stamps: readonly string[]): string[] {
  const sorted = [...new Set(stamps)].sort();
  return [...new Set([sorted[0], sorted.at(-1)])].filter((stamp) => stamp !== undefined);
}
