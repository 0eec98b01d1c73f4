/** The segments of an output that is updated, and what is asked for in them. */
import type { ResponseFolder, StoredSegmentResponse } from "../../store/response-folder.ts";
import { type SegmentQuery, type SplitGrid, laySegments, type Segment } from "../../store/segments.ts";
import type { RequestLogEntry, Reason } from "../../store/journal.ts";
import { beginsLate, type Entry, isCatchingUp, listAsked } from "../../store/rules.ts";
import { readWindow } from "../../plan/request-path.ts";
import { approximateMs } from "../../time/duration.ts";
import type { MissingPlan, PlannedJob } from "../job.ts";

export type StoredSegment = Segment<StoredSegmentResponse>;

/** What a run knows of its segments before it asks for any. */
export interface OpenSegments {
  readonly query: SegmentQuery;
  /** Number of the last run that finished; -1 before the first. */
  readonly finished: number;
  /** True if this run finds out how time is to be cut: nothing is stored that fixes it. */
  readonly learns: boolean;
  /** The segments by their spans, in order of time, as they are stored now. */
  readonly lay: (grid: SplitGrid) => StoredSegment[][];
  /** What is still to be asked for. */
  readonly list: (state: Readonly<AskState>) => Entry<StoredSegmentResponse>[];
  /** True if all older responses are being rechecked, 50 a run, since one has changed. */
  readonly isCatchingUp: (state: Readonly<AskState>) => boolean;
}

/** How time is cut, and the list of what a run has asked for, which grows. */
export interface AskState {
  grid: SplitGrid;
  asked: RequestLogEntry[];
}

type Updating = PlannedJob & { readonly folder: ResponseFolder };

/** `now`: milliseconds since 1970 UTC. */
export function openSegments(
  { query: of, update, keyLimits, folder, options: { revise, recheck } }: Updating,
  now: number,
): OpenSegments {
  const { journal, run } = folder;
  const query = of as SegmentQuery;
  // A journal that is lost is made again from what is stored.
  const finished = journal.last?.run ?? (update?.described ? run - 1 : -1);
  // What was too old for the plan is asked for again once the plan is another, or with `--recheck all`.
  const isReachable = (segment: StoredSegment) =>
    recheck === "all" || journal.outOfReach.get(segment.name) !== keyLimits.plan || beginsLate(segment, query);
  let known: { readonly of: number; readonly grid: SplitGrid; readonly segments: StoredSegment[][] } | undefined;
  const lay = (grid: SplitGrid) => {
    if (known?.of !== folder.revision || known.grid !== grid)
      known = { of: folder.revision, grid, segments: laySegments(query, { grid, now, stored: folder.segments }) };
    return known.segments;
  };
  const listReachable = (grid: SplitGrid) => lay(grid).flat().filter(isReachable);
  // A run that adds a metric asks for no more of the others than it must.
  const rechecks = update?.hasNewMetrics && recheck === 1 ? 0 : recheck;
  const facts = { query, finished, journal, run, now, reviseMs: approximateMs(revise), recheck: rechecks };
  return {
    query,
    finished,
    learns: journal.last === undefined && (!update?.described || folder.segments.length === 0),
    lay,
    list: ({ grid, asked }) => listAsked(listReachable(grid), { ...facts, asked }),
    isCatchingUp: ({ grid, asked }) => isCatchingUp(listReachable(grid), { journal, run, asked }),
  };
}

/** Nothing has been asked for yet. */
export function startAsking({ update }: Pick<PlannedJob, "update">): AskState {
  return { grid: (update as NonNullable<PlannedJob["update"]>).grid, asked: [] };
}

/** Forgets that segments without a response were asked for. */
export function forgetLost(state: AskState, { lay }: OpenSegments): void {
  const stored = new Set(
    lay(state.grid).flatMap((segments) =>
      segments.flatMap(({ name, responses }) => (responses.length > 0 ? name : [])),
    ),
  );
  state.asked = state.asked.filter(({ name }) => stored.has(name));
}

/** The requests of an update, with their reasons. */
export function planUpdate(planned: Updating, now: number): MissingPlan {
  const segments = openSegments(planned, now);
  const state = startAsking(planned);
  const entries = segments.list(state);
  const names = new Set(entries.map(({ segment }) => segment.name));
  const windows = entries.map(({ segment }) => ({
    window: readWindow(segment.request.path),
    requests: [segment.request],
  }));
  const starts = entries.flatMap(({ segment, reason }) =>
    isDecisive(reason) ? (readWindow(segment.request.path).start ?? []) : [],
  );
  const atHand = segments
    .lay(state.grid)
    .flat()
    .filter(({ name, responses }) => responses.length > 0 && !names.has(name)).length;
  const reasons = new Map(entries.map(({ segment, reason }) => [segment.request.path, reason]));
  return { ...planned.plan, windows, atHand, reasons, from: starts.length === 0 ? undefined : Math.min(...starts) };
}

/** True if the run fails where the service does. */
export function isDecisive(reason: Reason): boolean {
  return reason === "missing" || reason === "open";
}

/** The number of older responses that were asked for again, and received. */
export function countRechecked(asked: readonly Pick<RequestLogEntry, "reason" | "outcome">[]): number {
  return asked.filter(({ reason, outcome }) => !isDecisive(reason) && (outcome === "same" || outcome === "changed"))
    .length;
}
