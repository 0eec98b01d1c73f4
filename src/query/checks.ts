/** Checks that a query has what its flags need: labels for `--pivot` and `--with`, and units to compute with. */
import { usageError } from "../base/errors.ts";
import { findNearest } from "../base/nearest.ts";
import { formatList } from "../base/phrases.ts";
import {
  type CommandName,
  type GroupLabel,
  LABELS,
  listGroupLabels,
  UNIT_GROUPS,
  UNIT_LABEL,
} from "../base/vocabulary.ts";
import { FILTER_OPTIONS, PICK_FLAGS } from "../options/list-options.ts";
import { QUERY_FLAGS, QUERY_OPTIONS } from "../options/query-options.ts";
import { optionsOf } from "../options/spec.ts";
import { needsUnits } from "./computation.ts";
import { listProvidedLabels, listUnitLabels } from "./labels.ts";
import type { Query } from "./query.ts";

interface Needs {
  readonly pivot?: string | undefined;
  readonly with?: readonly string[] | undefined;
  readonly allowUnknown: boolean;
  /** True if its units are chosen by flags, or are known. */
  readonly isChosen: boolean;
  /** True if the query cannot be changed, as that of an output that is shown. */
  readonly isFixed?: boolean;
}

/** @throws {EntsError} usage: as the checks below. */
export function checkNeeds(query: Query, { pivot, with: columns = [], allowUnknown, isChosen, isFixed }: Needs): void {
  if (!isChosen) checkChosen(query);
  checkJoined(columns, query);
  if (pivot !== undefined && !allowUnknown) checkPivot(pivot, query, isFixed);
}

/** @throws {EntsError} usage: an unknown label, or one that neither a grouping nor a filter adds. */
export function checkPivot(label: string, { command, parameters, computation }: Query, isFixed = false): void {
  const labels = command === "facilities" ? listUnitLabels(computation) : listPossibleLabels(command);
  const groups = label === UNIT_LABEL ? computation?.groups : undefined;
  if (groups)
    throw usageError(
      `${QUERY_FLAGS.groupBy} ${groups.join(" ")} adds the units up`,
      `use --pivot ${formatList(labels, "or")}`,
    );
  if (!labels.includes(label)) throw unknownLabel(label, command, labels);
  const brought = listProvidedLabels(parameters, computation);
  if (command === "facilities" || brought.some((column) => column === label)) return;
  const { parameter } = LABELS[label as GroupLabel];
  const other = brought.find((column) => LABELS[column].parameter === parameter);
  const problem = `--pivot ${label} needs series by ${label}`;
  const flag = `${QUERY_FLAGS.groupBy} ${label}`;
  if (isFixed)
    throw usageError(
      problem,
      other === undefined ? `fetch them with ${flag} into another output` : `use --pivot ${other}`,
    );
  throw other === undefined
    ? usageError(problem, `add ${flag}`)
    : usageError(`${problem}; these are by ${other}`, `use ${flag}, or --pivot ${other}`);
}

/**
 * Rows are told apart by unit only if codes are asked for. @throws {EntsError} usage: no flag chooses units that are
 * needed one by one.
 */
function checkChosen({ computation, parameters }: Query): void {
  if (!needsUnits(computation) || parameters.some(({ name }) => /^(facility|unit)_code$/.test(name))) return;
  const what = computation?.groups ? `${QUERY_FLAGS.groupBy} ${computation.groups.join(" ")}` : "capacity_factor";
  const { facility, fueltech, status } = PICK_FLAGS;
  const { short } = FILTER_OPTIONS.networkRegion;
  throw usageError(
    `${what} needs units to be chosen`,
    `use ${formatList([facility, short, fueltech, status, QUERY_FLAGS.facilityCode], "or")}`,
  );
}

/** Columns about single units, of which sums have none. */
const OF_UNITS = ["first_data", "last_data"];

/** @throws {EntsError} usage: a column about units beside sums of several, or the reverse. */
function checkJoined(columns: readonly string[], { computation }: Query): void {
  const { groups } = computation ?? {};
  if (!groups && columns.includes("units"))
    throw usageError(
      "--with units is the number of units that are added up",
      `add ${QUERY_FLAGS.groupBy} facility, or leave it out`,
    );
  const other =
    groups &&
    columns.find((column) => OF_UNITS.includes(column) || listGroupLabels(groups).some((label) => label === column));
  if (other === undefined) return;
  throw usageError(
    OF_UNITS.includes(other)
      ? `--with ${other} is about single units, and ${QUERY_FLAGS.groupBy} adds them up`
      : `the rows have ${other} already, by ${QUERY_FLAGS.groupBy}`,
    "leave it out; sums have capacity, units, and what all of their units share",
  );
}

function unknownLabel(label: string, command: CommandName, labels: readonly string[]): Error {
  const use = `use ${formatList(labels, "or")}`;
  if (label !== "network" && (Object.hasOwn(LABELS, label) || label === UNIT_LABEL)) {
    return usageError(`'ents ${command}' has no series by ${label}`, use);
  }
  return usageError(`unknown label "${label}" for --pivot`, use, {
    value: label,
    allowed: labels,
    didYouMean: findNearest(label, labels),
  });
}

/** The labels that `--pivot` takes, if the series have them. */
export function listPivotLabels(command: CommandName): readonly string[] {
  if (command !== "facilities") return listPossibleLabels(command);
  return [UNIT_LABEL, ...Object.values(UNIT_GROUPS).filter((label) => label !== undefined)];
}

/** The labels that a command's series may have, except `network`, which has its own column. */
function listPossibleLabels(command: CommandName): readonly string[] {
  return optionsOf(QUERY_OPTIONS, command).groupBy.choices.filter((name) => name !== "network");
}
