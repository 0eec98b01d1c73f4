/** Whether a service fills gaps with nulls, as far as an answer shows it. */
import type { Interval } from "../../base/vocabulary.ts";
import { hasInnerNull } from "../point-operations.ts";
import type { Instants } from "../points.ts";
import type { TimeSeries } from "../time-series.ts";
import { type BucketStepper, createStepper } from "./stepper.ts";

/** What is inside the series of an answer. */
export interface Inside {
  /** Buckets that are missing: the service does not fill gaps. */
  readonly hasMissingBucket: boolean;
  /** Buckets with a null: if none is missing, the service fills gaps, or sends nulls as data. */
  readonly hasNull: boolean;
}

export function lookInside(timeSeries: readonly TimeSeries[], asked: Interval | undefined): Inside {
  let [hasMissingBucket, hasNull] = [false, false];
  let checked: Instants | undefined;
  for (const item of timeSeries) {
    const step = createStepper(item, asked);
    if (!step) return { hasMissingBucket, hasNull: false };
    for (const { points } of item.series) {
      // Most series of an answer share their instants.
      hasMissingBucket ||= points.instants !== checked && missesBucket(points.instants, step);
      checked = points.instants;
      hasNull ||= hasInnerNull(points);
    }
  }
  return { hasMissingBucket, hasNull };
}

function missesBucket(instants: Instants, step: BucketStepper): boolean {
  for (let index = 1; index < instants.length; index++) {
    if ((instants[index] as number) > step.next(instants[index - 1] as number)) return true;
  }
  return false;
}
