/** Writes a file that begins as an old one does, and goes on with new rows. */
import type { Context } from "../../../base/context.ts";
import { EntsError } from "../../../base/errors.ts";
import type { Encoded } from "../../../format/format.ts";
import { type Begun, type FileSink, type FileSinkOptions, openFileSink } from "../file.ts";
import type { FileTarget } from "../target.ts";
import type { Grid } from "./grid.ts";
import { withFile } from "./old-file.ts";
import { readRows, type RowReading, splitRow } from "./rows.ts";
import { toBytes } from "./text-form.ts";

/** The part of the old file that stays. */
export interface Head extends Pick<RowReading, "form" | "grid" | "readStamp"> {
  readonly target: FileTarget;
  /** The header line, byte for byte; empty for none. */
  readonly header: string;
  /** Where its rows start, and where the new ones begin. */
  readonly rows: { readonly from: number; readonly to: number };
  /** The file that begins with it. */
  readonly begin: () => Promise<Begun>;
}

export interface Spliced {
  readonly sink: FileSink;
  /** Where the new rows begin, in bytes. */
  readonly range: { readonly from: number; readonly to: number };
}

interface Splicing extends Pick<FileSinkOptions, "describe"> {
  readonly parts: AsyncIterable<Encoded>;
  readonly findNewGrid: () => Grid;
}

/**
 * Writes the parts after the kept rows, which are in the file before the first part is asked for; where the columns change,
 * they are rewritten. The file is not in its place yet. `findNewGrid`: the columns of the new file, known with the first part.
 */
export async function writeSpliced(
  head: Head,
  { parts, findNewGrid, describe }: Splicing,
  { process, signal }: Pick<Context, "process" | "signal">,
): Promise<Spliced> {
  const sink = await openFileSink(head.target, process, { begun: await head.begin(), describe });
  const iterator = parts[Symbol.asyncIterator]();
  try {
    let part = await iterator.next();
    const grid = findNewGrid();
    const header = head.form.names === "header" && !part.done ? toBytes(part.value as string) : "";
    if (header !== "") part = await iterator.next();
    if (header !== head.header || grid.names.join("\n") !== head.grid.names.join("\n"))
      await rewriteHead(head, { sink, header, grid, signal });
    const from = (await sink.file.stat()).size;
    for (; !part.done; part = await iterator.next()) {
      signal.throwIfAborted();
      await sink.write(part.value);
    }
    return { sink, range: { from, to: (await sink.file.stat()).size } };
  } catch (error) {
    // As `for await` does at its end: this ends the requests.
    await iterator.return?.().catch(() => {});
    await sink.discard().catch(() => {});
    throw error;
  }
}

interface Rewriting {
  readonly sink: FileSink;
  readonly header: string;
  readonly grid: Grid;
  readonly signal: AbortSignal;
}

async function rewriteHead({ target, form, grid: old, readStamp, rows }: Head, { sink, header, grid, signal }: Rewriting): Promise<void> {
  await sink.restart();
  await sink.write(Buffer.from(header, "latin1"));
  const places = grid.names.map((name) => old.names.indexOf(name));
  const dropped = old.names.flatMap((name, at) => (grid.names.includes(name) ? [] : [{ name, at }]));
  await withFile(target, async (file) => {
    const reading = { name: target.name, file, form, grid: old, readStamp };
    for await (const found of readRows(reading, rows)) {
      signal.throwIfAborted();
      const lines = found.map((row) => {
        const cells = splitRow(reading, row);
        for (const { name, at } of dropped) if (cells[at] !== form.nullCell) throw lostColumn(target.name, name);
        return form.join(
          places.map((at) => (at < 0 ? form.nullCell : (cells[at] as string))),
          grid.names,
        );
      });
      await sink.write(Buffer.from(lines.join(""), "latin1"));
    }
  });
}

function lostColumn(file: string, column: string): EntsError {
  return new EntsError("output", `cannot update ${file}: its column ${column} has values, and the new columns lack it`, {
    hint: "the existing file is unchanged; move it away to fetch all of it again",
  });
}
