/** Gaps that begin in the kept rows and end in the new ones: a service that fills gaps has nulls in both parts. */
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
  /** Whether the descriptor is from a description, rather than read from the rows. */
  readonly isDescribed: boolean;
  /** Rows from this instant on are replaced. */
  readonly from: number;
  readonly interval: Interval | undefined;
  readonly more: More;
}

interface Unlike {
  readonly what: string;
  /** The instant before the first rows that a new export would have otherwise; -Infinity: all may differ. */
  readonly since: number;
}

/** A warning about rows that stay, though a new export might have others. */
export interface Told {
  readonly text: string;
  readonly since: number;
}

/** Whether the service did not fill gaps, and no answer shows that it now does. */
function isSparse({ fills, shown }: Partial<GapFacts>): boolean {
  return fills === false && shown === undefined;
}

/** Infinity where all values are null. */
function findFirstValue({ instants, values }: Points): number {
  return instants[values.findIndex((value) => value !== null)] ?? Number.POSITIVE_INFINITY;
}

/** Maximum requests to look into a gap of a service that does not fill gaps. */
const A_LOOK = 10;

export class GapWatch {
  readonly #kept: KeptRows;
  readonly #lasts: Map<string, LoggedSeries>;
  #first: Unlike | undefined;
  /** The same, among series whose points an earlier update has removed. */
  #withdrawn: Unlike | undefined;
  /** The first and the last instant that came. */
  start = Number.POSITIVE_INFINITY;
  end = Number.NEGATIVE_INFINITY;
  /** The first instant that came with a value. */
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
   * Call it when all has come. Returns a warning about gaps that stay as they are, and where they begin; undefined for none.
   * @throws {NeedsMore} the rows around them are to be fetched again.
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

  /** The instant before the first gap of a series that is back. */
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
    // Go on where no answer shows anything: the service may have begun to fill gaps, with the first nulls in this one.
    if (shown === false) return undefined;
    const unfilled = fills && fillsGaps === undefined ? unfilledSince : undefined;
    if (unfilled === undefined || (this.#first && this.#first.since <= unfilled)) return this.#first;
    return { what: "the service fills gaps, as it has shown now", since: unfilled };
  }
}
