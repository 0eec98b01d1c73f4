import { UNIT_LABEL } from "../../base/vocabulary.ts";
import { listUnits } from "../../facilities/facility.ts";
import { DAY, HOUR, MINUTE } from "../../time/local-time.ts";
import type { CheckedSeries, Reading, Rule } from "../check.ts";

/** How many readings in a row are no error of a single one. */
const LEAST: Readonly<Record<string, number>> = { "5m": 6, "30m": 2 };
const SHARE = 0.1;

export const nightSolar: Rule = {
  name: "night-solar",
  says: "utility solar is below 10 % of its registered capacity from 22:00 to 03:00 network time, for half an hour",
  needs: "power of solar units at 5m or 30m, and the list of units",
  source: "OpenElectricity's own site checks this",
  find: ({ series, facilities }) => {
    if (!facilities) return undefined;
    const solar = listUnits(facilities).filter(({ unit }) => unit.fueltech === "solar_utility" && Number(unit.capacity) > 0);
    const capacities = new Map(solar.map(({ unit }) => [unit.code, Number(unit.capacity)]));
    const own = series.filter(
      ({ metric, interval, labels }) => metric === "power" && interval in LEAST && capacities.has(String(labels[UNIT_LABEL])),
    );
    if (own.length === 0) return undefined;
    return own.flatMap((one) => findRuns(one, SHARE * (capacities.get(String(one.labels[UNIT_LABEL])) ?? 0)));
  },
};

function findRuns(series: CheckedSeries, expected: number): Reading[] {
  const { times, values, offset, interval, next } = series;
  const runs: Reading[][] = [];
  for (const instant of times) {
    const hour = ((instant + offset * MINUTE) % DAY) / HOUR;
    const found = values.get(instant) ?? Number.NaN;
    if ((hour >= 3 && hour < 22) || !(found > expected)) continue;
    const last = runs.at(-1);
    const before = last?.at(-1);
    const reading = { series, instant, found, expected };
    if (last && before && next(before.instant) === instant) last.push(reading);
    else runs.push([reading]);
  }
  return runs.filter(({ length }) => length >= (LEAST[interval] ?? 1)).flat();
}
