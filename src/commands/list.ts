import type { Context } from "../base/context.ts";
import type { Report } from "../base/report.ts";
import type { Entry } from "../codes/tables.ts";
import { type CommandSpec, defineCommand } from "../cli/command.ts";
import { OUTPUT_OPTIONS, type OutputValues } from "../format/output-options.ts";
import { FETCH_OPTIONS, type FetchValues } from "../options/fetch-options.ts";
import { FILTER_OPTIONS, type FilterValues, KEPT_OPTIONS, LIST_OPTIONS } from "../options/list-options.ts";
import type { ValueKind } from "../options/spec.ts";

const { format, output, header, timeZone } = OUTPUT_OPTIONS;
const { baseUrl, timeout, retries, sandbox } = FETCH_OPTIONS;
const LIST = { ...LIST_OPTIONS, format, output, header };
const textOf = (kind: ValueKind) => [{ name: "text", rest: true, kind, hint: "" }] as const;

/** Lists that ents knows without a service. */
const OWN = {
  networks: { kind: "network", columns: ["network", "utc_offset", "regions"], list: "listNetworks" },
  regions: { kind: "region", columns: ["region", "network"], list: "listRegions" },
  fueltechs: { kind: "fueltech", columns: ["fueltech", "fueltech_group"], list: "listFueltechs" },
} as const;

/** Lists of a service. */
const KEPT = {
  facilities: {
    kind: "facility",
    columns: ["facility_code", "facility_name", "network", "region", "fueltechs", "status", "units", "capacity"],
    list: "listFacilities",
  },
  units: {
    kind: "unit",
    columns: [
      "unit_code",
      "facility_code",
      "facility_name",
      "network",
      "region",
      "fueltech",
      "status",
      "capacity",
      "first_data",
      "last_data",
    ],
    list: "listUnitEntries",
  },
} as const;

function listOwn(name: keyof typeof OWN): CommandSpec {
  return defineCommand({
    arguments: textOf(OWN[name].kind),
    options: { Output: LIST },
    run: async ({ arguments: text, options, context }) => {
      const tables = await import("../codes/tables.ts");
      const { columns, list } = OWN[name];
      await writeList({ columns, entries: tables[list](), text, options }, context);
    },
  });
}

function listKept(name: keyof typeof KEPT): CommandSpec {
  return defineCommand({
    arguments: textOf(KEPT[name].kind),
    options: { Filter: FILTER_OPTIONS, Output: LIST, Fetch: { ...KEPT_OPTIONS, baseUrl, timeout, retries, sandbox } },
    run: async ({ arguments: text, options, context, report }) => {
      const [tables, facilities] = await Promise.all([import("../codes/tables.ts"), findFacilities(options, { context, report })]);
      const { columns, list } = KEPT[name];
      await writeList({ columns, entries: tables[list](facilities), text, options }, context);
    },
  });
}

type KeptValues = FilterValues & Pick<FetchValues, "baseUrl" | "timeout" | "retries" | "sandbox"> & { readonly refresh: boolean };

async function findFacilities(options: KeptValues, { context, report }: { context: Context; report: Report }) {
  const [{ loadSettings }, { openCodes }, { filterFacilities, toFilter }] = await Promise.all([
    import("../settings/settings.ts"),
    import("../source/codes/open-codes.ts"),
    import("../codes/filter.ts"),
  ]);
  const settings = await loadSettings(context);
  const { facilities, receivedAt } = await openCodes({ fetch: options, settings, refresh: options.refresh }, { context, report });
  report.note(`list of ${new Date(receivedAt).toISOString().slice(0, 16)}Z`);
  return filterFacilities(facilities, toFilter(options));
}

interface Listing {
  readonly columns: readonly string[];
  readonly entries: readonly Entry[];
  readonly text: readonly string[];
  readonly options: Pick<OutputValues, "format" | "output" | "header"> & { readonly codes: boolean };
}

async function writeList({ columns, entries, text, options }: Listing, context: Context): Promise<void> {
  const [{ resolveOutput }, { encodeTable }, { writeParts }, { search }] = await Promise.all([
    import("../job/output.ts"),
    import("../format/encode.ts"),
    import("../job/destination/destination.ts"),
    import("../codes/search.ts"),
  ]);
  const found = search(
    entries.map((item) => ({ item, texts: [item.code, ...item.texts], weight: item.capacity })),
    text,
  );
  const resolved = await resolveOutput({ ...options, timeZone: timeZone.default, intervalEnd: false }, context, "list");
  if (options.codes) return writeParts(resolved.target, [found.map(({ code }) => `${code}\n`).join("")], context);
  const rows = found.map(({ cells }) => columns.map((column) => cells[column] ?? null));
  const described = columns.map((name) => ({
    name,
    kind: name === "capacity" || name === "units" ? ("value" as const) : ("text" as const),
  }));
  // Show all rows, also on a terminal.
  const table = encodeTable({ columns: described, rows }, resolved.format, { ...resolved.formatOptions, limit: 0 });
  await writeParts(resolved.target, table, context);
}

export const list: CommandSpec = {
  notes: {
    Lists: [
      "Networks, regions and fueltechs are known to ents. Facilities and units come from",
      "the service, where it lists them, and are kept for a day.",
      "Words after the list find by code, name, region or fueltech, and forgive a typo.",
    ],
  },
  examples: [
    { command: "ents list facilities -r SA1 --fueltech wind", does: "the wind farms of South Australia" },
    { command: "ents list facilities bayswater", does: "by a part of its name" },
    { command: "ents list units bayswater --codes", does: "codes alone, for --unit-code @-" },
  ],
  subcommands: [
    { name: "networks", summary: "networks, their offset from UTC and their regions", ...listOwn("networks") },
    { name: "regions", summary: "regions of the networks", ...listOwn("regions") },
    { name: "fueltechs", summary: "fueltechs and their groups", ...listOwn("fueltechs") },
    { name: "facilities", summary: "facilities: name, region, fueltechs, status and capacity", ...listKept("facilities") },
    { name: "units", summary: "units: facility, fueltech, status, capacity and when they have data", ...listKept("units") },
  ],
};
