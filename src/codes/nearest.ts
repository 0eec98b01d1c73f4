/** What an unknown region or fueltech may stand for, the likeliest first. */
import { findNearest } from "../base/phrases.ts";
import { FUELTECH_GROUP_OF, isGenericFueltech } from "../base/fueltechs.ts";
import { REGION_NAMES } from "../base/vocabulary.ts";

/** Names of regions are words of several letters: `Victoria`, `south`. */
const MIN_NAME = 3;

/** By name or its initials, else by code. */
export function findRegions(value: string, regions: readonly string[]): string[] {
  const wanted = value.toLowerCase();
  const named = regions.filter((region) => {
    const name = (REGION_NAMES[region] ?? "").toLowerCase();
    return initialsOf(name) === wanted || (value.length >= MIN_NAME && name.includes(wanted));
  });
  return named.length > 0 ? named : findNearest(value, regions);
}

/** `wa` of Western Australia; a single word has none. */
function initialsOf(name: string): string | undefined {
  const words = name.split(" ");
  return words.length > 1 ? words.map(([initial]) => initial).join("") : undefined;
}

/** The code in another case, else those of a group, else by code. */
export function findFueltechs(value: string, fueltechs: readonly string[]): string[] {
  const wanted = value.toLowerCase();
  if (fueltechs.includes(wanted) && !isGenericFueltech(wanted)) return [wanted];
  const members = listMembers([wanted]).filter((fueltech) => fueltechs.includes(fueltech));
  return members.length > 0 ? members : findNearest(value, fueltechs);
}

/** The fueltechs of groups. */
export function listMembers(groups: readonly string[]): string[] {
  return Object.entries(FUELTECH_GROUP_OF).flatMap(([fueltech, group]) => (group !== null && groups.includes(group) ? [fueltech] : []));
}
