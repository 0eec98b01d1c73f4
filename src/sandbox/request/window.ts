import { bucketStart } from "../../time/buckets.ts";
import { DAY, type LocalTime } from "../../time/local-time.ts";
import { type Interval, NETWORKS } from "../../base/vocabulary.ts";
import { localOfStep, type Step, STEP_MS, stepOfInstant, stepOfLocal } from "../model/clock.ts";
import type { DataRequest } from "./request.ts";

export interface Window {
  readonly start: LocalTime;
  readonly end: LocalTime;
  /** The intervals whose stamps lie in [start, end] and are not in the future; `last` is before `first` where there is none. */
  readonly first: Step;
  readonly last: Step;
}

/** Days that a request without `date_start` goes back from its end (then to the start of that bucket). */
const DEFAULT_DAYS: Readonly<Record<Interval, number>> = {
  "5m": 1,
  "1h": 7,
  "1d": 30,
  "7d": 180,
  "1M": 365,
  "3M": 365,
  season: 365,
  "1y": 365,
  fy: 365,
};

/** Both ends inclusive (v4.md). The interval under way is provisional: left out unless `date_end` is given. */
export function resolveWindow(request: DataRequest, now: number): Window {
  const { offsetMinutes } = NETWORKS[request.network];
  const underWay = stepOfInstant(now);
  const end = request.dateEnd ?? localOfStep(underWay - 1, offsetMinutes);
  const start = request.dateStart ?? bucketStart(request.interval, end - DEFAULT_DAYS[request.interval] * DAY);
  const first = stepOfLocal(start + STEP_MS - 1, offsetMinutes);
  const last = Math.min(stepOfLocal(end, offsetMinutes), underWay);
  return { start, end, first, last };
}
