/** Compares the answers of this run with those that an output was made from before. */
import { findNetwork, type Interval, INTERVALS } from "../../base/vocabulary.ts";
import type { KeptAnswer } from "../../kept/answer-folder.ts";
import { type Change, comparePoints } from "../../kept/compare.ts";
import { cover, type Piece } from "../../kept/cover.ts";
import { networkNow, type UsedPart, type Plan, type PlannedRequest, type PlannedWindow } from "../../plan/plan.ts";
import { removeWindow } from "../../plan/request-path.ts";
import type { Window } from "../../query/window.ts";
import { type Answer, isKnown } from "../../series/answer.ts";
import { Gaps } from "../../series/gaps.ts";
import { joinTimeSeries } from "../../series/join.ts";
import { takePart } from "../../series/part.ts";
import { stampAt, valueAt } from "../../series/point-operations.ts";
import type { TimeSeries } from "../../series/time-series.ts";
import { DEFAULTS, readResponse } from "../../source/read-response.ts";
import type { Response } from "../../source/response.ts";
import type { Build } from "../build.ts";
import type { Gathered } from "../gather.ts";
import { bucketStartBy } from "../../time/buckets.ts";
import { DAY } from "../../time/local-time.ts";
import { findSuffix } from "../../time/stamp.ts";

/** What the new answer to a window has changed. */
export interface Compared {
  readonly window: Window;
  readonly request: PlannedRequest;
  /** Points with a value. */
  readonly added: number;
  /** Points that were restated or withdrawn. */
  readonly changes: readonly Change[];
  /** Whether it has no value at all, where there were some. */
  readonly isEmpty: boolean;
  /** Whether there are older ones, and it came a day after them, or later. */
  readonly isOfAnotherDay: boolean;
  /** Whether units, names, bucket starts or the spelling of timestamps are others. */
  readonly isOfAnotherEra: boolean;
  /** Whether gaps are filled, as the older and the new answers show; undefined where they show neither. */
  readonly fills: readonly [older: boolean | undefined, newer: boolean | undefined];
  /** The answers that it takes the place of. */
  readonly older: readonly KeptAnswer[];
}

type Looked = Pick<Build, "folder" | "digests">;

export interface Night {
  readonly compared: readonly Pick<Compared, "request" | "older" | "isEmpty" | "isOfAnotherEra" | "fills" | "window">[];
  /** Points with a value. */
  readonly added: number;
  readonly changes: readonly Change[];
  /** By path: answers that have taken something away, and those that have confirmed the one before. */
  readonly withdrew: readonly string[];
  readonly confirmed: readonly string[];
}

export async function compareNight({ plan }: Pick<Gathered, "plan">, build: Looked, before: readonly KeptAnswer[]): Promise<Night> {
  const compared: Compared[] = [];
  const changes: Change[] = [];
  let added = 0;
  const [withdrew, confirmed]: [string[], string[]] = [[], []];
  for await (const one of compareAnswers(plan, build, before)) {
    const { path } = one.request;
    added += one.added;
    for (const change of one.changes) changes.push(change);
    if (one.changes.some(({ now }) => now === undefined)) withdrew.push(path);
    if (one.changes.length === 0 && one.added === 0 && one.isOfAnotherDay) confirmed.push(path);
    compared.push({ ...one, changes: [] });
  }
  return { compared, added, changes, withdrew, confirmed };
}

/** Each answer of the plan that is not among those of before; nothing where there are none. One at a time is in memory. */
export async function* compareAnswers(plan: Plan, build: Looked, before: readonly KeptAnswer[]): AsyncGenerator<Compared> {
  if (before.length === 0) return;
  const { folder } = build;
  const old = new Set(before.map(({ name }) => name));
  const usable = new Map(folder.usable.map((answer) => [answer.path, answer]));
  const ended = before.map((answer) => ({ ...answer, window: endWindow(answer, plan) }));
  for (const window of plan.windows) {
    for (const request of window.requests) {
      const answer = usable.get(request.path);
      if (!answer || (answer.name !== undefined && old.has(answer.name))) continue;
      const isOfBatch = ({ path }: KeptAnswer) => removeWindow(path) === removeWindow(request.path);
      const compared = await compareOne({ ...build, plan, window, request, answer }, ended.filter(isOfBatch));
      if (compared) yield compared;
    }
  }
}

/** An answer without an end ends when it was received. */
function endWindow({ window: { start, end }, receivedAt }: KeptAnswer, { query: { network } }: Plan): Window {
  return { start, end: end ?? networkNow(network, receivedAt) };
}

interface Place extends Looked {
  readonly plan: Plan;
  readonly window: PlannedWindow;
  readonly request: PlannedRequest;
  /** To the request. */
  readonly answer: KeptAnswer;
}

async function compareOne(place: Place, before: readonly KeptAnswer[]): Promise<Compared | undefined> {
  const { plan, folder, window: planned, request } = place;
  const { query, limits } = plan;
  const { network, interval } = query;
  const { window } = planned;
  const { start, end } = window;
  if (start === undefined || !limits) return undefined;
  // The last bucket is partial, and whole in the next answer.
  const until =
    planned === plan.windows.at(-1) || end === undefined ? Number.POSITIVE_INFINITY : bucketStartBy(limits.bucket, end + SECOND);
  const pieces = cover({ start, end }, before, limits.bucket).flatMap(({ answer, ...piece }) => (answer ? { ...piece, answer } : []));
  const isOfAnotherDay = pieces.length > 0 && pieces.every((piece) => place.answer.receivedAt - piece.answer.receivedAt >= DAY);
  const same = findSame(place, pieces);
  if (same) return { added: 0, changes: [], window, request, isEmpty: false, isOfAnotherDay, isOfAnotherEra: false, ...same };
  const decoded = await Promise.all(pieces.map(({ answer }) => folder.read(answer).then(decode)));
  const parts = pieces.map(({ answer, ...piece }, index) => {
    const from = answer.window.start === start ? Number.NEGATIVE_INFINITY : piece.from;
    return trim(decoded[index], network, { from, until: Math.min(piece.until, until) });
  });
  const older = joinTimeSeries(parts);
  const { from = Number.NEGATIVE_INFINITY, until: last = Number.POSITIVE_INFINITY } = request.part ?? {};
  const newest = await decode(await folder.find(request));
  // From here on, the older answers have no bucket whole: that its value has changed is no news.
  const split = Math.max(from, ...pieces.map((piece) => Math.min(piece.until, until)));
  const rest = { from: split, until: Math.min(last, until) };
  const newer = trim(newest, network, { from, until: Math.min(last, split) });
  let added = 0;
  const changes: Change[] = [];
  for (const change of comparePoints(older, newer)) {
    if (change.old === undefined) added++;
    else changes.push(change);
  }
  if (rest.from < rest.until) {
    for (const { old } of comparePoints(trim(decoded.at(-1), network, rest), trim(newest, network, rest))) if (old === undefined) added++;
  }
  const others = pieces.length > 0 ? older : await readNeighbour(before, place);
  return {
    added,
    changes,
    window,
    request,
    isEmpty: changes.length > 0 && added === 0 && !newer.some(hasValue),
    isOfAnotherDay,
    isOfAnotherEra: areOfTwoEras(others, pieces.length > 0 ? newer : trim(newest, network, ALL), interval),
    fills: [findFills(older, interval), findFills(newer, interval)],
    older: [...new Set(pieces.map(({ answer }) => answer))],
  };
}

/** An older answer with the same points: a digest shows it. */
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

/** Reads the latest of the older answers, for a window that is new. The offset of a network that ents does not know may have moved. */
async function readNeighbour(before: readonly KeptAnswer[], { plan, folder }: Place): Promise<readonly TimeSeries[]> {
  const { network } = plan.query;
  const latest = before.toSorted((a, b) => (a.window.end ?? 0) - (b.window.end ?? 0)).at(-1);
  return latest && findNetwork(network) ? trim(await decode(await folder.read(latest)), network, ALL) : [];
}

const ALL: UsedPart = { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY };
const SECOND = 1000;

async function decode(response: Response | undefined): Promise<Answer | undefined> {
  return response && readResponse(response, { ...DEFAULTS, isOpen: true });
}

function hasValue({ series }: TimeSeries): boolean {
  return series.some(({ points }) => points.instants.some((_, index) => valueAt(points, index) !== null));
}

function trim(answer: Answer | undefined, network: string, part: UsedPart): readonly TimeSeries[] {
  const trimmed = answer && takePart(answer, network, part);
  return trimmed && isKnown(trimmed) ? trimmed.timeSeries : [];
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

/** Where buckets start; of those of the calendar: on which day of a month, and when. */
function listPhases({ series }: TimeSeries, interval: Interval | undefined): (number | string)[] {
  const bucket = interval === undefined ? undefined : INTERVALS[interval].bucket;
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

/** How timestamps end: `Z`, `+10:00`. */
function spellingOf(timeSeries: readonly TimeSeries[]): string | undefined {
  const series = timeSeries.flatMap((item) => item.series).find(({ points }) => points.instants.length > 0);
  return series && findSuffix(stampAt(series.points, 0));
}
