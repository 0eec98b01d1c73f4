/** The groupings of a query, and the labels that they bring. */
import { usageError } from "../base/errors.ts";
import { didYouMean, findNearest, formatList } from "../base/suggest.ts";
import { type CommandName, FILTERED_LABELS, type GroupLabel, LABELS, UNIT_LABEL } from "../base/vocabulary.ts";
import { QUERY_FLAGS, QUERY_OPTIONS, type QueryValues } from "../options/query-options.ts";
import { type OptionSpec, optionsOf } from "../options/spec.ts";
import type { Query } from "./query.ts";

/** The two groupings, also where `--group-by` names them. @throws {EntsError} usage. */
export function resolveGroupings(
  { groupBy = [], ...options }: QueryValues,
  command: CommandName,
): Pick<QueryValues, "primaryGrouping" | "secondaryGrouping"> {
  const groupings = { primaryGrouping: options.primaryGrouping, secondaryGrouping: options.secondaryGrouping };
  const named = new Map<string, string>();
  for (const label of groupBy) {
    const { parameter, grouping } = LABELS[label as GroupLabel];
    const key = parameter === "primary_grouping" ? "primaryGrouping" : "secondaryGrouping";
    if (!Object.hasOwn(optionsOf(QUERY_OPTIONS, command), key)) {
      throw usageError(`'ents ${command}' cannot group by ${label}`, `use ${formatList(listLabels(command), "or")}, or 'ents network'`);
    }
    const other = named.get(key);
    if (other !== undefined)
      throw usageError(`${QUERY_FLAGS.groupBy} takes ${other} or ${label}, not both`, "run the command once for each");
    if (options[key] !== undefined)
      throw usageError(`${QUERY_FLAGS.groupBy} ${label} cannot be used with ${QUERY_FLAGS[key]}`, "use one of them");
    named.set(key, label);
    groupings[key] = grouping;
  }
  return groupings;
}

/** @throws {EntsError} usage: the groupings that are asked for cannot bring the label. */
export function checkPivot(label: string, { command, parameters }: Query): void {
  if (listBrought(parameters).includes(label) || (command === "facilities" && label === UNIT_LABEL)) return;
  const labels = command === "facilities" ? [UNIT_LABEL] : listLabels(command).filter((name) => name !== "network");
  if (labels.includes(label)) throw usageError(`--pivot ${label} needs series by ${label}`, `add ${QUERY_FLAGS.groupBy} ${label}`);
  throw usageError(`unknown label "${label}" for --pivot${didYouMean(findNearest(label, labels))}`, `use ${formatList(labels, "or")}`);
}

function listLabels(command: CommandName): string[] {
  const sent = Object.values<OptionSpec>(optionsOf(QUERY_OPTIONS, command)).map(({ parameter }) => parameter);
  return Object.entries(LABELS).flatMap(([label, { parameter }]) => (sent.includes(parameter) ? [label] : []));
}

function listBrought(parameters: Query["parameters"]): string[] {
  return parameters.flatMap(({ name, values }) => {
    const found = Object.entries(LABELS).find(([, { parameter, grouping }]) => parameter === name && grouping === values[0])?.[0];
    return [FILTERED_LABELS[name], found].filter((label) => label !== undefined && label !== "network") as string[];
  });
}
