import { BATTERY } from "../../base/fueltechs.ts";
import { groupBy } from "../../base/group-by.ts";
import { UNIT_LABEL } from "../../base/vocabulary.ts";
import { listUnits } from "../../facilities/facility.ts";
import { type CheckedData, type CheckedSeries, compareAll, findValue, type Rule } from "../check.ts";

/** By fueltech it does not hold: some batteries have no net, or no charging, of their own. */
export const batteryNet: Rule = {
  name: "battery-net",
  says: "the net of a battery is what it discharges less what it charges (within 0.1 % or 0.1)",
  needs: "power or energy of batteries by unit, with their charging and discharging, and the list of units",
  source: "the service makes the net of the two",
  find: (data) => {
    const batteries = listBatteries(data);
    if (batteries.length === 0) return undefined;
    return batteries.flatMap(({ nets, charging, discharging }) => {
      const at = (series: readonly CheckedSeries[], instant: number) => findValue(series, instant) ?? Number.NaN;
      const expectedAt = (instant: number) => at(discharging, instant) - at(charging, instant);
      return nets.flatMap((net) => compareAll(net, expectedAt, { share: 0.001, least: 0.1 }));
    });
  },
};

/** The series of facilities with one unit of each kind. */
function listBatteries({ series, facilities = [] }: CheckedData) {
  const units = new Map(
    listUnits(facilities).map(({ facility, unit }) => [
      unit.code,
      { facility: facility.code, fueltech: unit.fueltech },
    ]),
  );
  const known = series.flatMap((one) => {
    const unit = units.get(String(one.labels[UNIT_LABEL]));
    const isMeasured = one.metric === "power" || one.metric === "energy";
    return unit && isMeasured
      ? [{ one, ...unit, place: JSON.stringify([one.metric, one.interval, unit.facility]) }]
      : [];
  });
  return [...groupBy(known, ({ place }) => place).values()].flatMap((members) => {
    // Several outputs may have a unit.
    const [nets, charging, discharging] = [BATTERY.net, BATTERY.charging, BATTERY.discharging].map((kind) => {
      const own = members.filter(({ fueltech }) => fueltech === kind).map(({ one }) => one);
      return new Set(own.map(({ labels }) => labels[UNIT_LABEL])).size === 1 ? own : undefined;
    });
    return nets && charging && discharging ? [{ nets, charging, discharging }] : [];
  });
}
