import type { Context } from "../../../base/context.ts";
import { writeText } from "../../../format/delimited.ts";
import { openFileSink } from "../file.ts";
import type { FileTarget } from "../target.ts";
import { withFile } from "./old-file.ts";
import { readRows } from "./rows.ts";
import { type TextForm, toBytes } from "./text-form.ts";

export interface Widening {
  readonly target: FileTarget;
  readonly form: TextForm;
  /** The present columns, and the wanted ones. */
  readonly names: readonly string[];
  readonly wider: readonly string[];
}

/** Rewrites the log of changes with more columns, which are empty in its present rows. The file is the old or the new one at any instant. */
export async function widenLog(
  { target, form, names, wider }: Widening,
  { process, signal }: Pick<Context, "process" | "signal">,
): Promise<void> {
  const sink = await openFileSink(target, process);
  const places = wider.map((name) => names.indexOf(name));
  let isHeader = true;
  const widen = (line: string) => {
    const cells = form.split(line, names);
    // Lines that are not rows of it stay, as they do where rows are only appended.
    if (!cells) return `${line}\n`;
    const added = (at: number) => (isHeader ? toBytes(writeText(wider[at] as string, ",")) : form.nullCell);
    const row = places.map((place, at) => (place < 0 ? added(at) : (cells[place] as string)));
    isHeader = false;
    return form.join(row, wider);
  };
  try {
    await withFile(target, async (file) => {
      const range = { from: 0, to: (await file.stat()).size };
      for await (const rows of readRows({ name: target.name, file, form }, range)) {
        signal.throwIfAborted();
        await sink.write(Buffer.from(rows.map(({ text }) => widen(text)).join(""), "latin1"));
      }
    });
    await sink.commit();
  } catch (error) {
    await sink.discard().catch(() => {});
    throw error;
  }
}
