import { usageError } from "../../../base/errors.ts";
import { formatList } from "../../../base/suggest.ts";
import { INTERVALS, type Interval } from "../../../base/vocabulary.ts";
import { QUERY_FLAGS } from "../../../options/query-options.ts";
import { UPKEEP_FLAGS } from "../../../options/upkeep-options.ts";
import type { Query } from "../../../query/query.ts";

/** @throws {EntsError} usage: no interval. The service would choose one, and another one for a shorter window. */
export function checkInterval({ interval }: Query): Interval {
  if (interval !== undefined) return interval;
  throw usageError(
    `${UPKEEP_FLAGS.update} needs a known ${QUERY_FLAGS.interval}: rows are replaced from the start of a bucket`,
    `use ${formatList(Object.keys(INTERVALS), "or")}`,
  );
}
