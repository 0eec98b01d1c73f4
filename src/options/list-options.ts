import { STATUSES } from "../base/vocabulary.ts";
import { flagsOf, type OptionTable, type OptionValues } from "./spec.ts";

export const FILTER_OPTIONS = {
  network: {
    argument: "code",
    list: true,
    kind: "network",
    help: "only those in these networks, such as NEM",
    schema: "list",
  },
  networkRegion: {
    short: "-r",
    argument: "code",
    list: true,
    aliases: ["region"],
    kind: "region",
    help: "only those in these regions, such as SA1",
    brief: "filter by region, such as SA1",
    schema: "list",
  },
  fueltech: {
    argument: "code",
    list: true,
    kind: "fueltech",
    help: "only units of these fueltechs, such as wind",
    brief: "filter by fueltech, such as wind",
    schema: "list",
  },
  status: {
    argument: "status",
    list: true,
    kind: "status",
    help: `only units of these statuses: ${STATUSES.join(", ")}`,
    schema: "list",
  },
} as const satisfies OptionTable;

export const FILTER_FLAGS = flagsOf(FILTER_OPTIONS);

export const LIST_OPTIONS = {
  codes: {
    help: "print only codes, one per line, for @file and @-; with --network, those of one network",
    conflicts: ["format", "limit"],
    schema: "flag",
  },
} as const satisfies OptionTable;

export const STORED_LIST_OPTIONS = {
  refresh: { help: "ask the service again; a list is kept for a day", schema: "flag" },
} as const satisfies OptionTable;

export const STORED_LIST_FLAGS = flagsOf(STORED_LIST_OPTIONS);

export type FilterValues = OptionValues<typeof FILTER_OPTIONS>;

const { networkRegion, fueltech, status } = FILTER_OPTIONS;

/**
 * Flags of `ents facilities` that are not sent to the service: they select codes from the list that `ents list` shows.
 */
export const PICK_OPTIONS = {
  networkRegion: { ...networkRegion, help: "only units in these regions, such as SA1" },
  fueltech,
  status,
  facility: {
    kind: "facility",
    argument: "text",
    list: true,
    help: "facilities matching text; an exact name or code selects only that one",
    brief: "filter by name, such as hornsdale",
    schema: "list",
  },
} as const satisfies OptionTable;

export const PICK_FLAGS = flagsOf(PICK_OPTIONS);

export type PickValues = OptionValues<typeof PICK_OPTIONS>;

/** The values of these flags; undefined if none is given. */
export function readPicks(options: Readonly<Record<string, unknown>>): PickValues | undefined {
  const used = Object.keys(PICK_OPTIONS).filter((key) => options[key] !== undefined);
  return used.length === 0 ? undefined : (Object.fromEntries(used.map((key) => [key, options[key]])) as PickValues);
}
