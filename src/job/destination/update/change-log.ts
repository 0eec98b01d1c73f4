/** `--changes`: a csv file of the values that were restated or withdrawn, one row each, to which every update adds its own. */
import { constants } from "node:fs";
import { access, appendFile, type FileHandle, open, truncate } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Context } from "../../../base/context.ts";
import { LosslessNumber } from "../../../base/json.ts";
import { codeOf, EntsError, Interrupted, messageOf, usageError } from "../../../base/errors.ts";
import { describeSystemError } from "../../../files/system-error.ts";
import { createDelimitedFormat } from "../../../format/delimited.ts";
import { encodeTable } from "../../../format/encode.ts";
import { NO_SCREEN } from "../../../format/format.ts";
import { UPKEEP_FLAGS } from "../../../options/upkeep-options.ts";
import type { Cell, Column, Row } from "../../../series/layout/table.ts";
import { resolveTarget, suggestFirst } from "../target.ts";
import type { Change, TakeChanges } from "./compare.ts";
import { findFirstLine } from "./read-lines.ts";
import { createTextForm, type TextForm } from "./text-form.ts";
import { type Widening, widenLog } from "./widen-log.ts";

const BEFORE = ["seen_at", "timestamp", "network", "metric"];
const AFTER = ["old", "new"];

export interface ChangeLog {
  /** Appends the changes that `giveChanges` gives; new labels become columns. Returns an undo. @throws {EntsError} output: then the log is unchanged. */
  append(giveChanges: (take: TakeChanges) => Promise<unknown>, options: LogOptions): Promise<Undo>;
}

type LogContext = Pick<Context, "cwd" | "process" | "signal">;

type Undo = () => Promise<void>;

export interface LogOptions {
  /** The labels of the changes. */
  readonly labels: readonly string[];
  readonly pivot: string | undefined;
  /** How the cells of labels are read. */
  readonly form: TextForm;
  /** Milliseconds since 1970 UTC. */
  readonly seenAt: number;
}

/** @throws {EntsError} usage: the file is no such log; output: it cannot be written. */
export async function openChangeLog(name: string, context: LogContext): Promise<ChangeLog> {
  const path = resolve(context.cwd, name);
  const fail = (error: unknown): never => {
    if (error instanceof EntsError || error instanceof Interrupted) throw error;
    throw new EntsError("output", `cannot write ${name}: ${describeSystemError(error)}`, {
      cause: error,
      hint: `${suggestFirst(error)}choose another file with ${UPKEEP_FLAGS.changes}`,
    });
  };
  const read = async () => {
    const found = await readState(path).catch(fail);
    return found && { ...found, labels: findLabels(found.names, name) };
  };
  await read();
  return {
    append: async (giveChanges, options) => {
      const found = await read();
      const labels = [...new Set([...(found?.labels ?? []), ...options.labels])];
      const names = [...BEFORE, ...labels, ...AFTER];
      const columns = names.map((column): Column => ({ name: column, kind: "text" }));
      let [text, header] = [found?.isCut ? "\n" : "", !found];
      if (found && labels.length > found.labels.length) {
        await appendFile(path, text).catch(fail);
        await widen(name, { names: found.names, wider: names }, context).catch((error: unknown) => {
          if (error instanceof Interrupted) throw error;
          throw new EntsError("output", `cannot add the column ${labels.at(-1)} to ${name}: ${messageOf(error)}`, {
            hint: `move it away, or choose another file with ${UPKEEP_FLAGS.changes}`,
            cause: error,
          });
        });
        text = "";
      }
      const pending: Change[] = [];
      return appendRows(path, async (file) => {
        const write = async () => {
          const rows = pending.splice(0).map((change) => toRow(change, labels, options));
          for await (const part of encodeTable({ columns, rows }, createDelimitedFormat(","), { header, screen: NO_SCREEN }))
            text += part as string;
          await file.appendFile(text).catch(fail);
          [text, header] = ["", false];
        };
        await giveChanges(async (changes) => {
          pending.push(...changes);
          if (pending.length >= MAX_PENDING) await write();
        });
        await write();
      }).catch(fail);
    },
  };
}

async function widen(name: string, columns: Pick<Widening, "names" | "wider">, context: LogContext): Promise<void> {
  const target = await resolveTarget(name, context);
  if (target.kind === "file") await widenLog({ ...columns, target, form: createForm() }, context);
}

/** Changes kept in memory before they are written: few, as each holds the block of the file that it was read from. */
const MAX_PENDING = 200;

async function appendRows(path: string, write: (file: FileHandle) => Promise<void>): Promise<Undo> {
  const file = await open(path, "a");
  const { size } = await file.stat();
  const undo = () => truncate(path, size);
  try {
    await write(file);
    // Devices cannot be synced.
    await file.sync().catch(() => {});
    return undo;
  } catch (error) {
    await undo().catch(() => {});
    throw error;
  } finally {
    await file.close();
  }
}

interface Found {
  readonly names: readonly string[];
  /** Whether its last line does not end. */
  readonly isCut: boolean;
}

/** Undefined where there is none, or an empty one. @throws a system error where it cannot be written. */
async function readState(path: string): Promise<Found | undefined> {
  const file = await open(path, "r+").catch((error: unknown) => {
    if (codeOf(error) !== "ENOENT") throw error;
  });
  if (!file) return access(dirname(path), constants.W_OK).then(() => undefined);
  try {
    const { size } = await file.stat();
    if (size === 0) return undefined;
    const form = createForm();
    const line = await findFirstLine(file, { from: 0, to: size }, form.isOpen);
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
    return { names: form.readNames(line?.text ?? ""), isCut: buffer.toString() !== "\n" };
  } finally {
    await file.close();
  }
}

function createForm(): TextForm {
  return createTextForm({ formatName: "csv", formatOptions: { header: true, screen: NO_SCREEN } });
}

function findLabels(names: readonly string[], name: string): readonly string[] {
  const labels = names.slice(BEFORE.length, -AFTER.length);
  if ([...BEFORE, ...labels, ...AFTER].join() === names.join()) return labels;
  throw usageError(
    `${name} is not a file of changes: its first line is not ${BEFORE.join()},...,${AFTER.join()}`,
    `choose another with ${UPKEEP_FLAGS.changes}`,
  );
}

function toRow({ stamp, point, now }: Change, labels: readonly string[], { pivot, form, seenAt }: LogOptions): Row {
  const cells = new Map(point.labels.map(([name, cell]) => [name, form.read(cell)]));
  if (pivot !== undefined && point.pivoted !== undefined) cells.set(pivot, point.pivoted);
  const seen = new Date(seenAt).toISOString().replace(/\.\d+Z$/, "Z");
  return [
    seen,
    stamp,
    point.network,
    point.metric,
    ...labels.map((label) => cells.get(label) ?? null),
    toNumber(point.value),
    toNumber(now),
  ];
}

/** Digit for digit; a text as text. */
function toNumber(value: string | undefined): Cell {
  if (value === undefined) return null;
  return /^-?\d/.test(value) ? new LosslessNumber(value) : value;
}
