/** The types of columns in parquet and arrow. */
import { type Column, hasTimestamps } from "../../series/layout/layout.ts";

export type ColumnType = "instant" | "wall-clock" | "date" | "text" | "boolean" | "number";

export interface TypedColumn extends Pick<Column, "name" | "unit" | "metric"> {
  readonly type: ColumnType;
  readonly nullable: boolean;
  /** True if numbers or instants are the same in all rows of a series, as labels are. */
  readonly isConstant?: true;
}

/** Text columns added by ents, which every row has. */
const NEVER_NULL = ["network", "metric", "unit"];

/** Types the columns of series, and inserts `timestamp_local`, the wall clock of the timestamp, after it. */
export function typeSeriesColumns(columns: readonly Column[]): TypedColumn[] {
  if (!hasTimestamps(columns)) return typeTableColumns(columns);
  const [timestamp, ...others] = columns;
  return [
    { name: timestamp?.name ?? "timestamp", type: "instant", nullable: false },
    LOCAL,
    ...others.map((column) => typeColumn(column, column.kind === "timestamp" ? "instant" : undefined)),
  ];
}

/** Types the columns of a table without series, whose timestamps are text. */
export function typeTableColumns(columns: readonly Column[]): TypedColumn[] {
  return columns.flatMap(({ isTimestamp, ...column }): TypedColumn[] => {
    const isMoment = column.kind === "key" && isTimestamp === true;
    const typed = { ...typeColumn(column, isMoment ? "instant" : undefined), nullable: true };
    return isMoment
      ? [
          { ...typed, isConstant: true },
          { ...LOCAL, isConstant: true },
        ]
      : [typed];
  });
}

const LOCAL: TypedColumn = { name: "timestamp_local", type: "wall-clock", nullable: true };

export function typeColumn(
  { name, kind, isBoolean, isNumber, isTimestamp, isDate, unit, metric }: Column,
  type = kind === "value" ? "number" : "text",
): TypedColumn {
  const facts = { name, ...(unit === undefined ? {} : { unit }), ...(metric === undefined ? {} : { metric }) };
  if (type === "text" && isBoolean) return { ...facts, type: "boolean", nullable: true };
  if (type === "text" && isNumber) return { ...facts, type: "number", nullable: true, isConstant: true };
  if (type === "text" && isTimestamp) return { ...facts, type: "instant", nullable: true, isConstant: true };
  if (type === "text" && isDate) return { ...facts, type: "date", nullable: true };
  return { ...facts, type: type as ColumnType, nullable: !(kind === "text" && NEVER_NULL.includes(name)) };
}
