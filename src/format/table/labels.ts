/** The labels of a table: those that never change, those that others imply, and the one that may become columns. */
import { escapeControls } from "../../base/terminal.ts";
import type { Column } from "../../series/layout/layout.ts";

export interface Labelled {
  readonly columns: readonly Column[];
  /** The texts of the text columns, once per set of rows that share them; empty if unknown. */
  readonly labelSets: readonly (readonly string[])[];
  /** The columns with one text in all rows, by their index: of a list, those that may be left out. */
  readonly constants: ReadonlyMap<number, string>;
}

/** The text columns with one value in all rows, by their index. */
export function findConstants({ columns, labelSets }: Omit<Labelled, "constants">): ReadonlyMap<number, string> {
  const [first = [], ...others] = labelSets;
  const isConstant = (text: string, at: number) => others.every((texts) => texts[at] === text);
  return new Map(
    first.flatMap((text, at) => (isConstant(text, at) ? [[findFirstText(columns) + at, text] as const] : [])),
  );
}

/** The indexes of the text columns that distinguish rows. */
export function listVarying({ columns, constants }: Labelled): number[] {
  return columns.flatMap(({ kind }, index) => (kind === "text" && !constants.has(index) ? [index] : []));
}

/**
 * Lists the columns among `varying` that another of them implies, the last first: the other column's text determines
 * theirs.
 */
export function listImplied({ columns, labelSets }: Labelled, varying: readonly number[]): number[] {
  const firstText = findFirstText(columns);
  const kept = varying.map((index) => index - firstText);
  const dropped: number[] = [];
  for (const at of kept.toReversed()) {
    if (!kept.some((other) => other !== at && implies(labelSets, other, at))) continue;
    kept.splice(kept.indexOf(at), 1);
    dropped.push(firstText + at);
  }
  return dropped;
}

/** True if each text of one column always goes with the same text of the other; false if the texts are unknown. */
function implies(labelSets: Labelled["labelSets"], one: number, other: number): boolean {
  if (labelSets.length === 0) return false;
  const pairs = new Set(labelSets.map((texts) => JSON.stringify([texts[one], texts[other]])));
  return pairs.size === new Set(labelSets.map((texts) => texts[one])).size;
}

/** Text columns of series are adjacent. */
export function findFirstText(columns: readonly Column[]): number {
  return columns.findIndex(({ kind }) => kind === "text");
}

/** What the lines below a table say of its constants: `region NSW1`, `status (none)`. */
export function describeConstants({ columns, constants }: Labelled): string[] {
  return [...constants].map(([index, value]) => {
    const { name = "", unit = "", kind } = columns[index] ?? {};
    // Not to be read as the sum of all rows.
    const each = kind === "value" && value !== "0" ? "each" : "";
    return value === ""
      ? `${escapeControls(name)} (none)`
      : [name, value, unit, each].filter(Boolean).map(escapeControls).join(" ");
  });
}
