/** Continues the query of an update: with the start, the codes and the segments of earlier runs. */
import { join, resolve } from "node:path";
import type { Context } from "../../base/context.ts";
import { usageError } from "../../base/errors.ts";
import { groupBy } from "../../base/group-by.ts";
import type { Json, JsonObject } from "../../base/json.ts";
import { findSplits, type Interval, INTERVALS } from "../../base/intervals.ts";
import { formatList } from "../../base/phrases.ts";
import { OUTPUT_OPTIONS } from "../../format/output-options.ts";
import type { StoredResponse } from "../../store/response-file.ts";
import type { ResponseFolder } from "../../store/response-folder.ts";
import { type SegmentQuery, chooseGrid } from "../../store/segments.ts";
import { QUERY_FLAGS } from "../../options/query-options.ts";
import { UPKEEP_FLAGS } from "../../options/upkeep-options.ts";
import { batchParameters, formatPath, removeWindow, searchOf } from "../../plan/request-path.ts";
import { findValues, type Parameter } from "../../query/parameters.ts";
import type { Query } from "../../query/query.ts";
import type { Window } from "../../query/window.ts";
import { intervalStart, nextIntervalStart } from "../../time/calendar.ts";
import { formatLocalTime, formatShort, type LocalTime, MINUTE } from "../../time/local-time.ts";
import { isRelative } from "../../time/when.ts";
import type { PathTarget } from "../destination/target.ts";
import { DESCRIPTOR } from "../destination/dataset/partition.ts";
import { findDescriptor } from "../destination/interface.ts";
import type { Continued, PlannedJob } from "../job.ts";
import { compareQueries, type Descriptor, readDescriptor } from "../package/descriptor.ts";
import { describeQuery } from "../package/describe-result.ts";

interface ContinuedQuery extends Continued {
  readonly query: Query;
  /** The query before its window was moved to the edges of intervals. */
  readonly unmoved: Query;
  readonly notes: readonly string[];
}

/**
 * @throws {EntsError} usage: another query or program has written the output, the query has no interval, or it lacks
 * codes.
 */
export async function continueQuery(request: Resolvable, folder: ResponseFolder): Promise<ContinuedQuery> {
  const { query, output, options, provenance } = request;
  const { interval } = query;
  const target = output.target as PathTarget;
  if (interval === undefined) throw refuseInterval();
  const { last } = folder.journal;
  // Read in any case: a later version may have written it.
  const found = await (last ? describeTarget(target, request.context) : findDescribed(request));
  const described = last ? undefined : found;
  const before = last?.query ?? described?.query;
  const asked = describeQuery(provenance, output);
  const grown = before && addMetrics(before, asked);
  const difference = grown && compareQueries(grown, asked);
  if (difference !== undefined && !options.overwrite)
    throw usageError(
      `${target.name} was written ${difference}`,
      `use the same flags, another file with ${OUTPUT_OPTIONS.output.short}, or ${UPKEEP_FLAGS.overwrite} to write it again`,
    );
  const isOther = difference !== undefined;
  const stored = isOther ? [] : findOwn(query, folder.segments);
  const grid = (isOther ? undefined : last?.grid) ?? stored.at(-1)?.grid ?? chooseGrid(interval, options.maxWindow);
  const isMoving = options.dateStart !== undefined && isRelative(options.dateStart);
  const startBefore = isOther ? undefined : (last?.start ?? described?.start);
  // An output whose dates were network time goes on with that.
  const { unzoned } = query;
  const isUnzoned = unzoned?.start !== undefined && startBefore === intervalStart(findSplits(interval), unzoned.start);
  const own = isUnzoned ? moveWindow(query, unzoned) : query;
  const continued = startBy({ ...own, interval }, options.overwrite && !isMoving ? undefined : startBefore);
  const aligned = alignWindow(continued);
  const batches = continueBatches(query, stored, options.overwrite || !before ? undefined : target.name);
  return {
    query: { ...aligned, batches },
    unmoved: { ...continued, batches },
    grid,
    startBefore,
    hasNewMetrics: grown !== before,
    described: isOther ? undefined : described,
    notes: describeMoves(continued, aligned),
  };
}

/** The query of the output before, with metrics that are new. */
function addMetrics(before: JsonObject, asked: JsonObject): JsonObject {
  const [old = [], all = []] = [before["metrics"], asked["metrics"]] as readonly (readonly Json[] | undefined)[];
  const isGrown = all.length > old.length && old.every((name) => all.includes(name));
  return isGrown ? { ...before, metrics: all } : before;
}

type Resolvable = Omit<PlannedJob, "plan" | "folder" | "update">;

/** Moves a start and an end inside an interval to its edges, outwards: only whole intervals are stored. */
export function alignWindow(query: Query & { readonly interval: Interval }): SegmentQuery {
  const rule = findSplits(query.interval);
  const { start, end } = query.window;
  return moveWindow(query, {
    start: start === undefined ? undefined : intervalStart(rule, start),
    end: end === undefined ? undefined : nextIntervalStart(rule, end) - SECOND,
  }) as SegmentQuery;
}

const SECOND = 1000;

function describeMoves({ interval, window }: Query, { window: aligned }: Query): string[] {
  return (["start", "end"] as const).flatMap((edge) => {
    const [was = 0, is = 0] = [window[edge], aligned[edge]];
    // An end within the last value of an interval includes all of it.
    if (was === is || (edge === "end" && is - was < 5 * MINUTE)) return [];
    return `the ${edge} ${formatShort(was)} is inside an interval of ${interval}; ${UPKEEP_FLAGS.update} uses ${formatShort(is)}`;
  });
}

/** Keeps the rows from an earlier start on. */
function startBy<T extends Query>(query: T, first: LocalTime | undefined): T {
  const { start } = query.window;
  return first === undefined || start === undefined || first >= start
    ? query
    : moveWindow(query, { ...query.window, start: first });
}

function moveWindow<T extends Query>(query: T, window: Window): T {
  const edges: Record<string, LocalTime | undefined> = { date_start: window.start, date_end: window.end };
  const move = (parameter: Parameter) => {
    const edge = edges[parameter.name];
    return edge === undefined ? parameter : { ...parameter, values: [formatLocalTime(edge)] };
  };
  return { ...query, window, parameters: query.parameters.map(move) };
}

/** Without an interval, the service chooses one by the length of the window. */
function refuseInterval(): Error {
  return usageError(
    `${UPKEEP_FLAGS.update} needs a known ${QUERY_FLAGS.interval}: responses are stored for complete intervals`,
    `use ${formatList(Object.keys(INTERVALS), "or")}`,
  );
}

/** The output's description; undefined if ents has written none. */
function describeTarget({ kind, name }: PathTarget, { cwd }: Pick<Context, "cwd">): Promise<Descriptor | undefined> {
  return readDescriptor(resolve(cwd, kind === "file" ? findDescriptor(name) : join(name, DESCRIPTOR)));
}

/** The description of the output; undefined if there is no output. @throws {EntsError} usage: ents did not write it. */
async function findDescribed({ output, options, context }: Resolvable): Promise<Descriptor | undefined> {
  const target = output.target as PathTarget;
  const described = await describeTarget(target, context);
  // `openDataset` refuses a folder with data of other programs.
  if (described || options.overwrite || target.kind === "folder" || !target.old) return described;
  throw usageError(
    `${target.name} already exists, and ents has no stored responses for it`,
    `move it away, choose another file with ${OUTPUT_OPTIONS.output.short}, or add ${UPKEEP_FLAGS.overwrite} to write it again`,
  );
}

/** The stored responses of a query, the newest last. */
export function findOwn<T extends StoredResponse>(query: Query, responses: readonly T[]): T[] {
  return responses.filter(({ path }) => isOfQuery(path, query)).toSorted((a, b) => a.run - b.run);
}

/** True if a request differs from the query only in its codes, its window, and in metrics that it lacks. */
function isOfQuery(path: string, query: Query): boolean {
  const bare = (request: string) => {
    const search = searchOf(request);
    for (const name of BATCHED) search.delete(name);
    return `${request.slice(0, request.indexOf("?"))}?${search}`;
  };
  const asked = findValues(query, METRICS) ?? [];
  return (
    searchOf(path)
      .getAll(METRICS)
      .every((metric) => asked.includes(metric)) && bare(removeWindow(path)) === bare(removeWindow(formatPath(query)))
  );
}

const FACILITY = "facility_code";
const UNIT = "unit_code";
const METRICS = "metrics";
/** The parameters that differ from batch to batch. */
const BATCHED: readonly string[] = [FACILITY, UNIT, METRICS];

/**
 * Reuses the batches of stored responses, and adds new ones for new codes, and for new metrics of the others; undefined
 * for a query with facilities and units, or if one batch has all. `name`: of an output that may not lose codes that were
 * typed. @throws {EntsError} usage: it would.
 */
function continueBatches(
  query: Query,
  responses: readonly StoredResponse[],
  name: string | undefined,
): Query["batches"] {
  const [facilities, units] = [FACILITY, UNIT].map((code) => findValues(query, code));
  if (!query.units && facilities && units) return undefined;
  const own = units ? UNIT : FACILITY;
  // Without codes, all series are one batch.
  const asked = query.units?.map(({ unit }) => unit) ?? units ?? facilities ?? [""];
  const taken = new Map<string, Set<string>>();
  const kept: Parameter[][] = [];
  for (const batch of listBatchesOf(query, responses)) {
    const [codes = [""], metrics = []] = [own, METRICS].map((code) => findValues({ parameters: batch }, code));
    if (codes.some((code) => metrics.some((metric) => taken.get(code)?.has(metric)))) continue;
    for (const code of codes) taken.set(code, new Set([...(taken.get(code) ?? []), ...metrics]));
    kept.push(batch);
  }
  const gone = query.units ? [] : [...taken.keys()].filter((code) => !asked.includes(code));
  if (gone.length > 0 && name !== undefined) throw refuseFewer(name, gone);
  if (gone.length > 0) return undefined;
  const wanted = findValues(query, METRICS) ?? [];
  const lacking = groupBy(asked, (code) =>
    JSON.stringify(wanted.filter((metric) => taken.get(code)?.has(metric) !== true)),
  );
  const fresh = [...lacking].flatMap(([text, codes]) => {
    const metrics = JSON.parse(text) as string[];
    return metrics.length === 0 ? [] : batchOf(query, { own, codes, metrics });
  });
  const isWhole = asked[0] === "" && kept.length + fresh.length < 2;
  return isWhole ? undefined : [...kept, ...fresh];
}

interface Fresh {
  /** The parameter of the codes. */
  readonly own: string;
  readonly codes: readonly string[];
  readonly metrics: readonly string[];
}

function batchOf(query: Query, { own, codes, metrics }: Fresh): readonly (readonly Parameter[])[] {
  const parameters = query.parameters.map((parameter) => {
    if (parameter.name === METRICS) return { ...parameter, values: metrics };
    return parameter.name === own ? { ...parameter, values: codes } : parameter;
  });
  return batchParameters(
    parameters,
    query.units?.filter(({ unit }) => codes.includes(unit)),
  );
}

/** The parameters of each batch of stored responses of a query. */
export function listBatchesOf(query: Query, responses: readonly StoredResponse[]): Parameter[][] {
  return Array.from(new Set(responses.map(({ path }) => removeWindow(path))), (path) => {
    const search = searchOf(path);
    return query.parameters.map((parameter) => ({
      name: parameter.name,
      values: BATCHED.includes(parameter.name) ? search.getAll(parameter.name) : parameter.values,
    }));
  });
}

function refuseFewer(name: string, gone: readonly string[]): Error {
  return usageError(
    `${name} also has ${formatList(gone, "and")}, which this command lacks`,
    `name all codes of the output, choose another file with ${OUTPUT_OPTIONS.output.short}, or add ${UPKEEP_FLAGS.overwrite} to write it again`,
  );
}
