import { FILTER_OPTIONS } from "./list-options.ts";
import { flagsOf, type OptionTable, type OptionValues } from "./spec.ts";

const { networkRegion, fueltech, status } = FILTER_OPTIONS;

/** Flags of `ents facilities` that are not sent: they pick codes from the list that `ents list` shows. */
export const PICK_OPTIONS = {
  networkRegion: { ...networkRegion, help: "only units in these regions, such as SA1" },
  fueltech,
  status,
  facility: {
    kind: "facility",
    argument: "text",
    list: true,
    otherNames: ["name", "facility-name", "station", "stations", "plant", "search", "facilities"],
    help: "only units of facilities that 'ents list facilities <text>' finds; a whole name or code means that facility alone",
    schema: "list",
  },
} as const satisfies OptionTable;

export const PICK_FLAGS = flagsOf(PICK_OPTIONS);

export type PickValues = OptionValues<typeof PICK_OPTIONS>;

/** The values of these flags; undefined where none is given. */
export function readPicks(options: Readonly<Record<string, unknown>>): PickValues | undefined {
  const used = Object.keys(PICK_OPTIONS).filter((key) => options[key] !== undefined);
  return used.length === 0 ? undefined : (Object.fromEntries(used.map((key) => [key, options[key]])) as PickValues);
}
