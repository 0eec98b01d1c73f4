/** Gaps of what is kept, and those of what came: a service that fills gaps has nulls in both. */
import type { Interval } from "../../../base/vocabulary.ts";
import type { GapFacts } from "../../../format/encode.ts";
import { createStep } from "../../../series/gap-evidence.ts";
import { keySeries } from "../../../series/keyed.ts";
import { formatInstant, keyLogged, type LoggedSeries } from "../../../series/series-log.ts";
import type { Points } from "../../../series/points.ts";
import { nameSeries, type TimeSeries } from "../../../series/time-series.ts";
import type { Descriptor } from "../../package/descriptor.ts";
import { findFirst } from "../../package/kept.ts";
import type { More } from "../interface.ts";
import { NeedsMore } from "../needs-more.ts";

export interface KeptRows {
  readonly descriptor: Pick<Descriptor, "series" | "fillsGaps" | "unfilledSince" | "again" | "offset" | "stampSuffix">;
  /** Whether an earlier run has told of it what the descriptor says. */
  readonly isDescribed: boolean;
  /** Rows from this instant on are replaced. */
  readonly from: number;
  readonly interval: Interval | undefined;
  readonly more: More;
}

interface Unlike {
  readonly what: string;
  /** The instant before the first rows that are not as they would be now; -Infinity: all may be. */
  readonly since: number;
}

/** Of rows that stay as they are, though they may not be as they would be now. */
export interface Told {
  readonly text: string;
  readonly since: number;
}

/** Whether the service has not filled gaps, and nothing shows that it does by now. */
function isSparse({ fills, shown }: Partial<GapFacts>): boolean {
  return fills === false && shown === undefined;
}

/** Infinity for nulls alone. */
function findFirstValue({ instants, values }: Points): number {
  return instants[values.findIndex((value) => value !== null)] ?? Number.POSITIVE_INFINITY;
}

/** Requests that a look at a gap may take, of a service that has not filled gaps. */
const A_LOOK = 10;

export class GapWatch {
  readonly #kept: KeptRows;
  readonly #lasts: Map<string, LoggedSeries>;
  #first: Unlike | undefined;
  /** Of those whose points an earlier update has taken away. */
  #withdrawn: Unlike | undefined;
  /** The first and the last instant of all. */
  start = Number.POSITIVE_INFINITY;
  end = Number.NEGATIVE_INFINITY;
  /** The first instant of a value. */
  firstValue = Number.POSITIVE_INFINITY;

  constructor(kept: KeptRows) {
    this.#kept = kept;
    this.#lasts = keyLogged(kept.descriptor.series);
  }

  add(timeSeries: readonly TimeSeries[]): void {
    const { from, interval } = this.#kept;
    for (const [key, { item, series }] of keySeries(timeSeries)) {
      const { instants } = series.points;
      const [start, end] = [instants[0], instants.at(-1)];
      if (start === undefined || end === undefined) continue;
      this.start = Math.min(this.start, start);
      this.end = Math.max(this.end, end);
      if (start < this.firstValue) this.firstValue = Math.min(this.firstValue, findFirstValue(series.points));
      const { last: since = from, withdrawn } = this.#lasts.get(key) ?? {};
      this.#lasts.delete(key);
      if (since >= from || (createStep(item, interval)?.next(since) ?? from) >= from) continue;
      const found = { what: `${nameSeries(series)} is back after a gap`, since };
      if (since < (this.#first?.since ?? from)) this.#first = found;
      if (withdrawn && since < (this.#withdrawn?.since ?? from)) this.#withdrawn = found;
    }
  }

  /**
   * With all that came: what is to be told of gaps that stay as they are, and before which instant they begin; undefined for none.
   * @throws {NeedsMore} what they are in is to be fetched again.
   */
  settle(gaps: Partial<GapFacts> = {}): Told | undefined {
    const { descriptor, from, more } = this.#kept;
    const { denied } = more;
    const { what, since } = this.#findUnlike(gaps) ?? {};
    if (what === undefined || since === undefined || since >= from) return undefined;
    const isLook = this.isLook(gaps);
    if (isLook && (denied || more.since !== undefined)) return undefined;
    if (!denied) throw new NeedsMore(what, since, isLook ? { maxRequests: A_LOOK } : {});
    const start = Math.max(since, findFirst(descriptor.series));
    const missing = gaps.fills || this.#withdrawn ? "are missing" : "may be missing";
    const stay = gaps.shown === false ? "that the service no longer sends are kept" : missing;
    return {
      text: `${what}: rows${this.#withdrawn ? "" : " without a value"} ${stay} from ${formatInstant(start)} on, because ${denied.why}`,
      since: start,
    };
  }

  /** Before the first gap of a series that is back. */
  get returnedSince(): number | undefined {
    return this.#first?.since;
  }

  /** Whether a look is enough (`A_LOOK` requests): the service does not fill gaps, and nothing that is back was taken away. */
  isLook(gaps: Partial<GapFacts> = {}): boolean {
    return isSparse(gaps) && !this.#withdrawn;
  }

  #findUnlike({ fills, shown }: Partial<GapFacts>): Unlike | undefined {
    const { descriptor, isDescribed } = this.#kept;
    const { fillsGaps, unfilledSince } = descriptor;
    if (isSparse({ fills, shown }) && this.#withdrawn) return this.#withdrawn;
    if (isDescribed && fillsGaps === true && shown === false)
      return { what: "the service does not fill gaps any more", since: Number.NEGATIVE_INFINITY };
    if (isDescribed && fillsGaps === false && shown === true)
      return { what: "the service fills gaps now, which it did not", since: Number.NEGATIVE_INFINITY };
    // Nulls that are not shown by now may be in the gap of a service that has begun to fill them.
    if (shown === false) return undefined;
    const unfilled = fills && fillsGaps === undefined ? unfilledSince : undefined;
    if (unfilled === undefined || (this.#first && this.#first.since <= unfilled)) return this.#first;
    return { what: "the service fills gaps, as it has shown now", since: unfilled };
  }
}
