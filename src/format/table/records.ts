import { formatTerms } from "../base/terms.ts";
import { measureText, nameWithUnit } from "./table-fit.ts";
import type { Excerpt } from "./table-texts.ts";

/** Rows that do not fit a line: each as lines of name and value, with an empty line between two. */
export function* drawRecords({ columns, skippedAt }: Pick<Excerpt, "columns" | "skippedAt">, width: number): Generator<string> {
  const titles = columns.map((column) => nameWithUnit(column));
  const count = columns[0]?.cells.length ?? 0;
  for (let row = 0; row < count; row++) {
    if (row > 0) yield "\n";
    const cells = columns.map(({ cells: all }, index) => [titles[index] ?? "", all[row] ?? ""] as const);
    const lines = row === skippedAt ? cells.slice(0, 1).map(([, skipped]) => skipped) : formatTerms(cells, { width, measure: measureText });
    for (const line of lines) yield `${line}\n`;
  }
}
