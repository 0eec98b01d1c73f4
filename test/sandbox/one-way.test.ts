/** Only batteries and pumps take as well as give: no other unit has a negative value, as the public service clamps those at zero. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { addUnit } from "../../src/sandbox/series/unit-values.ts";
import { STEPS_PER_DAY } from "../../src/sandbox/model/clock.ts";
import { DayStore } from "../../src/sandbox/model/days.ts";
import { UNITS } from "../../src/sandbox/model/units.ts";
import { runs } from "../support/extent.ts";

const TWO_WAY = ["battery", "pumps"];
const days = fc.integer({ min: Date.parse("1998-12-07") / 86_400_000, max: Date.parse("2030-01-01") / 86_400_000 });

test("a unit that only gives, or only takes, has no negative power, energy or emissions on any day", () => {
  const store = new DayStore();
  let negative = 0;
  fc.assert(
    fc.property(days, (drawn) => {
      const day = store.at(drawn);
      for (const unit of UNITS) {
        for (const metric of ["energy", "emissions"] as const) {
          const into = { values: new Float64Array(STEPS_PER_DAY), present: new Uint8Array(STEPS_PER_DAY) };
          addUnit(unit, metric, { day, into });
          const lowest = Math.min(...into.values);
          if (TWO_WAY.includes(unit.fueltech)) negative = Math.min(negative, lowest);
          else expect(lowest, `${unit.code} ${metric}`).toBeGreaterThanOrEqual(0);
        }
      }
    }),
    { numRuns: runs(20, 400) },
  );
  expect(negative).toBeLessThan(0);
});
