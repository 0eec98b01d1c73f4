/** Holds what came against what an output keeps of an earlier run. */
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
  /** Undefined for nothing. */
  readonly told: Told | undefined;
  /** For the description. */
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
    // Where no row stays, what came need not go with any.
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
   * With all that came: what is to be told of rows that stay as they are, and whether a later run is to fetch them again.
   * `withdrawnSince`: the first instant of what the output had, and has no more.
   * @throws {NeedsMore} more is to be fetched again; {EntsError} usage: that cannot be had, and the rows that came cannot go with the others.
   */
  settle(facts: Partial<GapFacts> | undefined, withdrawnSince: number | undefined): Settled {
    const { descriptor, more, from, interval } = this.#kept;
    const { denied } = more;
    const { again: asked } = descriptor;
    if (this.#rows.closest !== undefined && interval !== undefined) throw otherBuckets(this.#name, { apart: this.#rows.closest, interval });
    // First: what an earlier run has left to fetch is of before.
    this.#checkRows();
    if (asked && asked.since < from && !denied) {
      // It took few requests then, or must be had at any cost, and may have grown.
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
      // All is as the service has it now, perhaps in other buckets.
      withdrawnSince: more.since === Number.NEGATIVE_INFINITY ? undefined : withdrawnSince,
    });
    return { told: earliest && this.#adviseOn(earliest, again), again };
  }

  #adviseOn({ text, since }: Told, again: Again | undefined): Told {
    if (again && again.since <= since) return { text: `${text}; the next run tries again`, since };
    // What the service refuses, it refuses a person too.
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

  /** A service that does not go back so far any more is not to take away what is kept of that time. */
  #checkBeginning(withdrawnSince: number | undefined): void {
    const { more, descriptor } = this.#kept;
    const { again } = descriptor;
    if (more.since === undefined) return;
    const isAgain = again?.withdrawn && more.since === this.#sinceOf(again);
    // What was withdrawn is not there to be taken away; ents fills its place with nulls where the service does.
    const [first, start] = isAgain
      ? [withdrawnSince, this.#gaps.firstValue]
      : [Math.max(more.since, findFirst(descriptor.series)), this.#gaps.start];
    if (first === undefined || !Number.isFinite(start) || start < first + this.#longest) return;
    throw new NeedsConsent(
      `fetching the rows again would remove those from ${formatInstant(first)} on, because the service only has data from ${formatInstant(start)} on`,
    );
  }

  /** Where a bucket is fetched with the one before it, so that nothing before what was withdrawn is: it may be gone by now. */
  #sinceOf({ since, withdrawn }: Again): number {
    const { interval, descriptor } = this.#kept;
    const { offset = 0 } = descriptor;
    return withdrawn && interval !== undefined ? addBucket(INTERVALS[interval].bucket, since + offset) - offset : since;
  }

  /** Of its buckets, in milliseconds. */
  get #longest(): number {
    const { interval } = this.#kept;
    return interval === undefined ? DAY : bucketLengths(INTERVALS[interval].bucket).longest;
  }

  #checkRows(): void {
    const { descriptor, more, isDescribed } = this.#kept;
    const { denied } = more;
    const { problem } = this.#rows;
    if (problem === undefined) return;
    // The next run meets the same rows.
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

/** The command need not be run the next day. */
const SPARE_DAYS = 7;
