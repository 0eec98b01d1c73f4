/** Extends the query of an update with the start and the codes of earlier runs. */
import type { Surroundings } from "../../base/report.ts";
import { usageError } from "../../base/errors.ts";
import type { JsonObject } from "../../base/json.ts";
import { formatList } from "../../base/phrases.ts";
import { INTERVALS } from "../../base/intervals.ts";
import type { Provenance } from "../../format/format.ts";
import { OUTPUT_OPTIONS } from "../../format/output-options.ts";
import type { AnswerFolder, KeptAnswer } from "../../kept/answer-folder.ts";
import type { FinishedRun } from "../../kept/journal.ts";
import { QUERY_FLAGS } from "../../options/query-options.ts";
import { UPKEEP_FLAGS } from "../../options/upkeep-options.ts";
import { batchParameters, formatPath, removeWindow } from "../../plan/request-path.ts";
import type { Parameter, Query } from "../../query/query.ts";
import { formatLocalTime, type LocalTime } from "../../time/local-time.ts";
import { isRelative } from "../../time/when.ts";
import type { BuildTarget } from "../build.ts";
import type { Export } from "../export-parts.ts";
import { compareQueries } from "../package/descriptor.ts";
import { describeQuery } from "../package/describe-result.ts";
import { describeTarget } from "./lost-answers.ts";

/** @throws {EntsError} usage: another query or program has written the output, or the query has no interval. */
export async function continueQuery(
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
      `use the same flags, another file with ${OUTPUT_OPTIONS.output.short}, or ${UPKEEP_FLAGS.overwrite} to write it again`,
    );
  const answers = folder.found.filter(({ service, path }) => service === folder.service && isOfQuery(path, query));
  const isMoving = options.dateStart !== undefined && isRelative(options.dateStart);
  return extendQuery(query, { last: difference === undefined ? last : undefined, answers, isMoving });
}

/** Without an interval, the service chooses one by the length of the window. */
function refuseInterval(): Error {
  return usageError(
    `${UPKEEP_FLAGS.update} needs a known ${QUERY_FLAGS.interval}: responses are stored for complete intervals`,
    `use ${formatList(Object.keys(INTERVALS), "or")}`,
  );
}

/** The query of an output whose responses are lost; undefined if there is no output. @throws {EntsError} usage: ents did not write it. */
async function findLost(target: BuildTarget, { context, report }: Surroundings): Promise<JsonObject | undefined> {
  const { kind, name } = target;
  if (kind === "file" && !target.old) return undefined;
  const descriptor = await describeTarget(target, context);
  // `openDataset` refuses a folder with data of other programs.
  if (kind === "folder" && !descriptor) return undefined;
  if (descriptor) {
    report.note(`the responses behind ${name} are no longer stored; fetching everything again`);
    return descriptor.query;
  }
  throw usageError(
    `${name} already exists, and ents has no stored responses for it`,
    `move it away, choose another file with ${OUTPUT_OPTIONS.output.short}, or add ${UPKEEP_FLAGS.overwrite} to write it again`,
  );
}

/** True if a request differs from the query only in its codes and window. */
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
  /** All stored responses of the query. */
  readonly answers: readonly KeptAnswer[];
  /** True if the start moves with the clock. */
  readonly isMoving: boolean;
}

/** Keeps the rows before a relative start that has moved on, and the codes that are gone from a list. */
function extendQuery(query: Query, { last, answers, isMoving }: Before): Query {
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

/**
 * Reuses the batches of stored responses, and adds new ones for new codes; undefined for a query without codes, or with
 * facilities and units.
 */
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
