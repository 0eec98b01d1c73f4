import type { Unit } from "../../facilities/facility.ts";
import { DAY, HOUR, MINUTE } from "../../time/local-time.ts";
import { type CheckedSeries, findViolations, pairWithLimits, type Violation, type Rule } from "../check.ts";

/** How many readings in a row are no error of a single one. */
const LEAST: Readonly<Record<string, number>> = { "5m": 6, "30m": 2 };
const SHARE = 0.1;

export const nightSolar: Rule = {
  name: "night-solar",
  says: "utility solar is below 10 % of its registered capacity from 22:00 to 03:00 network time, for half an hour",
  needs: "power of solar units at 5m or 30m, and the list of units",
  source: "OpenElectricity's own site checks this",
  find: ({ series, facilities }) => {
    const fine = series.filter(({ interval }) => interval in LEAST);
    const own = pairWithLimits({ series: fine, facilities }, (unit) =>
      isSolar(unit) ? SHARE * Number(unit.capacity) : undefined,
    );
    if (own.length === 0) return undefined;
    return own.flatMap(({ one, limit }) => findRuns(one, limit));
  },
};

function isSolar({ fueltech, capacity }: Unit): boolean {
  return fueltech === "solar_utility" && Number(capacity) > 0;
}

function findRuns(series: CheckedSeries, expected: number): Violation[] {
  const { offset, interval, next } = series;
  const runs: Violation[][] = [];
  const readings = findViolations(series, (found, instant) => {
    const hour = ((instant + offset * MINUTE) % DAY) / HOUR;
    return (hour < 3 || hour >= 22) && found > expected ? expected : undefined;
  });
  for (const reading of readings) {
    const last = runs.at(-1);
    const before = last?.at(-1);
    if (last && before && next(before.instant) === reading.instant) last.push(reading);
    else runs.push([reading]);
  }
  return runs.filter(({ length }) => length >= (LEAST[interval] ?? 1)).flat();
}
