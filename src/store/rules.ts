/**
 * What an update asks for again, and why: all the rules, in order. Pure. Being on the list never makes a stored
 * response unusable.
 *
 * 1. missing: no response answers all of the segment.
 * 2. open: received before the segment's end plus `--revise`. What a run that failed received is used, if the segment was
 *    over.
 * 3. another form: units, timestamps or labels are not those that the service sends now (`findOldSchemas`); at most 50 a
 *    run.
 * 4. unconfirmed: the newest response lacks values that an older one has; asked for six hours after the first that did.
 * 5. recheck: `--recheck` more, since services correct old years and a first night may have been a bad one. First those
 *    that lack a series, or fill gaps in another way than the newest segment; then those never rechecked; then those
 *    rechecked longest ago. If one has changed, 50 a run are, until every segment was asked for since.
 *
 * Only missing and open segments decide how a run ends: what else the service refuses stays as it is.
 */
import { groupBy } from "../base/group-by.ts";
import { findValues } from "../query/parameters.ts";
import { HOUR } from "../time/local-time.ts";
import { hasOtherSchema } from "./response-facts.ts";
import { type SegmentResponse, type SegmentQuery, endOfSegment, type Segment } from "./segments.ts";
import type { RequestLogEntry, Journal, Reason } from "./journal.ts";
import { CONFIRM_AFTER, listLayers } from "./layers.ts";

export interface Entry<T extends SegmentResponse = SegmentResponse> {
  readonly segment: Segment<T>;
  readonly reason: Reason;
}

export interface RunFacts {
  readonly query: SegmentQuery;
  readonly journal: Pick<Journal, "last" | "checked" | "refused" | "found" | "missingSeries">;
  /** Number of this run, and of the last one that finished. */
  readonly run: number;
  readonly finished: number;
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
  readonly reviseMs: number;
  readonly recheck: number | "all";
  /** By this run. */
  readonly asked: readonly RequestLogEntry[];
}

/** A tenth of a community key's daily quota. */
const MOST = 50;

/** What is still to be asked for, in this order. */
export function listAsked<T extends SegmentResponse>(segments: readonly Segment<T>[], facts: RunFacts): Entry<T>[] {
  const { asked, recheck, run, finished, journal } = facts;
  const names = new Set(asked.map(({ name }) => name));
  const latest = findLatest(segments);
  const oldSchemas = findOldSchemas(segments, journal);
  const entries = segments
    .map((segment) => ({ segment, reason: findReason(segment, oldSchemas, facts) }))
    .filter(({ segment }) => !names.has(segment.name));
  const countLeft = (most: number, reason: Reason) =>
    Math.max(0, most - asked.filter((entry) => entry.reason === reason).length);
  const of = (reason: Reason) => entries.filter((entry) => entry.reason === reason);
  const all = recheck === "all";
  const countRefusals = ({ segment }: Entry) => Number(journal.refused.has(segment.name));
  const others = of("another form")
    .toSorted((a, b) => countRefusals(a) - countRefusals(b))
    .slice(0, all ? segments.length : countLeft(MOST, "another form"));
  const most = all ? segments.length : recheck > 0 && isCatchingUp(segments, facts) ? Math.max(MOST, recheck) : recheck;
  // What a run that failed has received was not there before. Halves of a segment may be this run's.
  const known = of("recheck").filter(({ segment }) => (segment.responses[0]?.run ?? 0) <= (all ? run - 1 : finished));
  const rechecks = sortRechecks(known, latest, facts).slice(0, countLeft(most, "recheck"));
  return [...others, ...of("missing"), ...of("open"), ...of("unconfirmed"), ...rechecks];
}

function findReason(segment: Segment, oldSchemas: ReadonlySet<Segment>, facts: RunFacts): Reason {
  const { query, journal, finished, now, reviseMs } = facts;
  const [newest] = listLayers(segment.responses);
  if (!newest || beginsLate(segment, query) || isFromFuture(newest, now)) return "missing";
  const isOpen = newest.receivedAt < endOfSegment(segment, query) + (newest.run <= finished ? reviseMs : 0);
  if (isOpen) return "open";
  if (oldSchemas.has(segment)) return "another form";
  const firstThatLacks = segment.responses.at(-2);
  const isDue = firstThatLacks && now - firstThatLacks.receivedAt >= CONFIRM_AFTER;
  return isDue && !journal.refused.has(segment.name) ? "unconfirmed" : "recheck";
}

/** True if a clock was wrong when a response came. `now`: milliseconds since 1970 UTC. */
export function isFromFuture({ receivedAt }: Pick<SegmentResponse, "receivedAt">, now: number): boolean {
  return receivedAt > now + HOUR;
}

/** True if the newest response of a segment begins after its start. */
export function beginsLate({ from, responses }: Segment, { window }: SegmentQuery): boolean {
  const start = Math.max(from, window.start);
  return (listLayers(responses)[0]?.window.start ?? start) > start;
}

/** The newest response of the latest segment with values. */
function findLatest<T extends SegmentResponse>(segments: readonly Segment<T>[]): T | undefined {
  const newest = segments.map(({ responses }) => listLayers(responses)[0]);
  return newest.findLast((response) => (response?.facts.values ?? 0) > 0);
}

/**
 * The segments whose responses were received before the service changed their schema. It may also have several schemas, each
 * for a part of time: what one run has received, or the last output has, is accepted.
 */
export function findOldSchemas<T extends SegmentResponse>(
  segments: readonly Segment<T>[],
  journal: Pick<Journal, "last">,
): ReadonlySet<Segment<T>> {
  // Only responses with the same metrics tell whether their units have changed.
  const groups = [
    ...groupBy(segments, ({ batch }) => JSON.stringify(findValues({ parameters: batch }, "metrics"))).values(),
  ];
  const compared = groups.length > 1 ? [...groups, segments] : groups;
  return new Set(compared.flatMap((own) => [...findOldSchemasOf(own, journal)]));
}

function findOldSchemasOf<T extends SegmentResponse>(
  segments: readonly Segment<T>[],
  { last }: Pick<Journal, "last">,
): ReadonlySet<Segment<T>> {
  const finished = last?.run ?? -1;
  const latest = findLatest(segments);
  if (!latest) return new Set();
  const before = findLatest(
    segments.map((segment) => ({ ...segment, responses: segment.responses.filter(({ run }) => run <= finished) })),
  );
  const isOther = (response: SegmentResponse | undefined) =>
    response !== undefined && hasOtherSchema(response.facts.form, latest.facts.form);
  const hasChanged = !before || isOther(before);
  const newestOf = ({ responses }: Segment<T>) => listLayers(responses)[0];
  const runOf = (segment: Segment<T>) => newestOf(segment)?.run ?? 0;
  const others = segments.filter((segment) => isOther(newestOf(segment)));
  const received = others.filter((segment) => runOf(segment) > finished);
  // Whether the latest segment still has its schema is asked for first.
  const isLatestOld = received.some((segment) => runOf(segment) > latest.run);
  const older = (hasChanged ? others : received).filter((segment) => runOf(segment) < latest.run);
  return new Set(isLatestOld ? segments.filter((segment) => newestOf(segment) === latest) : older);
}

/** True if a recheck has found a change, and some segment has not been asked for since. */
export function isCatchingUp(
  segments: readonly Segment[],
  { journal, run, asked }: Pick<RunFacts, "journal" | "run" | "asked">,
): boolean {
  const found = asked.some(({ reason, outcome }) => reason === "recheck" && outcome === "changed")
    ? run
    : journal.found;
  const names = new Set(asked.map(({ name }) => name));
  return segments.some(
    ({ name, responses }) =>
      !names.has(name) && Math.max(journal.checked.get(name) ?? 0, responses[0]?.run ?? 0) < found,
  );
}

function sortRechecks<T extends SegmentResponse>(
  entries: readonly Entry<T>[],
  latest: SegmentResponse | undefined,
  { journal }: RunFacts,
): Entry<T>[] {
  const isOdd = ({ name, responses: [newest] }: Segment) =>
    journal.missingSeries.has(name) ||
    (newest?.facts.fills ?? latest?.facts.fills) !== (latest?.facts.fills ?? newest?.facts.fills);
  const rank = ({ segment }: Entry<T>) => journal.checked.get(segment.name) ?? (isOdd(segment) ? -1 : 0);
  return entries.toSorted(
    (a, b) =>
      rank(a) - rank(b) || (a.segment.responses[0]?.receivedAt ?? 0) - (b.segment.responses[0]?.receivedAt ?? 0),
  );
}
