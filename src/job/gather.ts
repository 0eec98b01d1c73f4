/** Gathers the responses that an output is made from: uses stored ones, and fetches the others. */
import { layPlan, type Usable } from "../kept/lay-plan.ts";
import { listRequests, type Plan } from "../plan/plan.ts";
import { isKnown, isUnknown } from "../series/answer.ts";
import type { Gaps, OpenGap } from "../series/gaps.ts";
import { type FetchAcrossGap, BodyReleaser } from "../series/merge.ts";
import { createGaps, createFetchAcrossGap } from "../source/fetch-series.ts";
import { addColumns, type KnownColumns } from "../series/layout/columns.ts";
import { countPoints } from "../series/overlap.ts";
import { createPhaseDetector } from "../series/buckets/phase-detector.ts";
import type { Source } from "../source/source.ts";
import { createRepeatWatch, fetchUntilLimits, type LearningOptions } from "../source/windows.ts";

/** A plan whose responses are all stored, and facts about their content. */
export interface Gathered {
  readonly plan: Plan;
  readonly columns: KnownColumns;
  readonly gaps: Gaps;
  /** Gaps that extend across the split between two windows. */
  readonly open: readonly OpenGap[];
}

export interface GatherOptions extends Omit<LearningOptions, "detectPhase" | "watchRepeats"> {
  readonly folder: { readonly usable: readonly Usable[]; readonly isDataset: boolean; readonly open: () => Promise<void> };
  /** For the request across a gap, whose response is evidence and is not stored. */
  readonly evidence: Source;
  /** The columns known before the first response. */
  readonly columns: KnownColumns;
  /** Called with the plan before its first request. `why`: the reason, if it was planned again. */
  readonly onPlan: (plan: Plan, why: string | undefined) => void | Promise<void>;
}

/** @throws {EntsError} a request's error, after the responses to all requests before it. */
export async function gatherAnswers(plan: Plan, options: GatherOptions): Promise<Gathered> {
  const { folder, onPlan, warn } = options;
  const watched = { ...options, detectPhase: createPhaseDetector(warn), watchRepeats: createRepeatWatch(warn) };
  if (folder.isDataset || listRequests(plan).length > 1) await folder.open();
  for (let [known, why] = [plan, undefined as string | undefined]; ; ) {
    const laid = layPlan(known, folder.usable);
    await onPlan(laid, why);
    const gathered = await walk(laid, watched);
    if (!("limits" in gathered)) {
      const { gaps, open } = gathered;
      if (gaps.fills === undefined) await decideGaps(open, gaps, createFetchAcrossGap(laid, { ...options, source: options.evidence }));
      return { ...gathered, plan: { ...laid, query: plan.query } };
    }
    const { interval, limits } = gathered;
    known = { ...known, query: { ...known.query, interval }, limits };
    ({ why } = gathered);
    await folder.open();
  }
}

type Gap = Parameters<FetchAcrossGap>[0];

/** If no response shows whether the service fills gaps, requests the data across a gap to find out. */
async function decideGaps(open: readonly Gap[], gaps: Gaps, fetchAcrossGap: FetchAcrossGap): Promise<void> {
  for (const gap of open) {
    const shown = await fetchAcrossGap(gap);
    if (shown) return gaps.observe({ timeSeries: shown });
  }
}

/** Reads all responses in order of time, until one shows that the service has other limits. */
async function walk(plan: Plan, options: GatherOptions & LearningOptions) {
  const gaps = createGaps(plan);
  const bodies = new BodyReleaser();
  const open: Gap[] = [];
  let { columns } = options;
  let hasPoints = false;
  const windows = fetchUntilLimits(plan, options);
  for (;;) {
    const { done, value } = await windows.next();
    if (done) return value ?? { columns: hasPoints ? columns : options.columns, gaps, open };
    const unknown = value.find(isUnknown);
    // Data of an unknown shape cannot be merged, so only a single response can be passed on unchanged.
    if (unknown && listRequests(plan).length > 1) throw unknown.problem;
    for (const answer of value.filter(isKnown)) {
      const { timeSeries, path = "" } = answer;
      columns = addColumns(columns, timeSeries);
      hasPoints ||= countPoints(timeSeries) > 0;
      gaps.observe(answer);
      for (const gap of gaps.recordContinuations(timeSeries)) open.push({ ...gap, path });
      bodies.freeAllBut(timeSeries);
    }
    bodies.freeAllBut([]);
  }
}
