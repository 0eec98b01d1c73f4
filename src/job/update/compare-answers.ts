/** Compares the responses of this run with those that the existing output was made from. */
import { type Interval, findBucket } from "../../base/intervals.ts";
import { findNetwork } from "../../base/vocabulary.ts";
import type { KeptAnswer } from "../../kept/answer-folder.ts";
import { type Change, comparePoints } from "../../kept/compare.ts";
import { cover, type Piece } from "../../kept/cover.ts";
import { latestInstant, networkNow, type UsedPart, type Plan, type PlannedRequest, type PlannedWindow } from "../../plan/plan.ts";
import { removeWindow } from "../../plan/request-path.ts";
import type { Query } from "../../query/query.ts";
import type { Window } from "../../query/window.ts";
import { type Answer, isKnown, selectUsed } from "../../series/answer.ts";
import { Gaps } from "../../series/gaps.ts";
import { joinTimeSeries } from "../../series/join.ts";
import { stampAt, valueAt } from "../../series/point-operations.ts";
import { findOffsetMs, type TimeSeries } from "../../series/time-series.ts";
import { DEFAULTS, readResponse } from "../../source/read-response.ts";
import type { Response } from "../../source/response.ts";
import type { Build } from "../build.ts";
import type { Gathered } from "../gather.ts";
import { bucketStart } from "../../time/buckets.ts";
import { DAY, type LocalTime } from "../../time/local-time.ts";
import { findSuffix } from "../../time/stamp.ts";

/** The changes between older responses and the new one for a window. */
export interface Compared {
  readonly window: Window;
  readonly request: PlannedRequest;
  /** Number of new points with a value. */
  readonly added: number;
  /** Points that were restated or withdrawn. */
  readonly changes: readonly Change[];
  /** True if it has no values where there were some. */
  readonly isEmpty: boolean;
  /** True if older responses of the window are lost or cannot be read, although the output has points of it. */
  readonly isLost: boolean;
  /** Number of values that are missing in a bucket which was partial in the older response. */
  readonly vanished: number;
  /** True if there are older responses and it was received at least a day after all of them. */
  readonly isOfAnotherDay: boolean;
  /** True if units, names, bucket starts or the timestamp format differ. */
  readonly isOfAnotherEra: boolean;
  /** Whether gaps are filled in the older responses and in the new one; undefined if unknown. */
  readonly fills: readonly [older: boolean | undefined, newer: boolean | undefined];
  /** The responses that it replaces. */
  readonly older: readonly KeptAnswer[];
}

type Looked = Pick<Build, "folder" | "digests">;

export interface UpdateComparison {
  readonly compared: readonly Pick<Compared, "request" | "older" | "isEmpty" | "isOfAnotherEra" | "fills" | "window">[];
  /** Number of new points with a value. */
  readonly added: number;
  readonly changes: readonly Change[];
  /** Request paths of responses that withdrew values, and of those that confirmed an older response. */
  readonly withdrew: readonly string[];
  readonly confirmed: readonly string[];
  /** True for any of its windows. */
  readonly isLost: boolean;
  readonly vanished: number;
}

export async function compareUpdate(
  { plan }: Pick<Gathered, "plan">,
  build: Looked,
  before: readonly KeptAnswer[],
): Promise<UpdateComparison> {
  const compared: Compared[] = [];
  const changes: Change[] = [];
  let [added, vanished, isLost] = [0, 0, false];
  const [withdrew, confirmed]: [string[], string[]] = [[], []];
  for await (const one of compareAnswers(plan, build, before)) {
    const { path } = one.request;
    added += one.added;
    vanished += one.vanished;
    isLost ||= one.isLost;
    for (const change of one.changes) changes.push(change);
    if (one.changes.some(({ now }) => now === undefined)) withdrew.push(path);
    if (one.changes.length === 0 && one.added === 0 && one.isOfAnotherDay) confirmed.push(path);
    compared.push({ ...one, changes: [] });
  }
  return { compared, added, changes, withdrew, confirmed, isLost, vanished };
}

/** The responses of these runs that new ones are compared with. The window of an open one ended when it was received. */
export function listOlder({ folder, parts }: Build, isOfRun: (run: number) => boolean): Promise<KeptAnswer[]> {
  const older = folder.found.filter(({ run, service }) => isOfRun(run) && service === folder.service);
  return Promise.all(older.map(async (answer) => ({ ...answer, window: await endWindow(answer, folder, parts.plan.query.network) })));
}

/** The response of an unknown network has its offset. */
async function endWindow(answer: KeptAnswer, folder: Looked["folder"], network: string): Promise<Window> {
  const { window, receivedAt } = answer;
  if (window.end !== undefined) return window;
  const end = networkNow(network, receivedAt);
  if (end !== undefined) return { ...window, end };
  const offset = findOffsetMs(network, listSeries(await folder.read(answer).then(decode)));
  return { ...window, end: offset === undefined ? undefined : receivedAt + offset };
}

/** Compares each new response of the plan with older ones, one at a time to save memory; yields nothing without older ones. */
export async function* compareAnswers(plan: Plan, build: Looked, before: readonly KeptAnswer[]): AsyncGenerator<Compared> {
  if (before.length === 0) return;
  const old = new Set(before.map(({ name }) => name));
  const usable = new Map(build.folder.usable.map((answer) => [answer.path, answer]));
  for (const window of plan.windows) {
    for (const request of window.requests) {
      const answer = usable.get(request.path);
      if (!answer || (answer.name !== undefined && old.has(answer.name))) continue;
      const isOfBatch = ({ path }: KeptAnswer) => removeWindow(path) === removeWindow(request.path);
      const compared = await compareOne({ ...build, plan, window, request, answer }, before.filter(isOfBatch));
      if (compared) yield compared;
    }
  }
}

interface Place extends Looked {
  readonly plan: Plan;
  readonly window: PlannedWindow;
  readonly request: PlannedRequest;
  /** The new response to the request. */
  readonly answer: KeptAnswer;
}

async function compareOne(place: Place, before: readonly KeptAnswer[]): Promise<Compared | undefined> {
  const { plan, folder, window: planned, request } = place;
  const { query, limits } = plan;
  const { interval } = query;
  const { window } = planned;
  const { start, end } = window;
  if (start === undefined || !limits) return undefined;
  // The last bucket is partial here, and complete in the response for the next window.
  const until = planned === plan.windows.at(-1) || end === undefined ? Number.POSITIVE_INFINITY : bucketStart(limits.bucket, end + SECOND);
  const covered = cover({ start, end }, before, limits.bucket);
  const pieces = covered.flatMap(({ answer, ...piece }) => (answer ? { ...piece, answer } : []));
  const isOfAnotherDay = pieces.length > 0 && pieces.every((piece) => place.answer.receivedAt - piece.answer.receivedAt >= DAY);
  const same = findSame(place, pieces);
  if (same) return { ...UNCHANGED, window, request, isOfAnotherDay, ...same };
  const decoded = await Promise.all(pieces.map(({ answer }) => folder.read(answer).then(decode)));
  const parts = pieces.map(({ answer, ...piece }, index) => {
    const from = piece.from === start && answer.window.start === start ? Number.NEGATIVE_INFINITY : piece.from;
    return trim(decoded[index], query, { from, until: Math.min(piece.until, until) });
  });
  const older = joinTimeSeries(parts);
  const { from = Number.NEGATIVE_INFINITY, until: last = Number.POSITIVE_INFINITY } = request.part ?? {};
  const newest = await decode(await folder.find(request));
  // After this, a bucket is partial in the older responses: its values count as added, never as restated.
  const split = Math.max(from, ...pieces.map((piece) => Math.min(piece.until, until)));
  const rest = { from: split, until: Math.min(last, until) };
  const newer = trim(newest, query, { from, until: Math.min(last, split) });
  let [added, vanished] = [0, 0];
  const changes: Change[] = [];
  for (const change of comparePoints(older, newer)) {
    if (change.old === undefined) added++;
    else changes.push(change);
  }
  if (rest.from < rest.until) {
    for (const { old, now } of comparePoints(trim(decoded.at(-1), query, rest), trim(newest, query, rest))) {
      if (old === undefined) added++;
      if (now === undefined) vanished++;
    }
  }
  const others = pieces.length > 0 ? older : await readNeighbour(before, place);
  return {
    added,
    changes,
    window,
    request,
    isEmpty: changes.length > 0 && added === 0 && !newer.some(hasValue),
    isLost: decoded.includes(undefined) || covered.some((piece) => piece.answer === undefined && wasWritten(piece.from, place)),
    vanished,
    isOfAnotherDay,
    isOfAnotherEra: areOfTwoEras(others, pieces.length > 0 ? newer : trim(newest, query, ALL), interval),
    fills: [findFills(older, interval), findFills(newer, interval)],
    older: [...new Set(pieces.map(({ answer }) => answer))],
  };
}

const UNCHANGED = { added: 0, changes: [], isEmpty: false, isLost: false, vanished: 0, isOfAnotherEra: false } as const;

/** The older response, if digests show that it has the same points. */
function findSame(
  { digests, answer, request }: Place,
  [piece, ...others]: readonly Piece<KeptAnswer>[],
): Pick<Compared, "fills" | "older"> | undefined {
  const older = piece?.answer && digests?.find(piece.answer);
  const newer = digests?.find(answer);
  if (!piece?.answer || !older || !newer || others.length > 0 || request.part || older.seen.hash !== newer.seen.hash) return undefined;
  const { hasMissingBucket, hasNull } = newer.seen.inside;
  const fills = hasMissingBucket ? false : hasNull || undefined;
  return { fills: [fills, fills], older: [piece.answer] };
}

/** True if the output has points after this time. */
function wasWritten(local: LocalTime, { folder, plan: { query } }: Place): boolean {
  return latestInstant(query.network, local) < (folder.journal.runs.at(-1)?.last ?? Number.NEGATIVE_INFINITY);
}

/** The latest older response, to compare its units and timestamp format with those of a new window. */
async function readNeighbour(before: readonly KeptAnswer[], { plan: { query }, folder }: Place): Promise<readonly TimeSeries[]> {
  const latest = before.toSorted((a, b) => (a.window.end ?? 0) - (b.window.end ?? 0)).at(-1);
  return latest && findNetwork(query.network) ? trim(await decode(await folder.read(latest)), query, ALL) : [];
}

const ALL: UsedPart = { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY };
const SECOND = 1000;

async function decode(response: Response | undefined): Promise<Answer | undefined> {
  return response && readResponse(response, { ...DEFAULTS, isOpen: true });
}

function hasValue({ series }: TimeSeries): boolean {
  return series.some(({ points }) => points.instants.some((_, index) => valueAt(points, index) !== null));
}

function trim(answer: Answer | undefined, query: Query, part: UsedPart): readonly TimeSeries[] {
  return listSeries(answer && selectUsed(answer, query, part));
}

function listSeries(answer: Answer | undefined): readonly TimeSeries[] {
  return answer && isKnown(answer) ? answer.timeSeries : [];
}

function findFills(timeSeries: readonly TimeSeries[], interval: Interval | undefined): boolean | undefined {
  const gaps = new Gaps({ interval });
  gaps.observe({ timeSeries });
  return gaps.fills;
}

function areOfTwoEras(older: readonly TimeSeries[], newer: readonly TimeSeries[], interval: Interval | undefined): boolean {
  const units = new Map(older.filter(hasPoints).map(({ network, metric, unit }) => [`${network} ${metric}`, unit]));
  const [was, is] = [older, newer].map(spellingOf);
  const isOther = ({ network, metric, unit }: TimeSeries) => (units.get(`${network} ${metric}`) ?? unit) !== unit;
  if (newer.filter(hasPoints).some(isOther) || (was !== undefined && is !== undefined && was !== is)) return true;
  const listNetwork = ({ network }: TimeSeries) => [network];
  const lists: ((item: TimeSeries) => readonly (number | string)[])[] = [listNetwork, nameLabels, (item) => listPhases(item, interval)];
  return lists.some((list) => areDisjoint(older.filter(hasPoints).flatMap(list), newer.filter(hasPoints).flatMap(list)));
}

function areDisjoint(some: readonly unknown[], others: readonly unknown[]): boolean {
  const known = new Set(some);
  return some.length > 0 && others.length > 0 && !others.some((one) => known.has(one));
}

function nameLabels({ series }: TimeSeries): string[] {
  return series.map(({ labels }) => Object.keys(labels).toString());
}

/** Where buckets start: the remainder modulo a fixed length, or the day and time within the month. */
function listPhases({ series }: TimeSeries, interval: Interval | undefined): (number | string)[] {
  const bucket = interval === undefined ? undefined : findBucket(interval);
  const phases = new Set<number | string>();
  for (const { points } of bucket ? series : []) {
    for (const [index, instant] of points.instants.entries()) {
      phases.add(bucket && "ms" in bucket ? instant % bucket.ms : stampAt(points, index).slice("2026-01-".length));
    }
  }
  return [...phases];
}

function hasPoints({ series }: TimeSeries): boolean {
  return series.some(({ points }) => points.instants.length > 0);
}

/** The UTC offset of timestamps as written: `Z`, `+10:00`. */
function spellingOf(timeSeries: readonly TimeSeries[]): string | undefined {
  const series = timeSeries.flatMap((item) => item.series).find(({ points }) => points.instants.length > 0);
  return series && findSuffix(stampAt(series.points, 0));
}
