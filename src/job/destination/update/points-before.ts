/** Points before the window of an update, from which the gaps are filled that begin in the kept rows. */
import type { TimeSeries } from "../../../series/time-series.ts";
import { formatStamp, MINUTE } from "../../../time/local-time.ts";
import { createMover } from "../../../time/stamp.ts";
import { printsAsSent } from "../../output.ts";
import { listNulls } from "../continue/nulls-before.ts";
import type { UpdateFacts } from "./facts.ts";
import type { Continued } from "./find-continued.ts";

/** A null for each series that has points on both sides of `from`, a bucket before the window that is fetched. */
export function listPointsBefore(continued: UpdateFacts & Continued): TimeSeries[] {
  const { from, descriptor, interval, clock, start } = continued;
  if (from === Number.NEGATIVE_INFINITY) return [];
  const spell = createSpelling(continued);
  return listNulls(descriptor.series, { from, start, clock, interval, spell });
}

/** Timestamps as the service writes them, where they are printed as sent; else in network time. */
function createSpelling({ old: { last }, output, clock }: UpdateFacts & Continued): (instant: number) => string {
  const isSent = printsAsSent(output);
  const move = createMover(last.stamp);
  return (instant) => (isSent ? move(instant - last.instant) : formatStamp(instant + clock.offset, clock.offset / MINUTE));
}
