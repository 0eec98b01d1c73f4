/** Whether a file that another program has changed still has the rows that its description says. */
import { usageError } from "../../../base/errors.ts";
import { formatNumber } from "../../../base/numbers.ts";
import { type Interval, INTERVALS } from "../../../base/vocabulary.ts";
import { keyLogged } from "../../../series/series-log.ts";
import { bucketLengths } from "../../../time/buckets.ts";
import type { Descriptor } from "../../package/descriptor.ts";
import { findDescriptor, findFirst } from "../../package/kept.ts";
import type { OldFile } from "./old-file.ts";
import type { Scan } from "./scan-series.ts";

interface Left extends Pick<Scan, "series" | "rows">, Pick<OldFile, "first"> {
  readonly name: string;
  readonly interval: Interval;
  /** Rows from this instant on are fetched again. */
  readonly from: number;
}

/** @throws {EntsError} usage: rows are gone that would not be fetched again. */
export function checkRowsLeft({ series, files }: Pick<Descriptor, "series" | "files">, left: Left): void {
  const { name, rows, first } = left;
  const before = files[0]?.rows ?? 0;
  if (first.instant <= findFirst(series) && before - rows <= countCut(series, left)) return;
  throw usageError(
    `${name} has lost rows: it has ${formatNumber(rows)}, and had ${formatNumber(before)} when ents wrote it; an update brings back the last ones only`,
    `restore the file, or move it away to fetch all of it again; to continue with it as it is, delete ${findDescriptor(name)}`,
  );
}

/** The most rows that can be missing at the ends of its series. */
function countCut(described: Descriptor["series"], { series, interval, from }: Left): number {
  const { shortest } = bucketLengths(INTERVALS[interval].bucket);
  const lasts = keyLogged(series);
  return [...keyLogged(described)].reduce((sum, [key, { first, last }]) => {
    // A series that is gone may have lost only rows that are fetched again.
    const end = lasts.get(key)?.last ?? Math.max(first, from) - shortest;
    return sum + Math.max(0, Math.ceil((last - end) / shortest));
  }, 0);
}
