/** Compares the answers of this run with those that an output was made from before. */
import { type Interval, INTERVALS } from "../../base/vocabulary.ts";
import type { AnswerFolder, KeptAnswer } from "../../kept/answer-folder.ts";
import { type Change, type Comparison, comparePoints, startComparison } from "../../kept/compare.ts";
import { cover, type Piece } from "../../kept/cover.ts";
import { networkNow, type Part, type Plan, type PlannedRequest, type PlannedWindow } from "../../plan/plan.ts";
import { removeWindow } from "../../plan/request-path.ts";
import type { Window } from "../../query/window.ts";
import { isKnown } from "../../series/answer.ts";
import { Gaps } from "../../series/gaps.ts";
import { joinTimeSeries } from "../../series/join.ts";
import { takePart } from "../../series/part.ts";
import { stampAt } from "../../series/point-operations.ts";
import type { TimeSeries } from "../../series/time-series.ts";
import { DEFAULTS, readResponse } from "../../source/read-response.ts";
import type { Response } from "../../source/response.ts";
import type { Build } from "../build.ts";
import type { Gathered } from "../gather.ts";
import { bucketStartBy } from "../../time/buckets.ts";
import { findSuffix } from "../../time/stamp.ts";

/** What the new answer to a window has changed. */
export interface Compared extends Comparison {
  readonly window: Window;
  readonly request: PlannedRequest;
  /** Whether it has no value at all, where there were some. */
  readonly isEmpty: boolean;
  /** Whether units, names, bucket starts or the spelling of timestamps are others. */
  readonly isOfAnotherEra: boolean;
  /** Whether gaps are filled, as the older and the new answers show; undefined where they show neither. */
  readonly fills: readonly [older: boolean | undefined, newer: boolean | undefined];
  /** The answers that it takes the place of. */
  readonly older: readonly KeptAnswer[];
}

export interface Night {
  readonly compared: readonly Pick<Compared, "request" | "older" | "isEmpty" | "isOfAnotherEra" | "fills" | "window">[];
  /** Points with a value. */
  readonly added: number;
  readonly changes: readonly Change[];
  /** By path: answers that have taken something away, and those that have confirmed the one before. */
  readonly withdrew: readonly string[];
  readonly confirmed: readonly string[];
}

export async function compareNight(
  { plan }: Pick<Gathered, "plan">,
  { folder }: Pick<Build, "folder">,
  before: readonly KeptAnswer[],
): Promise<Night> {
  const compared: Compared[] = [];
  const changes: Change[] = [];
  let added = 0;
  const [withdrew, confirmed]: [string[], string[]] = [[], []];
  for await (const one of compareAnswers(plan, folder, before)) {
    const { path } = one.request;
    added += one.added;
    for (const change of one.changes) changes.push(change);
    if (one.changes.some(({ now }) => now === undefined)) withdrew.push(path);
    if (one.changes.length === 0 && one.added === 0) confirmed.push(path);
    compared.push({ ...one, changes: [] });
  }
  return { compared, added, changes, withdrew, confirmed };
}

/** Each answer of the plan that is not among those of before, where these have something of its window. One at a time is in memory. */
export async function* compareAnswers(plan: Plan, folder: AnswerFolder, before: readonly KeptAnswer[]): AsyncGenerator<Compared> {
  const old = new Set(before.map(({ name }) => name));
  const usable = new Map(folder.usable.map((answer) => [answer.path, answer]));
  const ended = before.map((answer) => ({ ...answer, window: endWindow(answer, plan) }));
  for (const window of plan.windows) {
    for (const request of window.requests) {
      const answer = usable.get(request.path);
      if (!answer || (answer.name !== undefined && old.has(answer.name))) continue;
      const isOfBatch = ({ path }: KeptAnswer) => removeWindow(path) === removeWindow(request.path);
      yield* compareOne({ plan, folder, window, request }, ended.filter(isOfBatch));
    }
  }
}

/** An answer without an end ends when it was received. */
function endWindow({ window: { start, end }, receivedAt }: KeptAnswer, { query: { network } }: Plan): Window {
  return { start, end: end ?? networkNow(network, receivedAt) };
}

interface Place {
  readonly plan: Plan;
  readonly folder: AnswerFolder;
  readonly window: PlannedWindow;
  readonly request: PlannedRequest;
}

async function* compareOne({ plan, folder, window: place, request }: Place, before: readonly KeptAnswer[]): AsyncGenerator<Compared> {
  const { query, limits } = plan;
  const { window } = place;
  const { start, end } = window;
  if (start === undefined || !limits) return;
  // The last bucket is partial, and whole in the next answer.
  const until = place === plan.windows.at(-1) || end === undefined ? Number.POSITIVE_INFINITY : bucketStartBy(limits.bucket, end + SECOND);
  const pieces = cover({ start, end }, before, limits.bucket).filter(({ answer }) => answer);
  if (pieces.length === 0) return;
  const parts: (readonly TimeSeries[])[] = [];
  for (const { answer, ...piece } of pieces) {
    const from = answer?.window.start === start ? Number.NEGATIVE_INFINITY : piece.from;
    parts.push(await readPart(await folder.read(answer as KeptAnswer), query.network, { from, until: Math.min(piece.until, until) }));
  }
  const older = joinTimeSeries(parts);
  const { from = Number.NEGATIVE_INFINITY, until: last = Number.POSITIVE_INFINITY } = request.part ?? {};
  const newest = await folder.find(request);
  // From here on, the older answers have no bucket whole.
  const split = Math.max(...pieces.map((piece) => Math.min(piece.until, until)));
  const newer = await readPart(newest, query.network, { from, until: Math.min(last, split) });
  const comparison = startComparison();
  comparePoints(older, newer, comparison);
  const added = await countAdded({ folder, network: query.network, newest, pieces }, { from: split, until: Math.min(last, until) });
  const { unchanged, changes } = comparison;
  yield {
    ...comparison,
    added: comparison.added + added,
    window,
    request,
    isEmpty: comparison.added + added + unchanged === 0 && changes.length > 0 && changes.every(({ now }) => now === undefined),
    isOfAnotherEra: areOfTwoEras(older, newer, query.interval),
    fills: [findFills(older, query.interval), findFills(newer, query.interval)],
    older: [...new Set(pieces.map(({ answer }) => answer as KeptAnswer))],
  };
}

interface Newest {
  readonly folder: AnswerFolder;
  readonly network: string;
  readonly newest: Response | undefined;
  readonly pieces: readonly Piece<KeptAnswer>[];
}

/** New points of buckets that the older answers do not have whole; that they have changed is no news. */
async function countAdded({ folder, network, newest, pieces }: Newest, part: Part): Promise<number> {
  if (part.from >= part.until) return 0;
  const last = pieces.at(-1)?.answer;
  const partial = startComparison();
  comparePoints(last ? await readPart(await folder.read(last), network, part) : [], await readPart(newest, network, part), partial);
  return partial.added;
}

const SECOND = 1000;

async function readPart(response: Response | undefined, network: string, part: Part): Promise<readonly TimeSeries[]> {
  if (!response) return [];
  const answer = takePart(await readResponse(response, { ...DEFAULTS, isOpen: true }), network, part);
  return isKnown(answer) ? answer.timeSeries : [];
}

function findFills(timeSeries: readonly TimeSeries[], interval: Interval | undefined): boolean | undefined {
  const gaps = new Gaps({ interval });
  gaps.observe(timeSeries);
  return gaps.fills;
}

function areOfTwoEras(older: readonly TimeSeries[], newer: readonly TimeSeries[], interval: Interval | undefined): boolean {
  const units = new Map(older.filter(hasPoints).map(({ network, metric, unit }) => [`${network} ${metric}`, unit]));
  const [was, is] = [older, newer].map(spellingOf);
  const isOther = ({ network, metric, unit }: TimeSeries) => (units.get(`${network} ${metric}`) ?? unit) !== unit;
  if (newer.filter(hasPoints).some(isOther) || (was !== undefined && is !== undefined && was !== is)) return true;
  const listNetwork = ({ network }: TimeSeries) => [network];
  const lists: ((item: TimeSeries) => readonly (string | number)[])[] = [listNetwork, nameLabels, (item) => listPhases(item, interval)];
  return lists.some((list) => areDisjoint(older.filter(hasPoints).flatMap(list), newer.filter(hasPoints).flatMap(list)));
}

function areDisjoint(some: readonly unknown[], others: readonly unknown[]): boolean {
  const known = new Set(some);
  return some.length > 0 && others.length > 0 && !others.some((one) => known.has(one));
}

function nameLabels({ series }: TimeSeries): string[] {
  return series.map(({ labels }) => Object.keys(labels).toString());
}

/** Where buckets of one length start. Longer ones, of the calendar, are never asked for in several windows. */
function listPhases({ series }: TimeSeries, interval: Interval | undefined): number[] {
  const bucket = interval === undefined ? undefined : INTERVALS[interval].bucket;
  if (!bucket || !("ms" in bucket)) return [];
  return [...new Set(series.flatMap(({ points }) => [...points.instants].map((instant) => instant % bucket.ms)))];
}

function hasPoints({ series }: TimeSeries): boolean {
  return series.some(({ points }) => points.instants.length > 0);
}

/** How timestamps end: `Z`, `+10:00`. */
function spellingOf(timeSeries: readonly TimeSeries[]): string | undefined {
  const series = timeSeries.flatMap((item) => item.series).find(({ points }) => points.instants.length > 0);
  return series && findSuffix(stampAt(series.points, 0));
}
