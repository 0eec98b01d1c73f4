/** Reads workbooks with another library (hucre), to compare them with the csv of the same request. */
import { readFileSync } from "node:fs";
import { parse } from "csv-parse/sync";
import { readXlsx } from "hucre/xlsx";

export type XlsxCell = string | number | boolean | Date | null;

export interface ReadWorkbook {
  /** The first worksheet: header and rows. */
  readonly rows: readonly (readonly XlsxCell[])[];
  /** The second worksheet. */
  readonly source: readonly (readonly XlsxCell[])[];
  readonly names: readonly string[];
  readonly frozenRows: number | undefined;
}

export async function readWorkbook(path: string): Promise<ReadWorkbook> {
  const { sheets } = await readXlsx(readFileSync(path), { readStyles: true });
  const [data, source] = sheets;
  return {
    rows: data?.rows ?? [],
    source: source?.rows ?? [],
    names: sheets.map(({ name }) => name),
    frozenRows: data?.freezePane?.rows,
  };
}

/** The rows without what a workbook has besides those of csv: units in headings, and columns of names. */
export function toPlainRows<T extends XlsxCell>([headings = [], ...rows]: readonly (readonly T[])[]): (
  | T
  | string
  | null
)[][] {
  const names = headings.map((heading) => String(heading).replace(/ \([^)]*\)$/, ""));
  const kept = names.map((name) => name === "facility_name" || !name.endsWith("_name"));
  return [names, ...rows].map((row) => kept.flatMap((isKept, at) => (isKept ? [row[at] ?? null] : [])));
}

/** The cells that a workbook should have, from csv with wall-clock timestamps. `values`: the columns of numbers. */
export function typeCsv(csv: string, values: RegExp): XlsxCell[][] {
  const [names = [], ...rows] = parse(csv, { relax_column_count: true });
  return [names, ...rows.map((row) => row.map((text, column) => typeCell(text, names[column] ?? "", values)))];
}

function typeCell(text: string, name: string, values: RegExp): XlsxCell {
  if (text === "") return null;
  if (name === "timestamp" || name === "interval_end") return new Date(`${text.replace(" ", "T")}Z`);
  if (values.test(name)) return Number(text);
  if (text === "true" || text === "false") return text === "true";
  // csv disarms formulas (csv-stringify's escape_formulas); in a text cell they are harmless.
  return text.replace(/^'(?=[=+\-@\t\r])/, "");
}

/** Labels that break careless writers: formulas, markup, escapes, control characters. */
export const NASTY_LABELS = [
  "=SUM(A1)",
  "+1",
  "-1",
  "@a",
  '"quoted", with comma',
  "<script>alert(1)</script> & ]]>",
  "_x000D_",
  "_x005F_",
  "_x00zz_ __x0041__",
  "\u0000\u0007\u001b[31m\u0085",
  "tab\tline\nreturn\r\n",
  "  spaces  ",
  "é 日本 💡",
];
