/** Merges windows in order of time into chunks that later windows cannot change. */
import type { EntsError } from "../base/errors.ts";
import type { Pause } from "../base/steps.ts";
import { formatCount } from "../base/phrases.ts";
import { FETCH_FLAGS } from "../options/fetch-options.ts";
import { type Answer, type AnswerHead, headOf, isKnown, isUnknown, type KnownAnswer, type UnknownAnswer } from "./answer.ts";
import { joinTimeSeries, shareDateRange } from "./join.ts";
import { Gaps, type OpenGap, type ReadySpan } from "./gaps.ts";
import { HeldBodies } from "./held-bodies.ts";
import { keySeries } from "./keyed.ts";
import { countPoints, type Disagreement, findFirstInstant, findLastInstant, mergeOverlap, splitTimeSeries } from "./overlap.ts";
import { DAY } from "../time/local-time.ts";
import { stampAt } from "./point-operations.ts";
import { nameSeries, type TimeSeries } from "./time-series.ts";

/** Merged series of a period, and what else the answers for it contain. */
export interface Chunk {
  readonly heads: readonly AnswerHead[];
  readonly timeSeries: readonly TimeSeries[];
  /** An answer whose series have an unknown shape. */
  readonly unknown?: UnknownAnswer;
  /** Why rows are missing. */
  readonly incomplete?: EntsError;
}

export interface MergeOptions {
  /** What the answers show of gaps. */
  readonly gaps?: Gaps;
  /** Frees the memory of answers whose points were handed on: those of a chunk must not be read once the next one is requested. */
  readonly releaseBodies?: boolean | undefined;
  /** Asks for one more answer, across a gap that meets a cut, to learn whether the service fills gaps; undefined where that cannot be. */
  readonly lookAcross?: LookAcross | undefined;
  /** Told of each TimeSeries; by default it warns of units that change between these windows. */
  readonly watchUnit?: UnitWatch | undefined;
  /** Called between two steps of the work. */
  readonly pause?: Pause;
}

/** `path`: of the request of an answer that has the series. */
export type LookAcross = (gap: OpenGap & { readonly path: string }) => Promise<readonly TimeSeries[] | undefined>;

export type UnitWatch = (item: TimeSeries) => void;

/**
 * Merges windows, each as its answers (one per batch of codes), and yields chunks: every instant of one is before every
 * instant of the next, but for the nulls that a job that collects gets at the end. Holds two windows in memory.
 */
export async function* mergeWindows(
  windows: AsyncIterable<readonly Answer[]>,
  warn: (text: string) => void,
  { gaps = new Gaps(), releaseBodies = false, lookAcross, watchUnit = createUnitWatch(warn), pause = () => undefined }: MergeOptions = {},
): AsyncGenerator<Chunk> {
  gaps.start();
  const bodies = new HeldBodies();
  let pending: readonly TimeSeries[] = [];
  let settledUntil = Number.NEGATIVE_INFINITY;
  for await (const answers of windows) {
    const heads = answers.map((answer) => headOf(answer, settledUntil));
    const unknown = answers.find(isUnknown);
    if (unknown) {
      yield { heads, timeSeries: [], unknown };
      continue;
    }
    const known = answers.filter(isKnown);
    for (const { warnings = [] } of known) for (const warning of warnings) warn(warning);
    for (const answer of known) gaps.observe(answer);
    const window = joinTimeSeries(known.map(({ timeSeries }) => timeSeries));
    window.forEach(watchUnit);
    await pause();
    const incomplete = known.find((answer) => answer.incomplete)?.incomplete;
    if (incomplete) yield { heads: [], timeSeries: [], incomplete };
    const [tooEarly, later] = splitTimeSeries(window, settledUntil);
    const leftOut = describeLeftOut(tooEarly);
    if (leftOut !== undefined) warn(leftOut);
    const first = findFirstInstant(later);
    await pause();
    if (!Number.isFinite(first)) {
      // No points: the next window may still change the pending ones.
      pending = joinTimeSeries([pending, later]);
      yield { heads, timeSeries: [] };
      continue;
    }
    const { settled, carried, disagreements } = mergeOverlap(pending, later);
    for (const disagreement of disagreements) warn(describe(disagreement));
    await pause();
    pending = countPoints(carried) === 0 ? later : joinTimeSeries([carried, later]);
    if (lookAcross) await decideGaps(gaps.listOpen(settled, pending), { gaps, known, lookAcross });
    yield* fillGaps(gaps, { heads, timeSeries: settled }, { upcoming: pending, from: settledUntil, until: first });
    if (releaseBodies) bodies.freeAllBut(pending);
    settledUntil = first;
  }
  await pause();
  yield { heads: [], timeSeries: gaps.fill(pending, { upcoming: [], from: settledUntil, until: Number.POSITIVE_INFINITY }) };
  const late = gaps.listLateNulls();
  if (late.length > 0) yield { heads: [], timeSeries: late };
}

interface Undecided {
  readonly gaps: Gaps;
  /** The answers of a window, one per batch of codes. */
  readonly known: readonly KnownAnswer[];
  readonly lookAcross: LookAcross;
}

async function decideGaps(open: Iterable<OpenGap>, { gaps, known, lookAcross }: Undecided): Promise<void> {
  for (const gap of open) {
    const { path } = known.find(({ timeSeries }) => keySeries(timeSeries).has(gap.key)) ?? known[0] ?? {};
    const shown = path === undefined ? undefined : await lookAcross({ ...gap, path });
    if (shown) return gaps.observe({ timeSeries: shown });
  }
}

/** How much of a gap of all series is filled at once, in milliseconds: a window's length of the finest interval. */
const SLICE = 8 * DAY;

function* fillGaps(gaps: Gaps, { heads, timeSeries }: Chunk, span: ReadySpan): Generator<Chunk> {
  const last = Math.max(span.from, findLastInstant(timeSeries));
  const until = Number.isFinite(last) ? Math.min(span.until, last + gaps.longest) : span.until;
  let from = Number.isFinite(last) ? Math.min(last + SLICE, until) : until;
  yield { heads, timeSeries: gaps.fill(timeSeries, { ...span, until: from }) };
  for (; from < until; from += SLICE) {
    yield { heads: [], timeSeries: gaps.fill([], { ...span, from, until: Math.min(from + SLICE, until) }) };
  }
}

/** Joins all chunks. @throws {EntsError} refused: one of several answers has an unknown shape. */
export async function joinChunks(chunks: AsyncIterable<Chunk>): Promise<Chunk> {
  const heads: AnswerHead[] = [];
  const parts: (readonly TimeSeries[])[] = [];
  let unknown: UnknownAnswer | undefined;
  let incomplete: EntsError | undefined;
  for await (const chunk of chunks) {
    for (const head of chunk.heads) heads.push(head);
    parts.push(chunk.timeSeries);
    unknown ??= chunk.unknown;
    incomplete ??= chunk.incomplete;
    // Raw data cannot be joined.
    if (unknown && heads.length > 1) throw unknown.problem;
  }
  const joined = joinTimeSeries(parts);
  const timeSeries = heads.some(({ hasOwnDateRange = true }) => hasOwnDateRange) ? joined : shareDateRange(joined);
  return { heads, timeSeries, ...(unknown ? { unknown } : {}), ...(incomplete ? { incomplete } : {}) };
}

/** Tells once of each metric whose unit changes; its rows keep the unit that they came with. */
export function createUnitWatch(warn: (text: string) => void): UnitWatch {
  const units = new Map<string, string | undefined>();
  return ({ network, metric, unit, series }) => {
    if (series.length === 0) return;
    const key = JSON.stringify([network, metric]);
    if (!units.has(key)) units.set(key, unit);
    const first = units.get(key);
    if (first === undefined || first === unit) return;
    units.set(key, undefined);
    warn(`the unit of ${metric} changes (${first}, then ${unit}); each row keeps its own`);
  };
}

/** Points of times that were handed on already; undefined for none. */
function describeLeftOut(timeSeries: readonly TimeSeries[]): string | undefined {
  const first = findFirstInstant(timeSeries);
  const [series] = timeSeries.flatMap((item) => item.series).filter(({ points }) => points.instants[0] === first);
  if (!series) return undefined;
  return (
    `left out ${formatCount(countPoints(timeSeries), "point")} (first: ${nameSeries(series)} at ${stampAt(series.points, 0)}): the answer to a ` +
    `later window has them, and the rows of that time are written; use ${FETCH_FLAGS.maxWindow} none to fetch all in one request`
  );
}

function describe({ series, stamp, earlier, later }: Disagreement): string {
  return `two answers disagree on ${series} at ${stamp}: ${earlier} in the earlier, ${later} in the later; using the later`;
}
