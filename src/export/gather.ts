/** Gathers the responses that an output is made from: uses stored ones, and fetches the others. */
import type { Checkpoint } from "../store/checkpoint.ts";
import { listRequests, type Plan, type PlannedWindow } from "../plan/plan.ts";
import { type DecodedResponse, isKnown, isUnknown } from "../series/decoded-response.ts";
import type { GapEvidence } from "../series/gap-evidence.ts";
import type { Gaps, OpenGap } from "../series/gaps.ts";
import { addColumns, type KnownColumns } from "../series/layout/columns.ts";
import { BodyReleaser, type FetchAcrossGap } from "../series/merge.ts";
import { countPoints } from "../series/overlap.ts";
import type { Query } from "../query/query.ts";
import type { UnitFacts } from "../series/fuels.ts";
import type { TimeSeries } from "../series/time-series.ts";
import { createFetchAcrossGap, createGaps } from "../source/fetch-series.ts";
import type { Source } from "../source/source.ts";
import { type FetchOptions, fetchWindows } from "../source/windows.ts";

/** Responses that are all stored, and facts about their content. */
export interface Gathered {
  readonly columns: KnownColumns;
  readonly gaps: Gaps;
  /** The responses for each window, in order of time, as often as they are needed. */
  readonly windows: () => AsyncIterable<readonly DecodedResponse[]>;
}

interface GatherOptions extends Omit<FetchOptions, "onReplan"> {
  readonly checkpoint: Pick<Checkpoint, "open">;
  /** For the request across a gap, whose response is evidence and is not stored. */
  readonly evidence: Source;
  /** The columns known before the first response. */
  readonly columns: KnownColumns;
  /** Called with the rest of the requests when they have been planned again. */
  readonly onReplan: (rest: Plan, why: string) => void;
}

/** @throws {EntsError} a request's error, after the responses to all requests before it. */
export async function gatherResponses(
  plan: Plan,
  options: GatherOptions,
): Promise<Omit<Gathered, "windows"> & { readonly plan: Plan }> {
  const { checkpoint, onReplan } = options;
  const gaps = createGaps(plan);
  const done: PlannedWindow[] = [];
  let [current, count] = [plan, 0];
  const replan = async (rest: Plan, why: string) => {
    done.push(...current.windows.slice(0, count));
    [current, count] = [rest, 0];
    onReplan(rest, why);
    await checkpoint.open();
  };
  async function* fetch(): AsyncGenerator<readonly DecodedResponse[]> {
    for await (const responses of fetchWindows(plan, { ...options, onReplan: replan })) {
      count++;
      const unknown = responses.find(isUnknown);
      // Data of an unknown shape cannot be merged, so only a single response can be passed on unchanged.
      if (unknown && (done.length > 0 || listRequests(current).length > 1)) throw unknown.problem;
      yield responses;
    }
  }
  const { columns, open } = await survey(fetch(), { gaps, columns: options.columns, query: plan.query });
  if (gaps.evidence.fills === undefined)
    await decideOpenGaps(open, gaps.evidence, createFetchAcrossGap(current, { ...options, source: options.evidence }));
  return { columns, gaps, plan: { ...current, query: plan.query, windows: [...done, ...current.windows] } };
}

interface Surveyed {
  readonly columns: KnownColumns;
  /** Gaps that extend across the split between two windows. */
  readonly open: readonly OpenResponseGap[];
}

interface Surveying extends Pick<Gathered, "gaps" | "columns"> {
  readonly query: Query;
  readonly units?: UnitFacts | undefined;
}

/** Reads all windows, in order of time, for what must be known before the first row. */
export async function survey(
  windows: AsyncIterable<readonly DecodedResponse[]>,
  { gaps, columns: start, query, units }: Surveying,
): Promise<Surveyed> {
  const describe = await loadDescription(query, units);
  const bodies = new BodyReleaser();
  const open: OpenResponseGap[] = [];
  let [columns, hasPoints] = [start, false];
  for await (const responses of windows) {
    for (const decoded of responses.filter(isKnown)) {
      const { timeSeries, path = "" } = decoded;
      columns = addColumns(columns, describe(timeSeries));
      hasPoints ||= countPoints(timeSeries) > 0;
      gaps.evidence.observe(decoded);
      for (const gap of gaps.recordContinuations(timeSeries)) open.push({ ...gap, path });
      bodies.freeAllBut(timeSeries);
    }
    bodies.freeAllBut([]);
  }
  return { columns: hasPoints ? columns : start, open };
}

/** Describes the series that are printed of some, without their points. */
async function loadDescription(
  { computation, ...query }: Query,
  units: UnitFacts | undefined,
): Promise<(timeSeries: readonly TimeSeries[]) => readonly TimeSeries[]> {
  const { createDescription } = (computation && (await import("../series/computed/compute.ts"))) ?? {};
  const describe = computation && createDescription?.({ ...query, computation });
  if (!query.chosen && !query.transforms?.minus) return describe ?? ((timeSeries) => timeSeries);
  const { choosePrinted } = await import("../series/choose.ts");
  return (timeSeries) => choosePrinted(describe?.(timeSeries) ?? timeSeries, query, units);
}

/** With the path of a request whose response has the series. */
type OpenResponseGap = OpenGap & { readonly path: string };

/**
 * If no response shows whether the service fills gaps, requests the data across a gap to find out. Returns what it
 * shows.
 */
export async function decideOpenGaps(
  open: readonly OpenResponseGap[],
  evidence: GapEvidence,
  fetchAcrossGap: FetchAcrossGap,
): Promise<boolean | undefined> {
  for (const gap of open) {
    const shown = await fetchAcrossGap(gap);
    if (!shown) continue;
    evidence.observe({ timeSeries: shown });
    return evidence.fills;
  }
  return undefined;
}
