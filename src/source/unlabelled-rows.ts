/** Units that nothing tells apart: the public service labels them only where facilities are named (in-practice.md, The TimeSeries item). */
import { QUERY_FLAGS } from "../options/query-options.ts";
import type { Query } from "../query/query.ts";
import type { Series } from "../series/time-series.ts";
import type { Observation } from "./bucket-phase.ts";

/** Warns of rows of several units without labels. All of them come out. */
export function warnOfUnlabelledRows({ plan: { query }, timeSeries }: Observation, warn: (text: string) => void): void {
  const series = timeSeries.flatMap((item) => item.series);
  if (!lacksFacilities(query) || !series.some((each) => Object.keys(each.labels).length === 0 && repeatsInstant(each))) return;
  warn(`rows of several units have no label to tell them apart; add ${QUERY_FLAGS.facilityCode} to get the unit_code of each`);
}

/** Whether naming facilities would bring the labels. */
export function lacksFacilities({ command, parameters }: Query): boolean {
  return command === "facilities" && !parameters.some(({ name }) => name === "facility_code");
}

function repeatsInstant({ points: { instants } }: Series): boolean {
  for (let index = 1; index < instants.length; index++) if (instants[index] === instants[index - 1]) return true;
  return false;
}
