/** `--changes`: a csv file to which each run appends the points that were restated or withdrawn. */
import { open, readFile, stat, truncate } from "node:fs/promises";
import { sep } from "node:path";
import type { Context } from "../../base/context.ts";
import { EntsError, usageError } from "../../base/errors.ts";
import { LosslessNumber } from "../../base/json.ts";
import { describeSystemError } from "../../files/system-error.ts";
import { createDelimitedFormat } from "../../format/delimited.ts";
import { encodeTable } from "../../format/encode.ts";
import { NO_SCREEN } from "../../format/format.ts";
import { replaceFile } from "../../files/replace-file.ts";
import { syncFile } from "../../files/sync-file.ts";
import type { Change } from "../../kept/compare.ts";
import { UPKEEP_FLAGS } from "../../options/upkeep-options.ts";
import { resolveTarget, suggestFirst } from "../destination/target.ts";
import type { Cell, Row } from "../../series/layout/layout.ts";

const BEFORE = ["seen_at", "timestamp", "network", "metric"];
const AFTER = ["old", "new"];

export interface ChangeLog {
  /** As the user gave it. */
  readonly name: string;
  readonly path: string;
}

/** @throws {EntsError} usage: it is standard output, or one of the `taken` files or inside one; output: it cannot be written. */
export async function openLog(name: string, taken: readonly string[], context: Pick<Context, "cwd" | "process">): Promise<ChangeLog> {
  const target = await (name === "-" ? undefined : resolveTarget(name, context))?.catch((error: EntsError) => {
    throw error.cause ? toLogError(error.cause, name) : error;
  });
  const path = target && "path" in target ? target.path : undefined;
  if (path === undefined || taken.some((one) => path === one || path.startsWith(`${one}${sep}`)))
    throw usageError(
      `${UPKEEP_FLAGS.changes} ${name} is not a file of its own`,
      `name another file, such as ${UPKEEP_FLAGS.changes} changes.csv`,
    );
  const log = { name, path };
  await checkLog(log);
  return log;
}

/** Returns the size of the log in bytes, 0 if there is none. @throws {EntsError} usage: the file is not a log of changes. */
export async function checkLog(log: ChangeLog): Promise<number> {
  const size = (await stat(log.path).catch(() => undefined))?.size ?? 0;
  if (size > 0) await readNames(log);
  return size;
}

function toLogError(error: unknown, name: string): EntsError {
  if (error instanceof EntsError) return error;
  return new EntsError("output", `cannot write ${name}: ${describeSystemError(error)}`, {
    cause: error,
    hint: `${suggestFirst(error)}choose another file with ${UPKEEP_FLAGS.changes}`,
  });
}

async function readNames({ path, name }: ChangeLog): Promise<readonly string[]> {
  const [names = []] = splitRows((await readFile(path, "utf8")).split(/(?<=\n)/, 1)[0] ?? "");
  const labels = names.slice(BEFORE.length, -AFTER.length);
  if ([...BEFORE, ...labels, ...AFTER].join() === names.join()) return names;
  throw usageError(
    `${name} is not a file of changes: its first line is not ${BEFORE.join()},...,${AFTER.join()}`,
    `choose another with ${UPKEEP_FLAGS.changes}`,
  );
}

/** Cuts the log to `size` bytes, to remove the rows that an unfinished run has appended. */
export async function cutLog(path: string, size: number): Promise<void> {
  const status = await stat(path).catch(() => undefined);
  if (status && status.size > size) await truncate(path, size);
}

/** Appends changes; new labels become columns. @throws {EntsError} output: in that case, no row was added. */
export async function appendChanges(log: ChangeLog, changes: readonly Change[], seenAt: number): Promise<void> {
  try {
    await append(log, changes, seenAt);
  } catch (error) {
    throw toLogError(error, log.name);
  }
}

async function append(log: ChangeLog, changes: readonly Change[], seenAt: number): Promise<void> {
  const { path } = log;
  const found = (await checkLog(log)) > 0 ? await readNames(log) : undefined;
  const labels = new Set([...(found?.slice(BEFORE.length, -AFTER.length) ?? []), ...changes.flatMap((one) => Object.keys(one.labels))]);
  const names = [...BEFORE, ...labels, ...AFTER];
  if (found && found.length < names.length) await widenLog(path, found, names);
  const seen = new Date(seenAt).toISOString().replace(/\.\d+Z$/, "Z");
  const rows = changes.map(({ stamp, network, metric, labels: own, old, now }): Row => {
    const cells = [...labels].map((label) => (Object.hasOwn(own, label) ? (own[label] ?? null) : null));
    return [seen, stamp, network, metric, ...cells, toNumber(old), toNumber(now)];
  });
  const columns = names.map((column) => ({ name: column, kind: "text" as const }));
  const file = await open(path, "a");
  const { size } = await file.stat();
  try {
    const format = createDelimitedFormat(",");
    for await (const part of encodeTable({ columns, rows }, format, { header: !found, screen: NO_SCREEN })) await file.appendFile(part);
    await syncFile(file);
  } catch (error) {
    await file.truncate(size).catch(() => {});
    throw error;
  } finally {
    await file.close();
  }
}

/** Rewrites the log with more columns, which are empty in the existing rows. */
async function widenLog(path: string, names: readonly string[], wider: readonly string[]): Promise<void> {
  const rows = splitRows(await readFile(path, "utf8"));
  const places = wider.map((name) => names.indexOf(name));
  const lines = rows.map((cells, index) => (index === 0 ? wider : places.map((place) => cells[place] ?? "")).join(","));
  const file = await open(`${path}.ents-tmp`, "w");
  try {
    await file.writeFile(`${lines.join("\n")}\n`);
    await syncFile(file);
  } finally {
    await file.close();
  }
  await replaceFile(`${path}.ents-tmp`, path);
}

/** Splits csv into rows of cells, which stay quoted. */
function splitRows(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [""];
  for (const [token] of text.matchAll(/"(?:[^"]|"")*"|[^",\r\n]+|,|\r?\n/g)) {
    if (token === ",") row.push("");
    else if (token.endsWith("\n") && !token.startsWith('"')) {
      rows.push(row);
      row = [""];
    } else row.push(`${row.pop()}${token}`);
  }
  return row.length > 1 || row[0] !== "" ? [...rows, row] : rows;
}

/** Keeps all digits of a number; other values become text. */
function toNumber(value: string | undefined): Cell {
  if (value === undefined) return null;
  return /^-?\d/.test(value) ? new LosslessNumber(value) : value;
}
