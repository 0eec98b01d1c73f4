import { formatCount, formatNumber } from "../../../base/numbers.ts";
import type { DescribedFile } from "../../package/descriptor.ts";
import { folderOf } from "./partition.ts";

interface Update {
  readonly written: readonly DescribedFile[];
  /** The files that they replace. */
  readonly replaced: readonly DescribedFile[];
  readonly withdrawn: readonly string[];
}

/** In one line, the partitions and rows of a dataset that was not there before. */
export function describeNew({ written }: Pick<Update, "written">): string {
  return `a new dataset of ${describePartitions(written)}: ${formatCount(sumRows(written), "row")}`;
}

/** In one line, which partitions an update has written, and their rows. */
export function describeUpdate({ written, replaced, withdrawn }: Update): string {
  const rows = `${formatCount(sumRows(written), "row")} (${formatNumber(sumRows(replaced))} before)`;
  const removed = withdrawn.length === 0 ? "" : `; removed ${withdrawn.map(folderOf).join(", ")} (no rows left)`;
  return `wrote ${describePartitions(written)}: ${rows}${removed}`;
}

function describePartitions(files: readonly DescribedFile[]): string {
  const folders = files.map(({ path }) => folderOf(path));
  const names = [...new Set([folders[0], folders.at(-1)])].join(" to ");
  return `${formatCount(folders.length, "partition")}, ${names}`;
}

export function sumRows(files: readonly DescribedFile[]): number {
  return files.reduce((sum, { rows }) => sum + rows, 0);
}
