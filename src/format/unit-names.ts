/** Names of facilities in place of codes, from the list of units. */
import { UNIT_LABEL } from "../base/vocabulary.ts";
import type { UnitFacts } from "../series/fuels.ts";
import type { Labels } from "../series/time-series.ts";

/** Returns the name of a label's code, if it has one. */
export type Namer = (label: string, code: string) => string | undefined;

/** Names facilities; and units by theirs, if several facilities are shown without names: `Hornsdale (HDWF3)`. `shown`: all labels. */
export function createUnitNamer(units: UnitFacts | undefined, shown: readonly Labels[]): Namer {
  if (!units) return () => undefined;
  const facilities = new Set(shown.map((labels) => units.get(String(labels[UNIT_LABEL]))?.facility));
  const hasNames = shown.some((labels) => Object.hasOwn(labels, "facility_name"));
  const names = new Map(Array.from(units.values(), ({ facility, facilityName }) => [facility, facilityName]));
  const seen = new Set<string | undefined>();
  const twins = new Set([...names.values()].filter((name) => seen.has(name) || !seen.add(name)));
  const addCode = (name: string | undefined, code: string) => name && `${name} (${code})`;
  return (label, code) => {
    if (label === UNIT_LABEL) return facilities.size > 1 && !hasNames ? addCode(units.get(code)?.facilityName, code) : undefined;
    const name = label === "facility_code" ? names.get(code) : undefined;
    return twins.has(name) ? addCode(name, code) : name;
  };
}
