import { type CommandSpec, defineCommand } from "../cli/command.ts";
import { type Facility, UNIT_FACTS } from "../facilities/facility.ts";
import {
  type CodeTable,
  tabulateFacilities,
  tabulateFueltechs,
  tabulateNetworks,
  tabulateRegions,
  tabulateUnits,
} from "../facilities/tables.ts";
import { LIST_OUTPUT_OPTIONS, OUTPUT_OPTIONS } from "../format/output-options.ts";
import { FETCH_OPTIONS } from "../options/fetch-options.ts";
import { FILTER_OPTIONS, STORED_LIST_OPTIONS, LIST_OPTIONS } from "../options/list-options.ts";
import type { ValueKind } from "../options/spec.ts";

const { baseUrl, timeout, retries, sandbox } = FETCH_OPTIONS;
const OUTPUT = { ...LIST_OPTIONS, ...LIST_OUTPUT_OPTIONS, limit: OUTPUT_OPTIONS.limit };
const SEARCH = [
  "Words after the name of a list search it: by code, name, region or fueltech,",
  "in any case. All must match; if nothing does, words of four letters and more",
  "may have a typo. The best match comes first, then the largest.",
];
const GROUPS = ["The public service leaves out the data of fueltechs without a group."];
const STATUS = [
  "A unit that has generated, but never more than 90 % of its capacity, is",
  "commissioning. Lists alone have that status: 'ents network -g status' counts",
  "such a unit as operating.",
];
/** Without "then the largest": networks, regions and fueltechs have no capacity. */
const SEARCH_KNOWN = [...SEARCH.slice(0, -1), "may have a typo. The best match comes first."];
const TEXT = {
  name: "text",
  rest: true,
  hint: "put words to search for after the name of the list: 'ents list facilities bayswater'",
} as const;

function listKnown(
  kind: ValueKind,
  tabulate: (words: readonly string[]) => CodeTable,
  notes: CommandSpec["notes"] = {},
): CommandSpec {
  return defineCommand({
    arguments: [{ ...TEXT, kind }],
    options: {
      Output: OUTPUT,
      Fetch: { sandbox: { ...sandbox, help: "makes no difference: this list is known without a service" } },
    },
    notes: { ...notes, Search: SEARCH_KNOWN },
    run: async ({ arguments: words, options, context, report }) => {
      const { writeCodes } = await import("../export/list-codes.ts");
      await writeCodes({ table: tabulate(words), words, options }, { context, report });
    },
  });
}

function listFetched(kind: ValueKind, tabulate: (facilities: readonly Facility[]) => CodeTable): CommandSpec {
  const columns = {
    argument: "column",
    list: true,
    choices: [...tabulate([]).columns, ...UNIT_FACTS],
    // Avoids suggesting choices of other flags.
    suggestsOwnChoicesOnly: true,
    help: "show these columns; others than those that are shown by default are facts of units, such as latitude",
    conflicts: ["codes"],
    schema: "list",
  } as const;
  return defineCommand({
    arguments: [{ ...TEXT, kind }],
    options: {
      Filter: FILTER_OPTIONS,
      Output: { ...OUTPUT, columns },
      Fetch: { ...STORED_LIST_OPTIONS, baseUrl, timeout, retries, sandbox },
    },
    notes: { Status: STATUS, Search: SEARCH },
    run: async ({ arguments: words, options, context, report, describe }) => {
      const { writeFetchedCodes } = await import("../export/list-codes.ts");
      await writeFetchedCodes({ tabulate, words, options, describe }, { context, report });
    },
  });
}

export const list: CommandSpec = {
  argumentsHint: "name a list first: 'ents list facilities bayswater'",
  notes: {
    Lists: [
      "Networks, regions and fueltechs are known to ents. Facilities and units come",
      "from the service, where it lists them, and are kept for a day.",
      ...SEARCH,
    ],
  },
  examples: [
    { command: "ents list facilities -r SA1 --fueltech wind", does: "the wind farms of South Australia" },
    { command: "ents list facilities bayswater", does: "by name" },
    { command: "ents list facilities bayswater --codes", does: "codes alone, for --facility-code @-" },
  ],
  subcommands: [
    { name: "networks", summary: "networks, their time zones and regions", ...listKnown("network", tabulateNetworks) },
    { name: "regions", summary: "regions of the networks", ...listKnown("region", tabulateRegions) },
    {
      name: "fueltechs",
      summary: "fueltechs and their groups",
      ...listKnown("fueltech", tabulateFueltechs, { Groups: GROUPS }),
    },
    {
      name: "facilities",
      summary: "facilities: region, fueltechs, status, capacity in MW",
      ...listFetched("facility", tabulateFacilities),
    },
    {
      name: "units",
      summary: "units: facility, fueltech, status, capacity, data",
      ...listFetched("unit", tabulateUnits),
    },
  ],
};
