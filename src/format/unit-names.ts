/** Names of facilities in place of codes, from the list of units. */
import { BATTERY } from "../base/fueltechs.ts";
import { formatList } from "../base/phrases.ts";
import { UNIT_LABEL } from "../base/vocabulary.ts";
import type { UnitFacts } from "../series/fuels.ts";
import type { Labels } from "../series/time-series.ts";

/** Returns the name of a label's code, if it has one. */
export type Namer = (label: string, code: string) => string | undefined;

/**
 * Names facilities; and units by theirs, if several facilities are shown without names: `Hornsdale (HDWF3)`. `shown`:
 * all labels.
 */
export function createUnitNamer(units: UnitFacts | undefined, shown: readonly Labels[]): Namer {
  if (!units) return () => undefined;
  const facilities = new Set(shown.map((labels) => units.get(String(labels[UNIT_LABEL]))?.facility));
  const hasNames = shown.some((labels) => Object.hasOwn(labels, "facility_name"));
  const names = new Map(Array.from(units.values(), ({ facility, facilityName }) => [facility, facilityName]));
  const seen = new Set<string | undefined>();
  const twins = new Set([...names.values()].filter((name) => seen.has(name) || !seen.add(name)));
  const addCode = (name: string | undefined, code: string) => name && `${name} (${code})`;
  return (label, code) => {
    if (label === UNIT_LABEL)
      return facilities.size > 1 && !hasNames ? addCode(units.get(code)?.facilityName, code) : undefined;
    const name = label === "facility_code" ? names.get(code) : undefined;
    return twins.has(name) ? addCode(name, code) : name;
  };
}

/**
 * `HPR1 is the net of HPRG1 and HPRL1, TIB1 of TIBG1 and TIBL1`: each battery of which all three units are shown
 * without fueltechs; if they are many, for all.
 */
export function describeNets(units: UnitFacts | undefined, shown: readonly Labels[]): string[] {
  if (!units || shown.some((labels) => Object.hasOwn(labels, "fueltech"))) return [];
  const codes = [...new Set(shown.map((labels) => String(labels[UNIT_LABEL])))];
  const listOf = (fueltech: string) => codes.filter((code) => units.get(code)?.fueltech === fueltech);
  const [charging, discharging] = [listOf(BATTERY.charging), listOf(BATTERY.discharging)];
  const nets = listOf(BATTERY.net).flatMap((code) => {
    const isOwn = (other: string) => units.get(other)?.facility === units.get(code)?.facility;
    const [outs, ins] = [discharging.filter(isOwn), charging.filter(isOwn)];
    return outs.length > 0 && ins.length > 0 ? [{ code, parts: formatList([...outs, ...ins], "and") }] : [];
  });
  if (nets.length > MAX_NETS) return [`${nets.length} units are nets of others; --with fueltech tells which`];
  const said = nets.map(({ code, parts }, index) => `${code} ${index === 0 ? "is the net " : ""}of ${parts}`);
  return nets.length === 0 ? [] : [said.join(", ")];
}

const MAX_NETS = 3;
