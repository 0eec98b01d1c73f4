/** The types of columns that are written as text, for a description of the output. */
import type { Column } from "../series/layout/table.ts";
import { type ColumnType, type TypedColumn, typeColumn } from "./columnar/columns.ts";
import type { FormatValues } from "./flags.ts";

/** A column of a file: typed, or text that stands for a type. */
export interface Field extends Pick<TypedColumn, "name" | "unit" | "metric"> {
  /** `epoch`: numbers since 1970. */
  readonly type: ColumnType | "epoch";
  /** As of the `datetime` of Data Package: by default ISO 8601. */
  readonly format?: string | undefined;
}

/** `timeFormat`: how timestamps are written. */
export function describeTexts(columns: readonly Column[], timeFormat: FormatValues["timeFormat"] = "iso"): readonly Field[] {
  const stamp = describeStamp(timeFormat);
  return columns.map((column) => (column.kind === "stamp" ? { name: column.name, ...stamp } : typeColumn(column)));
}

function describeStamp(format: NonNullable<FormatValues["timeFormat"]>): Pick<Field, "type" | "format"> {
  if (format === "iso") return { type: "instant" };
  return format === "local" ? { type: "wall-clock", format: "%Y-%m-%d %H:%M:%S" } : { type: "epoch" };
}
