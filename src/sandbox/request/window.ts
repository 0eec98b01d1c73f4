import { DAY, type LocalTime } from "../../time/local-time.ts";
import { INTERVALS } from "../../base/vocabulary.ts";
import { localOfStep, type StepRange, STEP_MS, stepOfInstant, stepOfLocal } from "../model/clock.ts";
import type { DataRequest } from "./request.ts";

/** The intervals are those whose timestamps are in [start, end]; where there are none, `last` is before `first`. */
export interface StepWindow extends StepRange {
  readonly start: LocalTime;
  readonly end: LocalTime;
}

/** Both ends inclusive (v4.md). The current interval is provisional: left out without `date_end`. */
export function resolveSteps({ network, interval, dateStart, dateEnd }: DataRequest, now: number): StepWindow {
  const end = dateEnd ?? localOfStep(stepOfInstant(now, network) - 1);
  // Half of what anybody may ask for, whatever the plan; not rounded to a bucket.
  const start = dateStart ?? end - (INTERVALS[interval].maxDays.community / 2) * DAY;
  return { start, end, first: stepOfLocal(start + STEP_MS - 1), last: stepOfLocal(end) };
}
