import { EntsError } from "../base/errors.ts";
import { formatNumber } from "../base/phrases.ts";
import { FETCH_FLAGS } from "../options/fetch-options.ts";

/** Fifty times what an answer for all units of a network, in all metrics, has; each takes 5 KB of memory. */
export const MAX_SERIES = 200_000;

export class TooManySeries extends EntsError {}

export function tooManySeries(): TooManySeries {
  return new TooManySeries(
    "refused",
    `the service's answer has more than ${formatNumber(MAX_SERIES)} series, the most that one answer may have`,
    {
      hint: `ask for fewer metrics, facilities or units at a time, and check that the base address (${FETCH_FLAGS.baseUrl}) is that of a v4 service`,
    },
  );
}
