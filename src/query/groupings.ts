/** `--group-by`: the two groupings by the names of the columns that they bring. */
import { usageError } from "../base/errors.ts";
import { type GroupLabel, LABELS } from "../base/vocabulary.ts";
import { QUERY_FLAGS, type QueryValues } from "../options/query-options.ts";

const KEYS = { primary_grouping: "primaryGrouping", secondary_grouping: "secondaryGrouping" } as const;

type Groupings = Pick<QueryValues, (typeof KEYS)[keyof typeof KEYS]>;

/** @throws {EntsError} usage: two labels of one kind, or one beside the flag that it stands for. */
export function resolveGroupings({ groupBy = [], primaryGrouping, secondaryGrouping }: QueryValues): Groupings {
  const explicit: Groupings = { primaryGrouping, secondaryGrouping };
  const labels = new Map<keyof Groupings, GroupLabel>();
  for (const label of groupBy as readonly GroupLabel[]) {
    const key = KEYS[LABELS[label].parameter];
    const other = labels.get(key);
    if (other !== undefined) throw takesOne(other, label);
    if (explicit[key] !== undefined)
      throw usageError(`${QUERY_FLAGS.groupBy} ${label} cannot be used with ${QUERY_FLAGS[key]}`, "use one of them");
    labels.set(key, label);
  }
  return { ...explicit, ...Object.fromEntries(Array.from(labels, ([key, label]) => [key, LABELS[label].grouping])) };
}

function takesOne(one: string, other: string): Error {
  return usageError(`${QUERY_FLAGS.groupBy} takes ${one} or ${other}, not both`, "run the command once for each");
}
