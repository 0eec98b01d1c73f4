/** Gathers the answers that an output is made from: those at hand, and the others from the service. */
import { layPlan, type Usable } from "../kept/lay-plan.ts";
import { listRequests, type Plan } from "../plan/plan.ts";
import { isKnown, isUnknown } from "../series/answer.ts";
import type { Gaps, OpenGap } from "../series/gaps.ts";
import type { LookAcross } from "../series/merge.ts";
import { createGaps, createLookAcross } from "../source/fetch-series.ts";
import { HeldBodies } from "../series/held-bodies.ts";
import { addColumns, type KnownColumns } from "../series/layout/columns.ts";
import { countPoints } from "../series/overlap.ts";
import { createPhaseDetector, type PhaseDetector } from "../source/phase-detector.ts";
import { fetchUntilLearned, type LearningOptions } from "../source/windows.ts";

/** A plan whose answers are all at hand, and what they hold. */
export interface Gathered {
  readonly plan: Plan;
  readonly columns: KnownColumns;
  readonly gaps: Gaps;
  /** Gaps that meet a cut. */
  readonly open: readonly OpenGap[];
}

/** The folder of answers, as far as gathering needs it. */
export interface KeptAnswers {
  readonly usable: readonly Usable[];
  readonly isDataset: boolean;
  open(): Promise<void>;
}

export interface GatherOptions extends Omit<LearningOptions, "detectPhase"> {
  readonly folder: KeptAnswers;
  /** Before any series has come. */
  readonly columns: KnownColumns;
  /** Called with the plan before its first request; `why`: it was planned again. */
  readonly onPlan: (plan: Plan, why: string | undefined) => void | Promise<void>;
}

/** @throws {EntsError} a request's error, after the answers to all requests before it. */
export async function gatherAnswers(plan: Plan, options: GatherOptions): Promise<Gathered> {
  const { folder, onPlan, warn } = options;
  const detectPhase = createPhaseDetector(warn);
  if (folder.isDataset || listRequests(plan).length > 1) await folder.open();
  for (let [known, why] = [plan, undefined as string | undefined]; ; ) {
    const laid = layPlan(known, folder.usable);
    await onPlan(laid, why);
    const gathered = await walk(laid, { ...options, detectPhase });
    if (!("limits" in gathered)) {
      await decideGaps(gathered, createLookAcross(laid, options));
      return { ...gathered, plan: { ...laid, query: plan.query } };
    }
    const { interval, limits } = gathered;
    known = { ...known, query: { ...known.query, interval }, limits };
    ({ why } = gathered);
    await folder.open();
  }
}

type Gap = Parameters<LookAcross>[0];

/** Where no answer shows whether the service fills gaps, one more request may. */
async function decideGaps({ gaps, open }: { readonly gaps: Gaps; readonly open: readonly Gap[] }, lookAcross: LookAcross): Promise<void> {
  for (const gap of gaps.fills === undefined ? open : []) {
    const shown = await lookAcross(gap);
    if (shown) return gaps.observe({ timeSeries: shown });
  }
}

/** Looks at all answers in order of time, until one shows that the service has other limits. */
async function walk(plan: Plan, options: GatherOptions & { readonly detectPhase: PhaseDetector }) {
  const gaps = createGaps(plan);
  const bodies = new HeldBodies();
  const open: Gap[] = [];
  let { columns } = options;
  let hasPoints = false;
  const windows = fetchUntilLearned(plan, options);
  for (;;) {
    const { done, value } = await windows.next();
    if (done) return value ?? { columns: hasPoints ? columns : options.columns, gaps, open };
    const unknown = value.find(isUnknown);
    // Only one answer can be handed on as it is.
    if (unknown && listRequests(plan).length > 1) throw unknown.problem;
    for (const answer of value.filter(isKnown)) {
      const { timeSeries, path = "" } = answer;
      columns = addColumns(columns, timeSeries);
      hasPoints ||= countPoints(timeSeries) > 0;
      gaps.observe(answer);
      for (const gap of gaps.foresee(timeSeries)) open.push({ ...gap, path });
      bodies.freeAllBut(timeSeries);
    }
    bodies.freeAllBut([]);
  }
}
