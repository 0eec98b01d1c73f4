/** The labels that the series of a query have. */
import {
  type CommandName,
  type GroupLabel,
  LABEL_OF_FILTER,
  LABELS,
  listGroupLabels,
  UNIT_LABEL,
} from "../base/vocabulary.ts";
import type { Computation } from "./computation.ts";
import type { Parameter } from "./parameters.ts";

interface LabelledQuery {
  readonly command: CommandName;
  readonly parameters: readonly Parameter[];
  readonly computation?: Computation | undefined;
}

/** The labels that tell the rows of one time apart. */
export function listRowLabels({ command, parameters, computation }: LabelledQuery): readonly string[] {
  return command === "facilities" ? listUnitLabels(computation) : listProvidedLabels(parameters, computation);
}

export function listUnitLabels(computation: Computation | undefined): string[] {
  return computation?.groups ? listGroupLabels(computation.groups) : [UNIT_LABEL];
}

/** The fueltechs of a sum are asked for, and not printed. */
export function listProvidedLabels(
  parameters: readonly Parameter[],
  computation: Computation | undefined,
): GroupLabel[] {
  const { summed } = computation ?? {};
  return parameters.flatMap(({ name, values }) => {
    const filtered = LABEL_OF_FILTER[name];
    const grouped = (Object.keys(LABELS) as GroupLabel[]).filter(
      (label) => label !== "network" && LABELS[label].parameter === name && LABELS[label].grouping === values[0],
    );
    const labels = filtered === undefined ? grouped : [filtered];
    return summed === undefined
      ? labels
      : labels.flatMap((label) => (label !== "fueltech" ? label : summed === "network" ? [] : summed));
  });
}
