import { formatCount, formatNumber } from "../../../base/numbers.ts";
import type { DescribedFile } from "../../package/descriptor.ts";
import { folderOf } from "./partition.ts";

interface Update {
  readonly written: readonly DescribedFile[];
  /** The files that they replace. */
  readonly replaced: readonly DescribedFile[];
  readonly withdrawn: readonly string[];
}

/** In one line, which partitions an update has written, and their rows. */
export function describeUpdate({ written, replaced, withdrawn }: Update): string {
  const folders = written.map(({ path }) => folderOf(path));
  const names = [...new Set([folders[0], folders.at(-1)])].join(" to ");
  const rows = `${formatCount(sumRows(written), "row")} (${formatNumber(sumRows(replaced))} before)`;
  const removed = withdrawn.length === 0 ? "" : `; removed ${withdrawn.map(folderOf).join(", ")}, which has no rows any more`;
  return `wrote ${formatCount(folders.length, "partition")}, ${names}: ${rows}${removed}`;
}

export function sumRows(files: readonly DescribedFile[]): number {
  return files.reduce((sum, { rows }) => sum + rows, 0);
}
