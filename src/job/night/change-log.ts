/** `--changes`: a csv file to which every run adds the points that were restated or withdrawn. */
import { open, readFile, stat, truncate } from "node:fs/promises";
import { LosslessNumber } from "../../base/json.ts";
import { usageError } from "../../base/errors.ts";
import { createDelimitedFormat } from "../../format/delimited.ts";
import { encodeTable } from "../../format/encode.ts";
import { NO_SCREEN } from "../../format/format.ts";
import { replaceFile } from "../../files/replace-file.ts";
import type { Change } from "../../kept/compare.ts";
import { UPKEEP_FLAGS } from "../../options/upkeep-options.ts";
import type { Cell, Row } from "../../series/layout/table.ts";

const BEFORE = ["seen_at", "timestamp", "network", "metric"];
const AFTER = ["old", "new"];

/** Its size in bytes, 0 where there is none. @throws {EntsError} usage: it is another file. */
export async function checkLog(path: string, name: string): Promise<number> {
  const size = (await stat(path).catch(() => undefined))?.size ?? 0;
  if (size > 0) await readNames(path, name);
  return size;
}

async function readNames(path: string, name: string): Promise<readonly string[]> {
  const [names = []] = splitRows((await readFile(path, "utf8")).split(/(?<=\n)/, 1)[0] ?? "");
  const labels = names.slice(BEFORE.length, -AFTER.length);
  if ([...BEFORE, ...labels, ...AFTER].join() === names.join()) return names;
  throw usageError(
    `${name} is not a file of changes: its first line is not ${BEFORE.join()},...,${AFTER.join()}`,
    `choose another with ${UPKEEP_FLAGS.changes}`,
  );
}

/** What stands after this size was begun by a run that did not finish. */
export async function cutLog(path: string, size: number): Promise<void> {
  const status = await stat(path).catch(() => undefined);
  if (status && status.size > size) await truncate(path, size);
}

/** Appends changes; labels that are new to it become columns. */
export async function appendChanges(
  path: string,
  changes: readonly Change[],
  { name, seenAt }: { readonly name: string; readonly seenAt: number },
): Promise<void> {
  if (changes.length === 0) return;
  const found = (await checkLog(path, name)) > 0 ? await readNames(path, name) : undefined;
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
  try {
    const format = createDelimitedFormat(",");
    for await (const part of encodeTable({ columns, rows }, format, { header: !found, screen: NO_SCREEN })) await file.appendFile(part);
    // Devices cannot be synced.
    await file.sync().catch(() => {});
  } finally {
    await file.close();
  }
}

/** Writes it again with more columns, which are empty in its rows. */
async function widenLog(path: string, names: readonly string[], wider: readonly string[]): Promise<void> {
  const rows = splitRows(await readFile(path, "utf8"));
  const places = wider.map((name) => names.indexOf(name));
  const lines = rows.map((cells, index) => (index === 0 ? wider : places.map((place) => cells[place] ?? "")).join(","));
  const file = await open(`${path}.ents-tmp`, "w");
  try {
    await file.writeFile(`${lines.join("\n")}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await replaceFile(`${path}.ents-tmp`, path);
}

/** The cells of csv, in their quotes. */
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

/** Digit for digit; a text as text. */
function toNumber(value: string | undefined): Cell {
  if (value === undefined) return null;
  return /^-?\d/.test(value) ? new LosslessNumber(value) : value;
}
