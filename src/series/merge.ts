/** Merges windows in order of time into chunks that later windows cannot change. */
import type { EntsError } from "../base/errors.ts";
import type { Pause } from "../base/steps.ts";
import { formatCount } from "../base/phrases.ts";
import { FETCH_FLAGS } from "../options/fetch-options.ts";
import {
  type DecodedResponse,
  type DecodedHead,
  headOf,
  isKnown,
  isUnknown,
  type KnownResponse,
  type UnknownResponse,
} from "./decoded-response.ts";
import { joinTimeSeries, shareDateRange } from "./join.ts";
import type { GapEvidence } from "./gap-evidence.ts";
import { Gaps, type OpenGap, type ReadySpan } from "./gaps.ts";
import { keySeries, nameSeries, type TimeSeries } from "./time-series.ts";
import { countPoints, findFirstInstant, findLastInstant, mergeOverlap, splitTimeSeries } from "./overlap.ts";
import { DAY } from "../time/local-time.ts";
import { shortenText } from "../base/shown-text.ts";
import { parseNumber, timestampAt } from "./point-operations.ts";
import type { Body } from "./body.ts";
import { type UnitWatch, warnOfUnits } from "./unit-watch.ts";
import type { AnalysisResult } from "./analyses/result.ts";
import { ScannedPoints } from "./points.ts";

/** Merged series of a period, with the other contents of its responses. */
export interface Chunk {
  readonly heads: readonly DecodedHead[];
  readonly timeSeries: readonly TimeSeries[];
  /** What the series are computed from; undefined if they are what came. */
  readonly parts?: readonly TimeSeries[];
  readonly unknown?: UnknownResponse;
  readonly incomplete?: EntsError;
  /** What an analysis adds for what is read by people, or prints in place of the series. */
  readonly analysis?: AnalysisResult;
}

export interface MergeOptions {
  readonly gaps?: Gaps;
  /**
   * True to free bodies whose points were yielded: the points of a chunk must not be read once the next chunk is
   * requested.
   */
  readonly releaseBodies?: boolean | undefined;
  /**
   * Fetches one extra response, across a gap at a split, to learn whether the service fills gaps; undefined if that is
   * not possible.
   */
  readonly fetchAcrossGap?: FetchAcrossGap | undefined;
  /** Called with each TimeSeries; by default, warns if a unit changes between these windows. */
  readonly watchUnit?: UnitWatch | undefined;
  readonly pause?: Pause;
}

/** `path`: of a request whose response has the series. */
export type FetchAcrossGap = (gap: OpenGap & { readonly path: string }) => Promise<readonly TimeSeries[] | undefined>;

/** Merges windows, as `mergeInOrder`, and warns in the end if some values are not numbers. */
export async function* mergeWindows(
  ...[windows, warn, options]: Parameters<typeof mergeInOrder>
): AsyncGenerator<Chunk> {
  let count = 0;
  let example: string | undefined;
  for await (const chunk of mergeInOrder(windows, warn, options)) {
    for (const text of listTexts(chunk.timeSeries)) [count, example] = [count + 1, example ?? text];
    yield chunk;
  }
  if (example !== undefined)
    warn(
      `${formatCount(count, "value")} ${count === 1 ? "is text" : "are text"} instead of a number, such as ${shortenText(example)}`,
    );
}

/** Values that the service has sent as text, as JSON. Scanned points have none. */
function* listTexts(timeSeries: readonly TimeSeries[]): Generator<string> {
  for (const { points } of timeSeries.flatMap(({ series }) => series))
    if (!(points instanceof ScannedPoints))
      for (const value of points.values) if (value !== null && parseNumber(value) === undefined) yield value;
}

/**
 * Merges windows, each given as its responses (one per batch of codes), and yields chunks. Every instant of a chunk is
 * before those of the next, except for nulls yielded at the end to a job that collects its result. Holds two windows in
 * memory.
 */
async function* mergeInOrder(
  windows: AsyncIterable<readonly DecodedResponse[]>,
  warn: (text: string) => void,
  {
    gaps = new Gaps(),
    releaseBodies = false,
    fetchAcrossGap,
    watchUnit = warnOfUnits(warn),
    pause = () => undefined,
  }: MergeOptions = {},
): AsyncGenerator<Chunk> {
  gaps.start();
  const bodies = new BodyReleaser();
  let pending: readonly TimeSeries[] = [];
  let settledUntil = Number.NEGATIVE_INFINITY;
  for await (const responses of windows) {
    const heads = responses.map((decoded) => headOf(decoded, settledUntil));
    const unknown = responses.find(isUnknown);
    if (unknown) {
      yield { heads, timeSeries: [], unknown };
      continue;
    }
    const known = responses.filter(isKnown);
    for (const { warnings = [] } of known) for (const warning of warnings) warn(warning);
    for (const decoded of known) gaps.evidence.observe(decoded);
    const window = joinTimeSeries(known.map(({ timeSeries }) => timeSeries));
    window.forEach(watchUnit);
    await pause();
    const incomplete = known.find((decoded) => decoded.incomplete)?.incomplete;
    if (incomplete) yield { heads: [], timeSeries: [], incomplete };
    const [tooEarly, later] = splitTimeSeries(window, settledUntil);
    const leftOut = describeLatePoints(tooEarly);
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
    for (const disagreement of disagreements) warn(disagreement);
    await pause();
    pending = countPoints(carried) === 0 ? later : joinTimeSeries([carried, later]);
    if (fetchAcrossGap) await askAcrossGaps(gaps.evidence, gaps.listOpen(settled, pending), { known, fetchAcrossGap });
    yield* fillGaps(gaps, { heads, timeSeries: settled }, { upcoming: pending, from: settledUntil, until: first });
    if (releaseBodies) bodies.freeAllBut(pending);
    settledUntil = first;
  }
  await pause();
  yield {
    heads: [],
    timeSeries: gaps.fill(pending, { upcoming: [], from: settledUntil, until: Number.POSITIVE_INFINITY }),
  };
  const late = gaps.listLateNulls();
  if (late.length > 0) yield { heads: [], timeSeries: late };
}

/** `known`: the responses for a window, one per batch of codes. */
async function askAcrossGaps(
  evidence: GapEvidence,
  open: Iterable<OpenGap>,
  { known, fetchAcrossGap }: { known: KnownResponse[]; fetchAcrossGap: FetchAcrossGap },
) {
  for (const gap of open) {
    const { path } = known.find(({ timeSeries }) => keySeries(timeSeries).has(gap.key)) ?? known[0] ?? {};
    const shown = path === undefined ? undefined : await fetchAcrossGap({ ...gap, path });
    if (shown) return evidence.observe({ timeSeries: shown });
  }
}

/** A gap in all series is filled in steps of this length, in milliseconds: a window at the finest interval. */
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

/** Counts points, or items of an unknown shape. */
export function countItems({ unknown, timeSeries }: Chunk): number {
  return unknown?.data.length ?? countPoints(timeSeries);
}

/** Joins all chunks. @throws {EntsError} refused: one of several responses has an unknown shape. */
export async function joinChunks(chunks: AsyncIterable<Chunk>): Promise<Chunk> {
  const heads: DecodedHead[] = [];
  const parts: (readonly TimeSeries[])[] = [];
  let unknown: UnknownResponse | undefined;
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
  return {
    heads,
    timeSeries: heads.length > 1 ? shareDateRange(joined) : joined,
    ...(unknown ? { unknown } : {}),
    ...(incomplete ? { incomplete } : {}),
  };
}

/** The chunks as a single one. */
export async function* yieldJoined(chunks: AsyncIterable<Chunk>): AsyncGenerator<Chunk> {
  yield await joinChunks(chunks);
}

/** Message about points of a period that was already yielded; undefined if there are none. */
function describeLatePoints(timeSeries: readonly TimeSeries[]): string | undefined {
  const first = findFirstInstant(timeSeries);
  const [series] = timeSeries.flatMap((item) => item.series).filter(({ points }) => points.instants[0] === first);
  if (!series) return undefined;
  return (
    `left out ${formatCount(countPoints(timeSeries), "point")} (first: ${nameSeries(series)} at ${timestampAt(series.points, 0)}), which came with a ` +
    `later window, after the rows of that time were written; use ${FETCH_FLAGS.maxWindow} none to fetch all in one request`
  );
}

/** Frees bodies whose points were all yielded; the last ones are never freed explicitly. */
export class BodyReleaser {
  #held: ReadonlySet<Body> = new Set();

  freeAllBut(pending: readonly TimeSeries[]): void {
    const used = new Set(listBodies(pending));
    for (const body of this.#held) if (!used.has(body)) body.free();
    this.#held = used;
  }
}

/** Frees the bodies of points that are not needed any more. */
export function freeBodies(timeSeries: readonly TimeSeries[]): void {
  for (const body of new Set(listBodies(timeSeries))) body.free();
}

function listBodies(timeSeries: readonly TimeSeries[]): Body[] {
  return timeSeries.flatMap(({ series }) =>
    series.flatMap(({ points }) => (points instanceof ScannedPoints ? [points.columns.body] : [])),
  );
}
