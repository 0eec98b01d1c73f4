/** A plan in which kept answers have their places, and requests theirs. */
import { groupBy } from "../base/group-by.ts";
import type { Interval } from "../base/vocabulary.ts";
import type { Limits } from "../plan/limits.ts";
import {
  endBefore,
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

/** A kept answer that may be used. */
export interface Usable extends ReceivedWindow {
  /** The path of its request. */
  readonly path: string;
}

interface Placed {
  readonly window: Window;
  readonly request: PlannedRequest;
}

/** The plan with all of its batches covered: what is kept is not asked for, whatever windows it came in. */
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
    const request = { method: "GET", path, points: undefined, endsBy } as const;
    if (isWhole(window, { from, until }, batch.interval)) return [{ window, request }];
    // The first bucket may bear a timestamp before the window.
    const part = { from: window.start === batch.window.start ? Number.NEGATIVE_INFINITY : from, until };
    return [{ window: { start: from, end: Number.isFinite(until) ? until : window.end }, request: { ...request, part } }];
  }
  const window = { start: from, end: Number.isFinite(until) ? endBefore(until, batch.interval) : batch.window.end };
  return splitWindow({ ...batch, window }, limits, now).map((part) => ({
    window: part,
    request: planRequest({ ...batch, window: part }, now),
  }));
}

/** A plan without the requests whose answers are kept, and the number of those. */
export type MissingPlan = Plan & { readonly atHand: number };

export function layMissing(plan: Plan, usable: readonly Usable[]): MissingPlan {
  return dropKept(layPlan(plan, usable), usable);
}

/** What is left of a plan in which kept answers have their places. */
export function dropKept(laid: Plan, usable: readonly Usable[]): MissingPlan {
  const kept = new Set(usable.map(({ path }) => path));
  const windows = laid.windows
    .map(({ window, requests }) => ({ window, requests: requests.filter(({ path }) => !kept.has(path)) }))
    .filter(({ requests }) => requests.length > 0);
  return { ...laid, windows, atHand: listRequests(laid).length - listRequests({ windows }).length };
}

/** Whether nothing of the answer's window is another's. */
function isWhole({ start, end }: Window, { from, until }: { from: LocalTime; until: LocalTime }, interval: Interval): boolean {
  return start === from && (!Number.isFinite(until) || end === until || end === endBefore(until, interval));
}

/** In order of time; windows of several batches with the same ends are one. */
function groupPlaces(places: readonly Placed[]): PlannedWindow[] {
  const groups = groupBy(places, ({ window: { start, end } }) => `${start} ${end}`);
  return [...groups.values()]
    .map((group) => ({ window: (group[0] as Placed).window, requests: group.map(({ request }) => request) }))
    .toSorted((a, b) => (a.window.start as LocalTime) - (b.window.start as LocalTime));
}
