/** Checks that what came fits the rows that an output keeps of earlier runs. */
import { EntsError, usageError } from "../../../base/errors.ts";
import { INTERVALS } from "../../../base/vocabulary.ts";
import type { GapFacts } from "../../../format/encode.ts";
import { OUTPUT_OPTIONS } from "../../../format/output-options.ts";
import { UPKEEP_FLAGS } from "../../../options/upkeep-options.ts";
import { formatInstant } from "../../../series/series-log.ts";
import type { TimeSeries } from "../../../series/time-series.ts";
import { addBucket, bucketLengths } from "../../../time/buckets.ts";
import { DAY } from "../../../time/local-time.ts";
import type { Again } from "../../package/descriptor.ts";
import { findFirst } from "../../package/kept.ts";
import { otherBuckets } from "../bad-night.ts";
import { FEW_REQUESTS, NeedsMore, NeedsConsent } from "../needs-more.ts";
import { planAgain } from "./again.ts";
import { GapWatch, type KeptRows, type Told } from "./gap-watch.ts";
import { RowWatch } from "./row-watch.ts";

export interface Settled {
  /** A warning; undefined for none. */
  readonly told: Told | undefined;
  /** What the description notes for later runs. */
  readonly again: Again | undefined;
}

export class KeptWatch {
  readonly #name: string;
  readonly #kept: KeptRows;
  readonly #gaps: GapWatch;
  readonly #rows: RowWatch;

  /** `name`: of the output. */
  constructor(name: string, kept: KeptRows) {
    this.#name = name;
    // Where no row is kept, there is nothing to compare with.
    const keepsRows = kept.descriptor.series.some(({ first }) => first < kept.from);
    this.#kept = keepsRows ? kept : { ...kept, from: Number.NEGATIVE_INFINITY };
    this.#gaps = new GapWatch(this.#kept);
    this.#rows = new RowWatch(this.#kept);
  }

  add(timeSeries: readonly TimeSeries[]): void {
    this.#gaps.add(timeSeries);
    this.#rows.add(timeSeries);
  }

  /**
   * Call it when all has come. Returns a warning about rows that stay as they are, and what a later run is to fetch again.
   * `withdrawnSince`: the first instant of the values that the output had and no longer has.
   * @throws {NeedsMore} more is to be fetched again; {EntsError} usage: that cannot be had, and the rows that came cannot go with the others.
   */
  settle(facts: Partial<GapFacts> | undefined, withdrawnSince: number | undefined): Settled {
    const { descriptor, more, from, interval } = this.#kept;
    const { denied } = more;
    const { again: asked } = descriptor;
    if (this.#rows.closest !== undefined && interval !== undefined) throw otherBuckets(this.#name, { apart: this.#rows.closest, interval });
    // First: rows that do not fit need all to be fetched again, not only what an earlier run has noted.
    this.#checkRows();
    if (asked && asked.since < from && !denied) {
      // It was few requests when it was noted, and may be more now; all of an output is fetched at any cost.
      const maxRequests = Number.isFinite(asked.since) ? 2 * FEW_REQUESTS : Number.POSITIVE_INFINITY;
      const why = asked.withdrawn ? "withdrawn values may be back" : "an earlier update was incomplete";
      throw new NeedsMore(why, this.#sinceOf(asked), { maxRequests, finding: asked.withdrawn ? "new" : "noted" });
    }
    this.#checkBeginning(withdrawnSince);
    const all = [this.#gaps.settle(facts), this.#describeDenied(facts)].filter((one) => one !== undefined);
    const since = Math.min(...all.map((one) => one.since));
    const earliest = all.find((one) => one.since === since);
    const again = planAgain(asked, {
      denied,
      returnedSince: this.#gaps.returnedSince,
      unlikeSince: since,
      // Not after all was fetched again: it is as the service has it now, perhaps in other buckets.
      withdrawnSince: more.since === Number.NEGATIVE_INFINITY ? undefined : withdrawnSince,
    });
    return { told: earliest && this.#adviseOn(earliest, again), again };
  }

  #adviseOn({ text, since }: Told, again: Again | undefined): Told {
    if (again && again.since <= since) return { text: `${text}; the next run tries again`, since };
    // The service would refuse a run by hand as well.
    return { text: this.#isRefused ? text : `${text}; to fix them, run the command once with ${this.#reviseFrom(since)}`, since };
  }

  get #isRefused(): boolean {
    const { denied } = this.#kept.more;
    return denied !== undefined && !denied.needsConsent && !denied.error;
  }

  #describeDenied(facts: Partial<GapFacts> = {}): Told | undefined {
    const { descriptor, more, from } = this.#kept;
    const { denied } = more;
    if (!denied || denied.since >= from) return undefined;
    if (denied.needsConsent && !descriptor.again?.withdrawn && this.#gaps.isLook(facts)) return undefined;
    const since = Math.max(denied.since, findFirst(descriptor.series));
    return { text: `rows from ${formatInstant(since)} on may be out of date, because ${denied.why}`, since };
  }

  /** Keeps rows from before the time to which the service goes back by now. */
  #checkBeginning(withdrawnSince: number | undefined): void {
    const { more, descriptor } = this.#kept;
    const { again } = descriptor;
    if (more.since === undefined) return;
    const isAgain = again?.withdrawn && more.since === this.#sinceOf(again);
    // Withdrawn values are gone from the output already: only what else goes counts. ents may have filled their place with nulls,
    // so the service's data begin with the first value.
    const [first, start] = isAgain
      ? [withdrawnSince, this.#gaps.firstValue]
      : [Math.max(more.since, findFirst(descriptor.series)), this.#gaps.start];
    if (first === undefined || !Number.isFinite(start) || start < first + this.#longest) return;
    throw new NeedsConsent(
      `fetching the rows again would remove those from ${formatInstant(first)} on, because the service only has data from ${formatInstant(start)} on`,
    );
  }

  /** One bucket later, as each is fetched with the one before: the service may have nothing before the withdrawn values. */
  #sinceOf({ since, withdrawn }: Again): number {
    const { interval, descriptor } = this.#kept;
    const { offset = 0 } = descriptor;
    return withdrawn && interval !== undefined ? addBucket(INTERVALS[interval].bucket, since + offset) - offset : since;
  }

  /** The longest bucket of the interval, in milliseconds. */
  get #longest(): number {
    const { interval } = this.#kept;
    return interval === undefined ? DAY : bucketLengths(INTERVALS[interval].bucket).longest;
  }

  #checkRows(): void {
    const { descriptor, more, isDescribed } = this.#kept;
    const { denied } = more;
    const { problem } = this.#rows;
    if (problem === undefined) return;
    // Nothing to note: the next run finds the same rows.
    if (denied?.error) throw this.#explainFailed(denied.error, problem);
    if (!denied && isDescribed) throw new NeedsMore(problem, Number.NEGATIVE_INFINITY, { finding: "incompatible" });
    const other = `use another file with ${OUTPUT_OPTIONS.output.short}`;
    const all = `to fetch all of it again, run the command once with ${this.#reviseFrom(findFirst(descriptor.series))}; or ${other}`;
    throw usageError(`cannot update ${this.#name}: ${problem}${denied ? `, and ${denied.why}` : ""}`, this.#isRefused ? other : all);
  }

  #explainFailed(error: EntsError, problem: string): EntsError {
    const hint = `${problem}, so all of ${this.#name} must be fetched again; run the command again later, or use another file with ${OUTPUT_OPTIONS.output.short}`;
    return new EntsError(error.kind, error.message, { hint, cause: error });
  }

  #reviseFrom(since: number): string {
    return `${UPKEEP_FLAGS.revise} ${Math.ceil((this.#gaps.end - since) / DAY) + SPARE_DAYS}d`;
  }
}

/** So that the command in a message still works some days later. */
const SPARE_DAYS = 7;
