/** Fits stored responses into a plan, so that only the rest is requested. */
import { groupBy } from "../base/group-by.ts";
import type { Interval } from "../base/intervals.ts";
import type { Limits } from "../plan/limits.ts";
import {
  endBeforeSplit,
  estimatePoints,
  latestInstant,
  listBatches,
  listRequests,
  type Plan,
  type PlannedRequest,
  type PlannedWindow,
  planRequest,
  splitWindow,
} from "../plan/plan.ts";
import { removeWindow } from "../plan/request-path.ts";
import type { Query } from "../query/query.ts";
import type { Window } from "../query/window.ts";
import type { LocalTime } from "../time/local-time.ts";
import { type ReceivedWindow, cover, type Piece } from "./cover.ts";

/** A stored response that may be used. */
export interface Usable extends ReceivedWindow {
  /** The path of its request. */
  readonly path: string;
}

interface Placed {
  readonly window: Window;
  readonly request: PlannedRequest;
}

/** The plan with each batch covered by stored responses, whatever their windows, and by requests for the rest. */
export function layPlan({ query, now, limits, windows }: Plan, kept: readonly Usable[]): Plan {
  const { interval, window } = query;
  const { start } = window;
  if (interval === undefined || start === undefined || !limits || windows.length === 0) return { query, now, limits, windows };
  const wanted = { ...window, start };
  const byBatch = groupBy(kept, ({ path }) => removeWindow(path));
  const places = listBatches(query).flatMap((parameters) => {
    const batch = { ...query, interval, parameters };
    const usable = byBatch.get(removeWindow(planRequest(batch, now).path)) ?? [];
    return cover(wanted, usable, limits.bucket).flatMap((piece) => placePiece(piece, batch, { limits, now }));
  });
  return { query, now, limits, windows: groupPlaces(places) };
}

type Batch = Query & { readonly interval: Interval };

function placePiece({ from, until, answer }: Piece<Usable>, batch: Batch, { limits, now }: { limits: Limits; now: number }): Placed[] {
  if (answer) {
    const { window, path } = answer;
    const endsBy = window.end === undefined ? undefined : latestInstant(batch.network, window.end);
    const request = { method: "GET", path, points: estimatePoints({ ...batch, window }, now), endsBy } as const;
    if (isWhole(window, { from, until }, batch.interval)) return [{ window, request }];
    // The first bucket's timestamp may be before the window.
    const part = { from: window.start === batch.window.start ? Number.NEGATIVE_INFINITY : from, until };
    return [{ window: { start: from, end: Number.isFinite(until) ? until : window.end }, request: { ...request, part } }];
  }
  const window = { start: from, end: Number.isFinite(until) ? endBeforeSplit(until, batch.interval) : batch.window.end };
  return splitWindow({ ...batch, window }, limits, now).map((part) => ({
    window: part,
    request: planRequest({ ...batch, window: part }, now),
  }));
}

/** A plan without the requests whose responses are stored; `atHand` counts those, `rechecks` requests for them all the same. */
export type MissingPlan = Plan & { readonly atHand: number; readonly rechecks?: number };

export function layMissing(plan: Plan, usable: readonly Usable[]): MissingPlan {
  return dropStored(layPlan(plan, usable), usable);
}

/** Removes the requests whose responses are stored. */
export function dropStored(laid: Plan, usable: readonly Usable[]): MissingPlan {
  const kept = new Set(usable.map(({ path }) => path));
  const windows = laid.windows
    .map(({ window, requests }) => ({ window, requests: requests.filter(({ path }) => !kept.has(path)) }))
    .filter(({ requests }) => requests.length > 0);
  return { ...laid, windows, atHand: listRequests(laid).length - listRequests({ windows }).length };
}

/** True if a piece is the complete window of its response. */
function isWhole({ start, end }: Window, { from, until }: { from: LocalTime; until: LocalTime }, interval: Interval): boolean {
  return start === from && (!Number.isFinite(until) || end === until || end === endBeforeSplit(until, interval));
}

/** Sorts by time, and joins batches with the same window. */
function groupPlaces(places: readonly Placed[]): PlannedWindow[] {
  const groups = groupBy(places, ({ window: { start, end } }) => `${start} ${end}`);
  return [...groups.values()]
    .map((group) => ({ window: (group[0] as Placed).window, requests: group.map(({ request }) => request) }))
    .toSorted((a, b) => (a.window.start as LocalTime) - (b.window.start as LocalTime));
}
