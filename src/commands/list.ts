import type { Context } from "../base/context.ts";
import type { Report } from "../base/report.ts";
import type { CodeTable } from "../codes/tables.ts";
import type { Facility } from "../codes/facility.ts";
import { type CommandSpec, defineCommand } from "../cli/command.ts";
import { OUTPUT_OPTIONS, type OutputValues } from "../format/output-options.ts";
import { FETCH_OPTIONS, type FetchValues } from "../options/fetch-options.ts";
import type { Column } from "../series/layout/table.ts";
import { FILTER_OPTIONS, type FilterValues, KEPT_OPTIONS, LIST_OPTIONS } from "../options/list-options.ts";
import type { ValueKind } from "../options/spec.ts";

const { format, output, header } = OUTPUT_OPTIONS;
const { baseUrl, timeout, retries, sandbox } = FETCH_OPTIONS;
const OUTPUT = { ...LIST_OPTIONS, format, output, header };
const textOf = (kind: ValueKind) => [{ name: "text", rest: true, kind, hint: "" }] as const;

/** A list that ents knows without a service. */
function listKnown(kind: ValueKind, load: () => Promise<CodeTable>): CommandSpec {
  return defineCommand({
    arguments: textOf(kind),
    options: { Output: OUTPUT },
    run: async ({ arguments: text, options, context, report }) => {
      await writeList({ table: await load(), text, options }, { context, report });
    },
  });
}

/** A list of the service. */
function listFetched(kind: ValueKind, load: () => Promise<(facilities: readonly Facility[]) => CodeTable>): CommandSpec {
  return defineCommand({
    arguments: textOf(kind),
    options: { Filter: FILTER_OPTIONS, Output: OUTPUT, Fetch: { ...KEPT_OPTIONS, baseUrl, timeout, retries, sandbox } },
    run: async ({ arguments: text, options, context, report }) => {
      const [tabulate, facilities] = await Promise.all([load(), findFacilities(options, text, { context, report })]);
      await writeList({ table: tabulate(facilities), text, options }, { context, report });
    },
  });
}

type FetchedValues = FilterValues & Pick<FetchValues, "baseUrl" | "timeout" | "retries" | "sandbox"> & { readonly refresh: boolean };

interface Surroundings {
  readonly context: Context;
  readonly report: Report;
}

async function findFacilities(options: FetchedValues, text: readonly string[], { context, report }: Surroundings) {
  const [{ loadSettings }, { openCodes, describeAge }, { explainUnknown }, { filterFacilities }] = await Promise.all([
    import("../settings/settings.ts"),
    import("../source/codes/open-codes.ts"),
    import("../job/codes/unknown-values.ts"),
    import("../codes/filter.ts"),
  ]);
  const settings = await loadSettings(context);
  const found = await openCodes({ fetch: options, settings, refresh: options.refresh }, { context, report });
  const age = describeAge(found, context.now());
  if (age !== undefined) report.note(age);
  for (const warning of explainUnknown(found.facilities, options, text)) report.warn(warning);
  return filterFacilities(found.facilities, options);
}

interface Listing {
  readonly table: CodeTable;
  readonly text: readonly string[];
  readonly options: Pick<OutputValues, "format" | "output" | "header"> & { readonly codes: boolean };
}

async function writeList({ table: { columns, entries }, text, options }: Listing, { context, report }: Surroundings): Promise<void> {
  const [{ openList }, { search }, { NUMBERS, MINOR }] = await Promise.all([
    import("../job/open-list.ts"),
    import("../codes/search.ts"),
    import("../codes/tables.ts"),
  ]);
  const { writeTable, writeLines } = await openList(options, context);
  const found = search(entries, text);
  if (found.length === 0)
    report.note(text.length === 0 ? "nothing in the list matches" : `nothing in the list matches "${text.join(" ")}"`);
  if (options.codes) return writeLines(found.map(({ code }) => code));
  await writeTable({
    columns: columns.map((name, index): Column => {
      const minor = index === 0 ? -1 : MINOR.indexOf(name);
      const kind = NUMBERS.includes(name) ? "value" : "text";
      return { name, kind, ...(name === "capacity" ? { unit: "MW" } : {}), ...(minor < 0 ? {} : { minor }) };
    }),
    rows: found.map(({ cells }) => columns.map((column) => cells[column] ?? null)),
  });
}

export const list: CommandSpec = {
  argumentsHint: "name a list before the words: 'ents list facilities bayswater'",
  notes: {
    Lists: [
      "Networks, regions and fueltechs are known to ents. Facilities and units come",
      "from the service, where it lists them, and are kept for a day.",
      "Words after the name of a list search it: by code, name, region or fueltech,",
      "in any case, with a typo too. The best match comes first, then the largest.",
    ],
  },
  examples: [
    { command: "ents list facilities -r SA1 --fueltech wind", does: "the wind farms of South Australia" },
    { command: "ents list facilities bayswater", does: "by name" },
    { command: "ents list units bayswater --codes", does: "codes alone, for --unit-code @-" },
  ],
  subcommands: [
    {
      name: "networks",
      summary: "networks, their time zones and regions",
      ...listKnown("network", async () => (await import("../codes/tables.ts")).tabulateNetworks()),
    },
    {
      name: "regions",
      summary: "regions of the networks",
      ...listKnown("region", async () => (await import("../codes/tables.ts")).tabulateRegions()),
    },
    {
      name: "fueltechs",
      summary: "fueltechs and their groups",
      ...listKnown("fueltech", async () => (await import("../codes/tables.ts")).tabulateFueltechs()),
    },
    {
      name: "facilities",
      summary: "facilities: region, fueltechs, status, capacity in MW",
      ...listFetched("facility", async () => (await import("../codes/tables.ts")).tabulateFacilities),
    },
    {
      name: "units",
      summary: "units: facility, fueltech, status, capacity, data",
      ...listFetched("unit", async () => (await import("../codes/tables.ts")).tabulateUnits),
    },
  ],
};
