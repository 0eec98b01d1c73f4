import { bucketStart } from "../../time/buckets.ts";
import { DAY, type LocalTime } from "../../time/local-time.ts";
import { type Interval, NETWORKS } from "../../base/vocabulary.ts";
import { localOfStep, type Step, STEP_MS, stepOfInstant, stepOfLocal } from "../model/clock.ts";
import type { DataRequest } from "./request.ts";

export interface Window {
  readonly start: LocalTime;
  readonly end: LocalTime;
  /** The intervals whose timestamps are in [start, end] and not in the future; where there are none, `last` is before `first`. */
  readonly first: Step;
  readonly last: Step;
}

/** Days before the end at which a request without `date_start` starts, rounded down to a bucket except for fy. */
const DEFAULT_DAYS: Readonly<Record<Interval, number>> = {
  "5m": 1,
  "1h": 7,
  "1d": 30,
  "7d": 180,
  "1M": 365,
  "3M": 365,
  season: 365,
  "1y": 365,
  /** No plan allows more than 7 days. */
  fy: 3.5,
};

/** Both ends inclusive (v4.md). The current interval is provisional: left out without `date_end`. */
export function resolveWindow(request: DataRequest, now: number): Window {
  const { offsetMinutes } = NETWORKS[request.network];
  const current = stepOfInstant(now);
  const end = request.dateEnd ?? localOfStep(current - 1, offsetMinutes);
  const start = request.dateStart ?? defaultStart(request.interval, end);
  const first = stepOfLocal(start + STEP_MS - 1, offsetMinutes);
  const last = Math.min(stepOfLocal(end, offsetMinutes), current);
  return { start, end, first, last };
}

function defaultStart(interval: Interval, end: LocalTime): LocalTime {
  const start = end - DEFAULT_DAYS[interval] * DAY;
  return interval === "fy" ? start : bucketStart(interval, start);
}
