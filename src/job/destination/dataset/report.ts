import { formatCount, formatNumber } from "../../../base/numbers.ts";
import type { DescribedFile } from "../../package/descriptor.ts";
import { folderOf } from "./partition.ts";
import type { Done } from "./put-files.ts";

/** In one line, which partitions a run has written. */
export function describeWritten({ written, unchanged, withdrawn }: Done): string {
  const rows = formatCount(sumRows([...written, ...unchanged]), "row");
  const others = unchanged.length === 0 ? "" : `, ${formatNumber(unchanged.length)} unchanged`;
  const removed = withdrawn.length === 0 ? "" : `; removed ${describeFiles(withdrawn, "old file")}`;
  return `wrote ${describeFiles(
    written.map(({ path }) => path),
    "partition",
  )}${others}: ${rows}${removed}`;
}

function describeFiles(paths: readonly string[], what: string): string {
  const folders = paths.map(folderOf);
  const names = [...new Set([folders[0], folders.at(-1)])].join(" to ");
  return `${formatCount(folders.length, what)}${names === "" ? "" : ` (${names})`}`;
}

function sumRows(files: readonly DescribedFile[]): number {
  return files.reduce((sum, { rows }) => sum + rows, 0);
}
