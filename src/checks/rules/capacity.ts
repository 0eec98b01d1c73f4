import type { Unit } from "../../facilities/facility.ts";
import { findViolations, pairWithLimits, type Rule } from "../check.ts";

const FACTOR = 1.3;

export const capacity: Rule = {
  name: "capacity",
  says: "the power of a unit is at most 1.3 times its larger capacity, registered or maximum",
  needs: "power by unit, and the list of units",
  source: "coal units pass their registered capacity, by less",
  find: (data) => {
    const own = pairWithLimits(data, (unit) => (hasKnownCapacity(unit) ? FACTOR * largest(unit) : undefined));
    if (own.length === 0) return undefined;
    return own.flatMap(({ one, limit }) =>
      findViolations(one, (found) => (Math.abs(found) > limit ? Math.sign(found) * limit : undefined)),
    );
  },
};

function hasKnownCapacity(unit: Unit): boolean {
  return unit.status !== "commissioning" && largest(unit) > 0;
}

function largest({ capacity: registered, capacityMaximum }: Unit): number {
  return Math.max(Number(registered ?? 0), Number(capacityMaximum ?? 0));
}
