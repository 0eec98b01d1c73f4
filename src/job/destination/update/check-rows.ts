/** Checks that a file without a description is that of the command. */
import { type EntsError, usageError } from "../../../base/errors.ts";
import { INTERVALS, type Interval } from "../../../base/vocabulary.ts";
import { OUTPUT_FLAGS, OUTPUT_OPTIONS } from "../../../format/output-options.ts";
import { QUERY_OPTIONS } from "../../../options/query-options.ts";
import { UPKEEP_FLAGS } from "../../../options/upkeep-options.ts";
import type { Query } from "../../../query/query.ts";
import { bucketLengths, bucketStart, nextBucketStart } from "../../../time/buckets.ts";
import { formatShort, type LocalTime } from "../../../time/local-time.ts";
import type { UpdateFacts } from "./facts.ts";
import type { OldFile } from "./old-file.ts";

const OTHER_FILE = `or another file with ${OUTPUT_OPTIONS.output.short}`;

/**
 * Returns the start of the file, in network time. `first`: that of its first row.
 * @throws {EntsError} usage: the rows are of another network or interval, or begin later than what is asked for.
 */
export function checkFirstRow({ name, query, interval }: Asked, { first: row, step }: OldFile, first: LocalTime): LocalTime {
  const { start = first } = query.window;
  // The first bucket may start before the window, where the service's days do not start at midnight.
  const beforeStart = bucketStart(interval, bucketStart(interval, start) - 1);
  if (row.network !== query.network) {
    throw usageError(
      `cannot update ${name}: its rows are of network ${row.network}, not ${query.network}`,
      `use that network, ${OTHER_FILE}`,
    );
  }
  if (step !== undefined && !isStep(step, interval)) {
    throw usageError(`cannot update ${name}: its rows are not ${interval} apart`, `use the interval of its rows, ${OTHER_FILE}`);
  }
  if (first <= nextBucketStart(interval, start)) return first <= beforeStart ? first : start;
  throw usageError(
    `${name} starts at ${formatShort(first)}; an update cannot add earlier rows (${formatShort(start)} was asked for)`,
    `use ${QUERY_OPTIONS.dateStart.short} ${formatShort(first)}, ${OTHER_FILE}`,
  );
}

interface Asked {
  readonly name: string;
  readonly query: Query;
  readonly interval: Interval;
}

/** Whether it is a whole number of buckets: more than one, where buckets without data have no row. */
function isStep(ms: number, interval: Interval): boolean {
  const { shortest, longest } = bucketLengths(INTERVALS[interval].bucket);
  return Math.ceil(ms / longest) <= Math.floor(ms / shortest);
}

/** The error for a network whose offset neither ents nor the file knows. */
export function refuseOffset({ target: { name }, query: { network } }: UpdateFacts, described: object | undefined): EntsError {
  return usageError(
    `cannot update ${name}: ents does not know the UTC offset of network ${network}, and the file does not contain it`,
    described
      ? `use ${OUTPUT_FLAGS.timeFormat} iso or ${OUTPUT_FLAGS.timeZone} utc, and another file with ${OUTPUT_OPTIONS.output.short}`
      : `to write a new file whose description has it, run the command once with ${UPKEEP_FLAGS.datapackage} instead of ${UPKEEP_FLAGS.update}`,
  );
}

export function refuseHeaderless(name: string): EntsError {
  return usageError(
    `cannot update ${name}: it has no header, and no description that matches it`,
    `to write a new file with a description, run the command once with ${UPKEEP_FLAGS.datapackage} instead of ${UPKEEP_FLAGS.update}`,
  );
}
