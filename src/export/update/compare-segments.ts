/** Compares what the segments have with what the last run's output was made from, and counts that nothing is missing. */
import { usageError } from "../../base/errors.ts";
import { formatCount } from "../../base/phrases.ts";
import { hasOtherLabels, hasOtherSchema } from "../../store/response-facts.ts";
import type { StoredSegmentResponse } from "../../store/response-folder.ts";
import { findUntil, parseName } from "../../store/segments.ts";
import { type Change, comparePoints } from "../../store/compare.ts";
import type { Journal } from "../../store/journal.ts";
import { CONFIRM_AFTER, listLayers } from "../../store/layers.ts";
import { UPKEEP_FLAGS } from "../../options/upkeep-options.ts";
import type { PathTarget } from "../destination/target.ts";
import type { Descriptor } from "../package/descriptor.ts";
import { freeBodies } from "../../series/merge.ts";
import { splitTimeSeries } from "../../series/overlap.ts";
import { findOffsetMs } from "../../series/time-series.ts";
import type { GatheredSegments } from "./gather-segments.ts";
import type { StoredSegment } from "./open-segments.ts";
import type { LocalTime } from "../../time/local-time.ts";
import { cutToOutput, type SegmentContent, readSegment, type Reader } from "./read-segments.ts";

export interface Comparison {
  /** The number of new points with a value, in segments that the output had before. */
  readonly added: number;
  readonly restated: number;
  /** The restated value that has changed most. */
  readonly largest: Change | undefined;
  /** Lists the points that were restated or withdrawn. There may be millions, so segments are compared again. */
  readonly listChanges: () => AsyncIterable<Change>;
  /** The number of values that the newest responses lack, and that stay for now. */
  readonly held: number;
  /** The number of values withdrawn, by the name of the segment. */
  readonly withdrawn: ReadonlyMap<string, number>;
  /**
   * The number of values that a first response of another schema lacks: they cannot stay in the output, nor be taken away
   * yet.
   */
  readonly unconfirmed: number;
  /** Places that the output did not have before. */
  readonly isNew: ReadonlySet<StoredSegment>;
  /** Stored responses that are superseded. */
  readonly superseded: ReadonlySet<StoredSegmentResponse>;
}

interface Compared extends Reader {
  /** Number of the last run that finished. */
  readonly finished: number;
  /** The instant of the last point of its output, as `checkBalance` counts them. */
  readonly last: number;
  /** The end of what its output had and was over, in network time: later values may change without being restated. */
  readonly settledBefore: LocalTime;
  /** True if this run's response to a segment has the points that were there before. */
  readonly isSame: (segment: StoredSegment) => boolean;
}

export async function compareSegments(segments: readonly StoredSegment[], options: Compared): Promise<Comparison> {
  const found: SegmentChange[] = [];
  for (const segment of segments) found.push(await compareSegment(segment, options));
  async function* listChanges(): AsyncGenerator<Change> {
    for (const { segment } of found.filter(({ hasChanged }) => hasChanged)) {
      const content = await readSegment(segment, segment.responses, options);
      for (const change of await listDifferences(segment, content, options)) if (change.old !== undefined) yield change;
    }
  }
  const needed = new Set(found.flatMap(({ sources }) => sources));
  // The first response that lacks what an older one has stays, as its time counts; so does one that was accepted in its
  // place.
  const isAbove = (responses: readonly StoredSegmentResponse[]) => (stored: StoredSegmentResponse, index: number) =>
    responses.slice(index + 1, stored.facts.accepted ? undefined : index + 2).some((older) => needed.has(older));
  const firsts = segments.flatMap(({ responses }) => responses.filter(isAbove(responses)));
  const kept = new Set([...needed, ...firsts]);
  const sum = (of: "added" | "restated" | "held" | "unconfirmed") =>
    found.reduce((total, change) => total + change[of], 0);
  const withdrawn = new Map<string, number>();
  for (const { segment, withdrawn: count } of found)
    if (count > 0) withdrawn.set(segment.wholeName, (withdrawn.get(segment.wholeName) ?? 0) + count);
  return {
    added: sum("added"),
    restated: sum("restated"),
    held: sum("held"),
    unconfirmed: sum("unconfirmed"),
    withdrawn,
    largest: found.reduce<Change | undefined>(
      (most, { largest }) => (changeSizeOf(largest) > changeSizeOf(most) ? largest : most),
      undefined,
    ),
    listChanges,
    isNew: new Set(found.flatMap(({ segment, isNew }) => (isNew ? segment : []))),
    // A response to a whole segment may be needed for one of its halves, and one without an end for a later segment.
    superseded: new Set(segments.flatMap(({ responses }) => responses.filter((stored) => !kept.has(stored)))),
  };
}

/** What has changed in one segment, in numbers of values. */
interface SegmentChange extends Pick<Comparison, "added" | "restated" | "largest" | "held" | "unconfirmed"> {
  readonly segment: StoredSegment;
  readonly isNew: boolean;
  readonly hasChanged: boolean;
  readonly withdrawn: number;
  /** The stored responses that its values are from. */
  readonly sources: readonly StoredSegmentResponse[];
}

const UNCHANGED = {
  hasChanged: false,
  added: 0,
  restated: 0,
  withdrawn: 0,
  unconfirmed: 0,
  held: 0,
  largest: undefined,
};

async function compareSegment(segment: StoredSegment, options: Compared): Promise<SegmentChange> {
  const { responses } = segment;
  const [newest] = responses;
  const before = listBefore(segment, options);
  const none = { ...UNCHANGED, segment, isNew: before.length === 0 };
  // An output with another end has more of the same points.
  const hasMore = before.length > 0 && Math.min(segment.until, findUntil(options.query)) > options.settledBefore;
  // What a run that failed received may have changed something.
  if (
    newest &&
    !hasMore &&
    (responses.length === 1 || (before.length === responses.length - 1 && options.isSame(segment)))
  )
    return { ...none, sources: [newest] };
  const content = await readSegment(segment, responses, options);
  const read = { ...none, sources: content.sources, held: content.held };
  if (before.length === 0 || (before.length === responses.length && !hasMore)) return read;
  const counts = { added: 0, restated: 0, withdrawn: 0, unconfirmed: 0 };
  const gone = isUnconfirmed(responses, before[0]) ? "unconfirmed" : "withdrawn";
  let largest: Change | undefined;
  for (const change of await listDifferences(segment, content, options)) {
    counts[change.old === undefined ? "added" : change.now === undefined ? gone : "restated"]++;
    if (change.old !== undefined && changeSizeOf(change) > changeSizeOf(largest)) largest = change;
  }
  return { ...read, ...counts, largest, hasChanged: counts.restated + counts[gone] > 0 };
}

/** The responses that the last run's output was made from. */
function listBefore({ responses }: StoredSegment, { finished }: Compared): readonly StoredSegmentResponse[] {
  return responses.filter(({ run }) => run <= finished);
}

/**
 * Lists the points in which what a segment has now differs from what the output had of it. A value of an interval under
 * way is expected to change, but not to go.
 */
async function listDifferences(
  segment: StoredSegment,
  content: SegmentContent,
  options: Compared,
): Promise<Iterable<Change>> {
  const { query, last, settledBefore } = options;
  const before = listBefore(segment, options);
  const { decoded: old, sources } = await readSegment(
    { ...segment, until: Math.min(segment.until, findUntil(query)) },
    before,
    options,
  );
  const [had] = splitTimeSeries(old.timeSeries, last + 1);
  const settled = settledBefore - (findOffsetMs(query.network, had) ?? 0);
  // With other labels, points have other names: they are neither new nor withdrawn.
  const isRenamed = hasOtherLabels(
    (sources[0] as StoredSegmentResponse).facts.form,
    (content.sources[0] as StoredSegmentResponse).facts.form,
  );
  function* compare(): Generator<Change> {
    for (const change of comparePoints(had, cutToOutput(content, query).timeSeries)) {
      const isRestated = change.old !== undefined && change.now !== undefined;
      if (isRestated ? change.instant < settled : !isRenamed) yield change;
    }
    freeBodies([...old.timeSeries, ...content.decoded.timeSeries]);
  }
  return compare();
}

/** True if the responses since are of another schema, and do not confirm yet what they lack. */
function isUnconfirmed(responses: readonly StoredSegmentResponse[], last: StoredSegmentResponse | undefined): boolean {
  const index = responses.findIndex((stored) => stored === last);
  const [newest, next] = [listLayers(responses)[0], responses[index - 1]];
  if (!newest || !next || !last || newest.facts.accepted) return false;
  return hasOtherSchema(last.facts.form, newest.facts.form) && newest.receivedAt - next.receivedAt < CONFIRM_AFTER;
}

export function sumValues(bySegment: ReadonlyMap<string, number>): number {
  return [...bySegment.values()].reduce((sum, count) => sum + count, 0);
}

/** -1 for a point that was withdrawn. */
function changeSizeOf(change: Change | undefined): number {
  return change?.now === undefined ? -1 : Math.abs(Number(change.now) - Number(change.old)) || 0;
}

/** The instant of the last point of the output before; -Infinity if it is unknown, so that nothing is counted. */
export function findLast({ last: run }: Pick<Journal, "last">, described: Descriptor | undefined): number {
  const before = run?.until ?? run?.last ?? Number.NEGATIVE_INFINITY;
  return (described?.series ?? []).reduce((most, { last }) => Math.max(most, Date.parse(last)), before);
}

/** An update never writes fewer values than the last run did, less those that are withdrawn. */
interface Balance {
  readonly target: PathTarget;
  readonly journal: Journal;
  readonly described: Descriptor | undefined;
  readonly gathered: Pick<GatheredSegments, "values">;
  readonly comparison: Pick<Comparison, "withdrawn" | "unconfirmed">;
  /** The end of its last segment, in milliseconds since 1970 UTC; Infinity if a part of it is out of reach. */
  readonly until: number;
}

/**
 * Counts values up to the last point of the output before: by segment, where the journal has their numbers, so that gains
 * in one do not hide losses in another; otherwise as a whole, by the description.
 * @throws {EntsError} usage: some are missing.
 */
export function checkBalance({ target, journal, described, gathered, comparison, until }: Balance): void {
  if (comparison.unconfirmed > 0) throw refuseUnconfirmed(target, comparison.unconfirmed);
  const lastStart = parseName([...journal.values.keys()].sort().at(-1) ?? "").start;
  const shortfalls = Array.from(journal.values, ([segment, noted]) => {
    if (!gathered.values.has(segment)) return 0;
    // The last segment has no end: what it had may be in later ones by now.
    const { start, batch } = parseName(segment);
    const isLater = (name: string) => name >= segment && parseName(name).batch === batch;
    const now = start === lastStart ? [...gathered.values.keys()].filter(isLater) : [segment];
    const found = now.reduce(
      (sum, name) => sum + (gathered.values.get(name)?.before ?? 0) + (comparison.withdrawn.get(name) ?? 0),
      0,
    );
    return Math.max(0, noted - found);
  });
  const missing = shortfalls.reduce((sum, count) => sum + count, 0);
  if (missing > 0) throw refuseLoss(target, missing);
  // Fewer segments have fewer values.
  if (journal.last || !described || findLast(journal, described) >= until) return;
  const found = [...gathered.values.values()].reduce((sum, { before }) => sum + before, 0);
  const noted = described.files.reduce((sum, { values = 0 }) => sum + values, 0);
  if (found < noted) throw refuseLoss(target, noted - found);
}

function refuseLoss({ name }: PathTarget, missing: number): Error {
  return usageError(
    `${name} is unchanged: it has ${formatCount(missing, "value")} that are neither stored nor in the service's data any more`,
    `restore the stored responses from a backup, choose another file, or add ${UPKEEP_FLAGS.overwrite} to write what there is`,
  );
}

function refuseUnconfirmed({ name }: PathTarget, count: number): Error {
  return usageError(
    `${name} is unchanged: the service has changed its units or timestamps, and now lacks ${formatCount(count, "value")} that ${name} has`,
    `run the command again after six hours: what is missing then, too, is withdrawn\nor add ${UPKEEP_FLAGS.overwrite} to remove it now`,
  );
}
