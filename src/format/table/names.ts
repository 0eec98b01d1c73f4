/** Names in place of codes: `Black coal`, `New South Wales`. */
import type { Column, PlacedSeries } from "../../series/layout/layout.ts";
import { printText } from "../cells.ts";
import type { LaidSeries } from "../format.ts";
import type { Namer } from "../unit-names.ts";
import { findFirstText } from "./labels.ts";

/** Names the labels of series. `pivot`: the label whose values are columns. */
export function nameSeriesLabels(
  { columns, placed }: LaidSeries,
  nameOf: Namer,
  pivot: string | undefined,
): LaidSeries {
  const firstText = findFirstText(columns);
  const names = new Map<PlacedSeries["constants"], PlacedSeries["constants"]>();
  for (const { constants } of placed) {
    // Series of the same row share their texts.
    if (names.has(constants)) continue;
    names.set(
      constants,
      constants.map((cell, at) => nameOf(columns[firstText + at]?.name ?? "", printText(cell)) ?? cell),
    );
  }
  return {
    columns: pivot === undefined ? columns : namePivotColumns(columns, pivot, nameOf),
    placed: placed.map((series) => ({ ...series, constants: names.get(series.constants) ?? series.constants })),
  };
}

/** Names columns that are the values of a label. */
export function namePivotColumns(columns: readonly Column[], label: string, nameOf: Namer): Column[] {
  return columns.map((column) =>
    column.kind === "value" ? { ...column, name: nameOf(label, column.name) ?? column.name } : column,
  );
}
