/** The query of an update: with the start and the codes of the runs before it. */
import type { JsonObject } from "../../base/json.ts";
import { resolve } from "node:path";
import { usageError } from "../../base/errors.ts";
import { OUTPUT_OPTIONS } from "../../format/output-options.ts";
import { UPKEEP_FLAGS } from "../../options/upkeep-options.ts";
import type { AnswerFolder, KeptAnswer } from "../../kept/answer-folder.ts";
import type { FinishedRun } from "../../kept/journal.ts";
import { batchParameters } from "../../plan/batch.ts";
import { formatPath, removeWindow } from "../../plan/request-path.ts";
import type { Parameter, Query } from "../../query/query.ts";
import { formatLocalTime, type LocalTime } from "../../time/local-time.ts";
import { isRelative } from "../../time/when.ts";
import { checkInterval } from "../destination/continue/check-interval.ts";
import type { FileTarget } from "../destination/target.ts";
import type { Resolved, Surroundings } from "../export-parts.ts";
import { checkOrigin, readDescriptor } from "../package/descriptor.ts";
import { findDescriptor } from "../package/kept.ts";
import { describeOrigin } from "../package/origin.ts";

/**
 * @throws {EntsError} usage: the output is of another query, or of another program; a query without an interval.
 */
export async function continueNight(request: Resolved, folder: AnswerFolder, { context, report }: Surroundings): Promise<Query> {
  const { query, output, options } = request;
  const { name } = output.target as FileTarget;
  checkInterval(query);
  const last = folder.journal.runs.at(-1);
  if (last) checkOrigin(name, { origin: last.query, start: undefined }, { origin: describeQuery(request), start: undefined });
  else if (!options.overwrite) await checkOutput(request, { context, report });
  const answers = folder.found.filter(({ service, path }) => service === folder.service && isOfQuery(path, query));
  const isMoving = options.dateStart !== undefined && isRelative(options.dateStart);
  return continueQuery(query, { last, answers, isRelative: isMoving });
}

/** Whether it asks for the same, of whatever codes and window. */
function isOfQuery(path: string, query: Query): boolean {
  const bare = (one: string) => {
    const search = new URLSearchParams(one.slice(one.indexOf("?")));
    for (const code of [FACILITY, UNIT]) search.delete(code);
    return `${one.slice(0, one.indexOf("?"))}?${search}`;
  };
  return bare(removeWindow(path)) === bare(removeWindow(formatPath(query)));
}

/** An output that was not made from answers that are kept. @throws {EntsError} usage: this command did not write it. */
async function checkOutput(request: Resolved, { context, report }: Surroundings): Promise<void> {
  const target = request.output.target as FileTarget;
  if (!target.old) return;
  const descriptor = await readDescriptor(resolve(context.cwd, findDescriptor(target.name)));
  if (!descriptor)
    throw usageError(
      `${target.name} is there already, and ents has not kept the answers that it was made from`,
      `move it away, choose another file with ${OUTPUT_OPTIONS.output.short}, or add ${UPKEEP_FLAGS.overwrite} to write it anew`,
    );
  const { service, endpoint, network, metrics, interval, parameters } = descriptor.origin;
  const others = Object.entries((parameters ?? {}) as JsonObject).filter(([name]) => !isCodes(name));
  const origin = { service, endpoint, network, metrics, interval, parameters: Object.fromEntries(others) } as JsonObject;
  checkOrigin(target.name, { origin, start: undefined }, { origin: describeQuery(request), start: undefined });
  report.note(`the answers that ${target.name} was made from are not kept any more: all of it is fetched again`);
}

interface Before {
  readonly last: FinishedRun | undefined;
  /** All that is kept of the query. */
  readonly answers: readonly KeptAnswer[];
  /** Whether the start moves with the clock. */
  readonly isRelative: boolean;
}

/** A start that moves with the clock never removes rows, and codes that are gone from a list stay. */
function continueQuery(query: Query, { last, answers, isRelative }: Before): Query {
  const { start } = query.window;
  const first = last?.start ?? undefined;
  const continued = isRelative && start !== undefined && first !== undefined && first < start ? startFrom(query, first) : query;
  return { ...continued, batches: continueBatches(query, answers) };
}

function startFrom(query: Query, start: LocalTime): Query {
  const move = (parameter: Parameter) => (parameter.name === "date_start" ? { ...parameter, values: [formatLocalTime(start)] } : parameter);
  return { ...query, window: { ...query.window, start }, parameters: query.parameters.map(move) };
}

/** What must be the same in every run of an output: the query without its window and codes. */
export function describeQuery({ about, output }: Pick<Resolved, "about" | "output">): JsonObject {
  const { service, endpoint, network, metrics, interval, parameters } = describeOrigin(about, output).origin;
  const others = Object.entries((parameters ?? {}) as JsonObject).filter(([name]) => !isCodes(name));
  return { service, endpoint, network, metrics, interval, parameters: Object.fromEntries(others) } as JsonObject;
}

const FACILITY = "facility_code";
const UNIT = "unit_code";

/** The batches in which answers are kept, and those of the codes that have come since; undefined where the query has none, or combines two lists. */
function continueBatches(query: Query, answers: readonly KeptAnswer[]): Query["batches"] {
  const [facilities, units] = [FACILITY, UNIT].map((name) => query.parameters.find((one) => one.name === name)?.values);
  const asked = query.units?.map(({ unit }) => unit) ?? (facilities && units ? undefined : (units ?? facilities));
  if (!asked) return undefined;
  const own = units ? UNIT : FACILITY;
  const taken = new Set<string>();
  const kept: Parameter[][] = [];
  for (const path of new Set(answers.map((answer) => removeWindow(answer.path)))) {
    const search = new URLSearchParams(path.slice(path.indexOf("?")));
    const codes = search.getAll(own);
    if (codes.length === 0 || codes.some((code) => taken.has(code))) continue;
    for (const code of codes) taken.add(code);
    kept.push(query.parameters.map(({ name, values }) => ({ name, values: isCodes(name) ? search.getAll(name) : values })));
  }
  const fresh = asked.filter((code) => !taken.has(code));
  const isFresh = ({ unit }: { readonly unit: string }) => !taken.has(unit);
  const parameters = query.parameters.map((one) => (one.name === own ? { ...one, values: fresh } : one));
  return [...kept, ...(fresh.length === 0 ? [] : batchParameters(parameters, query.units?.filter(isFresh)))];
}

function isCodes(name: string): boolean {
  return name === FACILITY || name === UNIT;
}
