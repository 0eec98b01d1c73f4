/**
 * Only batteries and pumps also consume: values of other units are never negative, as the public service clamps those
 * at zero.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { STEPS_PER_DAY } from "../../src/sandbox/model/clock.ts";
import { DayStore } from "../../src/sandbox/model/system.ts";
import { UNITS } from "../../src/sandbox/model/units.ts";
import { addUnit } from "../../src/sandbox/series/catalogue.ts";
import { draws } from "../support/extent.ts";

const days = fc.integer({ min: Date.parse("1998-12-07") / 86_400_000, max: Date.parse("2030-01-01") / 86_400_000 });

test.each(["energy", "emissions"] as const)("on any day, only batteries have negative %s", (metric) => {
  const store = new DayStore();
  fc.assert(
    fc.property(days, (drawn) => {
      const day = store.at(drawn);
      const negative = UNITS.filter((unit) => {
        const into = { values: new Float64Array(STEPS_PER_DAY), present: new Uint8Array(STEPS_PER_DAY) };
        addUnit(unit, metric, { day, into });
        return Math.min(...into.values) < 0;
      });
      expect(negative.filter(({ fueltech }) => fueltech !== "battery" && fueltech !== "pumps")).toEqual([]);
      const hasBatteries = UNITS.some(
        ({ fueltech, spans }) => fueltech === "battery" && spans[0]!.first <= drawn * STEPS_PER_DAY,
      );
      expect(negative.length > 0).toBe(metric === "energy" && hasBatteries);
    }),
    { numRuns: draws(20, 400) },
  );
});
