/** The query of an update: with the start and the codes of the runs before it. */
import type { Surroundings } from "../../base/report.ts";
import { usageError } from "../../base/errors.ts";
import type { JsonObject } from "../../base/json.ts";
import { formatList } from "../../base/phrases.ts";
import { INTERVALS } from "../../base/vocabulary.ts";
import type { Provenance } from "../../format/format.ts";
import { OUTPUT_OPTIONS } from "../../format/output-options.ts";
import type { AnswerFolder, KeptAnswer } from "../../kept/answer-folder.ts";
import type { FinishedRun } from "../../kept/journal.ts";
import { QUERY_FLAGS } from "../../options/query-options.ts";
import { UPKEEP_FLAGS } from "../../options/upkeep-options.ts";
import { batchParameters } from "../../plan/batch.ts";
import { formatPath, removeWindow } from "../../plan/request-path.ts";
import type { Parameter, Query } from "../../query/query.ts";
import { formatLocalTime, type LocalTime } from "../../time/local-time.ts";
import { isRelative } from "../../time/when.ts";
import type { BuildTarget } from "../build.ts";
import type { Export } from "../export-parts.ts";
import { compareQueries } from "../package/descriptor.ts";
import { describeQuery } from "../package/describe-result.ts";
import { describeTarget } from "./lost-answers.ts";

/** @throws {EntsError} usage: the output is of another query, or not by ents; a query without an interval. */
export async function continueNight(
  request: Export & { readonly provenance: Provenance },
  folder: AnswerFolder,
  { context, report }: Surroundings,
): Promise<Query> {
  const { query, output, options, provenance } = request;
  const target = output.target as BuildTarget;
  if (query.interval === undefined) throw refuseInterval();
  const last = folder.journal.runs.at(-1);
  const before = last?.query ?? (options.overwrite ? undefined : await findLost(target, { context, report }));
  const difference = before && compareQueries(before, describeQuery(provenance, output));
  if (difference !== undefined && !options.overwrite)
    throw usageError(
      `${target.name} was written ${difference}`,
      `use the same flags, another file with ${OUTPUT_OPTIONS.output.short}, or ${UPKEEP_FLAGS.overwrite} to write it anew`,
    );
  const answers = folder.found.filter(({ service, path }) => service === folder.service && isOfQuery(path, query));
  const isMoving = options.dateStart !== undefined && isRelative(options.dateStart);
  return continueQuery(query, { last: difference === undefined ? last : undefined, answers, isMoving });
}

/** The service would choose one, and another one for a shorter window. */
function refuseInterval(): Error {
  return usageError(
    `${UPKEEP_FLAGS.update} needs a known ${QUERY_FLAGS.interval}: answers are kept for whole buckets`,
    `use ${formatList(Object.keys(INTERVALS), "or")}`,
  );
}

/** The query of an output whose answers are not kept; undefined where there is no output. @throws {EntsError} usage: it is not by ents. */
async function findLost(target: BuildTarget, { context, report }: Surroundings): Promise<JsonObject | undefined> {
  const { kind, name } = target;
  if (kind === "file" && !target.old) return undefined;
  const descriptor = await describeTarget(target, context);
  // A folder with other data was refused.
  if (kind === "folder" && !descriptor) return undefined;
  if (descriptor) {
    report.note(`the answers that ${name} was made from are not kept any more: all of it is fetched again`);
    return descriptor.query;
  }
  throw usageError(
    `${name} is there already, and ents has not kept the answers that it was made from`,
    `move it away, choose another file with ${OUTPUT_OPTIONS.output.short}, or add ${UPKEEP_FLAGS.overwrite} to write it anew`,
  );
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

interface Before {
  readonly last: FinishedRun | undefined;
  /** All that is kept of the query. */
  readonly answers: readonly KeptAnswer[];
  /** Whether the start moves with the clock. */
  readonly isMoving: boolean;
}

/** A start that moves with the clock never removes rows, and codes that are gone from a list stay. */
function continueQuery(query: Query, { last, answers, isMoving }: Before): Query {
  const { start } = query.window;
  const first = last?.start ?? undefined;
  const continued = isMoving && start !== undefined && first !== undefined && first < start ? startFrom(query, first) : query;
  return { ...continued, batches: continueBatches(query, answers) };
}

function startFrom(query: Query, start: LocalTime): Query {
  const move = (parameter: Parameter) => (parameter.name === "date_start" ? { ...parameter, values: [formatLocalTime(start)] } : parameter);
  return { ...query, window: { ...query.window, start }, parameters: query.parameters.map(move) };
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
