/** What an update needs to know of the old file, read from its first and last lines. */
import { type FileHandle, open } from "node:fs/promises";
import { codeOf, EntsError, usageError } from "../../../base/errors.ts";
import { describeSystemError } from "../../../files/system-error.ts";
import { OUTPUT_OPTIONS } from "../../../format/output-options.ts";
import type { StampReader } from "../../../time/stamp-reader.ts";
import type { FileTarget } from "../target.ts";
import { createGrid, type Grid, type GridOptions } from "./grid.ts";
import { findFirstLine, findLastRow, findRow, type Line, type Range } from "./read-lines.ts";
import { readGroups, readRows, splitRow, unreadable } from "./rows.ts";
import type { TextForm } from "./text-form.ts";

export interface FileForm {
  readonly form: TextForm;
  readonly readStamp: StampReader;
  readonly columns: GridOptions;
  /** For a file without a header. */
  readonly names: readonly string[] | undefined;
}

export interface OldFile {
  readonly grid: Grid;
  /** The header line, byte for byte; empty for none. */
  readonly header: string;
  /** All whole rows. */
  readonly body: Range;
  readonly first: OldRow;
  readonly last: OldRow;
  /** In bytes, with what follows the last whole row. */
  readonly size: number;
  /** The shortest distance between the instants of the first rows, in milliseconds; undefined for one instant. */
  readonly step: number | undefined;
  /** Identifies this state of the file. */
  readonly state: string;
}

export interface OldRow {
  readonly instant: number;
  readonly stamp: string;
  readonly network: string;
}

/** Undefined where there is no row. `state`: undefined without a file. @throws {EntsError} usage: other columns; output: it is not as ents writes it. */
export async function inspectFile(target: FileTarget, reading: FileForm, state: string | undefined): Promise<OldFile | undefined> {
  if (state === undefined) return undefined;
  return withFile(target, async (file) => {
    const { form } = reading;
    const { size } = await file.stat();
    const [name, whole] = [target.name, { from: 0, to: size }];
    const line = await findFirstLine(file, whole, form.isOpen);
    if (size > 0 && !line) throw unreadable(name, "its first line");
    if (!line) return undefined;
    if (line.text.endsWith("\r")) throw unreadable(name, "the end of its first line (CR LF)");
    const grid = findGrid(line.text, name, reading);
    const header = form.names === "header" ? `${line.text}\n` : "";
    return readBody({ file, name, grid, header, state, range: { from: header.length, to: size } }, reading);
  });
}

/** Where the first row at or after an instant starts. */
export async function findSplice(
  from: number,
  { body, target }: Pick<OldFile, "body"> & { readonly target: FileTarget },
  { form, readStamp }: FileForm,
): Promise<number> {
  return withFile(target, (file) =>
    findRow(file, body, (line) => {
      const instant = readInstant(line, { form, readStamp });
      return instant === undefined ? undefined : instant >= from;
    }),
  );
}

/** Whether the file is unchanged. */
export async function isAsFound(target: FileTarget, { state }: OldFile): Promise<boolean> {
  return (await withFile(target, readState)) === state;
}

export async function withFile<T>({ path, name }: FileTarget, work: (file: FileHandle) => Promise<T>): Promise<T> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, "r");
    return await work(file);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    throw new EntsError("output", `cannot read ${name}: ${describeSystemError(error)}`, { cause: error });
  } finally {
    await file?.close();
  }
}

export async function readState(file: FileHandle): Promise<string> {
  const { dev, ino, size, mtimeNs } = await file.stat({ bigint: true });
  return [dev, ino, size, mtimeNs].join(" ");
}

function findGrid(line: string, name: string, { form, columns, names: known }: FileForm): Grid {
  const names = form.names === "nowhere" ? (known ?? []) : form.readNames(line);
  const grid = createGrid(names, columns);
  if (grid) return grid;
  const shown = names.length === 0 ? "its first line is not a row" : `its columns are ${names.join(", ")}`;
  throw usageError(
    `cannot update ${name}: this command writes different columns; ${shown.length > 200 ? `${shown.slice(0, 200)}...` : shown}`,
    `use the flags that it was written with, or another file with ${OUTPUT_OPTIONS.output.short}`,
  );
}

interface Body extends Pick<OldFile, "grid" | "header" | "state"> {
  readonly file: FileHandle;
  readonly name: string;
  readonly range: Range;
}

async function readBody({ file, name, grid, header, state, range }: Body, { form, readStamp }: FileForm): Promise<OldFile | undefined> {
  const isRow = (line: string) => readInstant(line, { form, readStamp }) !== undefined;
  const found = await findLastRow(file, range, { isRow, isOpen: form.isOpen });
  if (!found && (await findFirstLine(file, range, () => false))) throw unreadable(name, "its first row");
  if (!found) return undefined;
  const body = { from: range.from, to: found.end };
  const reading = { name, file, form, grid, readStamp };
  const toRow = (line: Line): OldRow => {
    const cells = splitRow(reading, line);
    const stamp = form.read(cells[0] as string) ?? "";
    return { stamp, instant: readStamp(stamp) as number, network: form.read(cells[grid.network] as string) ?? "" };
  };
  const lasts: OldRow[] = [];
  for await (const rows of readRows(reading, { from: found.start, to: body.to })) lasts.push(...rows.map(toRow));
  const [last, ...more] = lasts;
  if (!last || more.length > 0) throw unreadable(name, "its last row");
  const instants: number[] = [];
  let first: OldRow | undefined;
  for await (const { instant, rows } of readGroups(reading, body)) {
    const [one] = rows.map(toRow);
    first ??= one;
    if (instants.push(instant) === FIRST_INSTANTS) break;
  }
  if (!first) throw unreadable(name, "its first row");
  return { grid, header, body, first, last, size: range.to, step: findStep(instants), state };
}

/** Enough rows to see how far they are apart. */
const FIRST_INSTANTS = 100;

function findStep(instants: readonly number[]): number | undefined {
  const steps = instants.slice(1).map((instant, index) => instant - (instants[index] as number));
  return steps.length === 0 ? undefined : Math.min(...steps);
}

function readInstant(line: string, { form, readStamp }: Pick<FileForm, "form" | "readStamp">): number | undefined {
  const cell = form.first(line);
  return cell === undefined ? undefined : readStamp(form.read(cell) ?? "");
}
