/** Checks that the series of a query have the label of `--pivot`. */
import { usageError } from "../base/errors.ts";
import { didYouMean, findNearest, formatList } from "../base/phrases.ts";
import { type CommandName, LABEL_OF_FILTER, type GroupLabel, LABELS, UNIT_LABEL } from "../base/vocabulary.ts";
import { QUERY_FLAGS, QUERY_OPTIONS } from "../options/query-options.ts";
import { optionsOf } from "../options/spec.ts";
import type { Query } from "./query.ts";

/** @throws {EntsError} usage: an unknown label, or one that neither a grouping nor a filter adds. */
export function checkPivot(label: string, { command, parameters }: Query): void {
  const labels = listLabels(command);
  if (!labels.includes(label)) throw unknownLabel(label, command, labels);
  const brought = listProvidedLabels(parameters);
  if (label === UNIT_LABEL || brought.some((column) => column === label)) return;
  const { parameter } = LABELS[label as GroupLabel];
  const other = brought.find((column) => LABELS[column].parameter === parameter);
  const problem = `--pivot ${label} needs series by ${label}`;
  const flag = `${QUERY_FLAGS.groupBy} ${label}`;
  throw other === undefined
    ? usageError(problem, `add ${flag}`)
    : usageError(`${problem}; these are by ${other}`, `use ${flag}, or --pivot ${other}`);
}

function unknownLabel(label: string, command: CommandName, labels: readonly string[]): Error {
  const use = `use ${formatList(labels, "or")}`;
  if (label !== "network" && (Object.hasOwn(LABELS, label) || label === UNIT_LABEL)) {
    return usageError(`'ents ${command}' has no series by ${label}`, use);
  }
  return usageError(`unknown label "${label}" for --pivot${didYouMean(findNearest(label, labels))}`, use);
}

/** The labels that a command's series may have, except `network`, which has its own column. */
function listLabels(command: CommandName): readonly string[] {
  const { groupBy } = optionsOf(QUERY_OPTIONS, command);
  // For `facilities`, `groupBy` is undefined, although the type includes it.
  return command === "facilities" ? [UNIT_LABEL] : groupBy.choices.filter((name) => name !== "network");
}

function listProvidedLabels(parameters: Query["parameters"]): GroupLabel[] {
  return parameters.flatMap(({ name, values }) => {
    const filtered = LABEL_OF_FILTER[name];
    const grouped = (Object.keys(LABELS) as GroupLabel[]).filter(
      (label) => label !== "network" && LABELS[label].parameter === name && LABELS[label].grouping === values[0],
    );
    return filtered === undefined ? grouped : [filtered];
  });
}
