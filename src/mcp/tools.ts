/** The tools of `ents mcp`: what each is for, what it takes, and what it gives. */
import { listMetricsOf } from "../base/computed-metrics.ts";
import type { Context } from "../base/context.ts";
import { COMMAND_NAMES, type CommandName, NETWORKS } from "../base/vocabulary.ts";
import { type CommandSpec, joinTables } from "../cli/command.ts";
import type { RawValues } from "../cli/values.ts";
import type { FetchValues } from "../options/fetch-options.ts";
import type { OptionTable } from "../options/spec.ts";
import type { Budget, SayProgress } from "./call.ts";
import { toSchema, fieldOf, type Fields, type FieldSchema } from "./fields.ts";
import type { Outputs } from "./outputs.ts";
import { sayInWords, type Vocabulary } from "./words.ts";

export interface Server {
  readonly commands: Readonly<Record<string, CommandSpec>>;
  /** The service, for every request: as raw values, and read. */
  readonly service: RawValues;
  readonly options: Pick<FetchValues, "sandbox" | "baseUrl">;
  /** The only folder that is written to, and read from; undefined for none. */
  readonly outputs: Outputs | undefined;
  readonly vocabulary: Vocabulary;
  readonly tools: readonly ToolSpec[];
}

/** Where one call of a tool runs. */
export interface ToolSetting {
  readonly server: Server;
  readonly context: Context;
  readonly budget: Pick<Budget, "retryAfter">;
  readonly say: SayProgress | undefined;
}

export interface ToolSpec {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly fields: Fields;
  readonly required: readonly string[];
  readonly output: Readonly<Record<string, object>>;
  readonly annotations: object;
}

/** Options of the data commands that are fields of their tools, in their order. */
const DATA_KEYS = [
  "metrics",
  "interval",
  "during",
  "dateStart",
  "dateEnd",
  "last",
  "complete",
  "settled",
  "groupBy",
  "networkRegion",
  "fueltech",
  "fueltechGroup",
  "status",
  "facility",
  "facilityCode",
  "unitCode",
  "capacity",
  "with",
  "latest",
  "minus",
  "rolling",
  "compare",
  "above",
  "below",
  "top",
  "bottom",
  "each",
  "summaryOnly",
  "profile",
  "duration",
  "per",
  "pivot",
  "timeZone",
] as const;
const FILE_KEYS = ["output", "update", "overwrite"] as const;
export const LIST_KEYS = ["network", "networkRegion", "fueltech", "status", "columns"] as const;

/** The option keys that tools have as fields. */
export function listKeys(hasFolder: boolean): readonly string[] {
  return [...DATA_KEYS, ...(hasFolder ? FILE_KEYS : []), ...LIST_KEYS];
}

const SUBJECTS: Readonly<Record<CommandName, { readonly title: string; readonly description: string }>> = {
  network: {
    title: "Generation of a network",
    description:
      "Generation, emissions, market value and shares of a network, by region, fueltech, fueltech_group or renewable. `battery` is battery_discharging less battery_charging: use the net or the two, never all three. Rooftop solar is in power and energy, and is late by up to 90 minutes. share is of all that generates; of demand there is get_market's renewable_proportion. average_price is what was earned for each MWh, not the spot price.",
  },
  facilities: {
    title: "Power stations and units",
    description:
      "The same of power stations, by unit. Give facility (a name), facility_code, unit_code, or network_region with fueltech. Rows are by unit_code; group_by facility adds the units up. A battery has three units: one is the net of the other two, so count storage once. Needs an API key.",
  },
  market: {
    title: "Prices, demand and flows",
    description:
      "Spot price, demand, curtailment, renewable share and flows, by network or region. The NEM has no price of its own: give network_region or group_by region. demand leaves rooftop solar out, demand_gross has it in. Means of price over time are not weighted by demand; demand_weighted_price is. Prices of 5m and 1h intervals differ: a coarser price is the mean.",
  },
};

/** What goes wrong with an option, beside its help. */
const TRAPS: Readonly<Record<string, string>> = {
  complete: "Give it whenever values are compared or added up",
  rolling: "Neighbours share most of their intervals: do not add them up",
  timeZone: "By default the network's, which has no daylight saving",
};

/** In place of a help text for people who type. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  metrics: "list_metrics says what each is",
  interval: "always give it, with a window. For a financial year take 1M during FY2025: the public service refuses fy",
  summaryOnly:
    "statistics of each series in place of its values: points, gaps, min and max with their times, percentiles, mean (each interval counts once), sum of MWh, $ and t; with above or below, how often",
  pivot: "one column for each value of a label, such as region or fueltech",
  output: "write all rows into a file of the server's folder: prices.csv, .parquet, .xlsx, .png, .svg, .html",
  update: "keep the output current: the same call adds later what is new. Needs date_start and interval",
  columns: "other columns than usual, such as latitude and commenced: facts of units",
  overwrite: "replace a file that ents has not made, or that has been changed",
};

export function createToolSpecs(server: Omit<Server, "tools">): readonly ToolSpec[] {
  const data = COMMAND_NAMES.map((name) => createDataSpec(name, server));
  return [createMetricsSpec(), createCodesSpec(server), ...data, createOutputSpec(server)];
}

export const DATA_TOOLS: Readonly<Record<string, CommandName>> = Object.fromEntries(
  COMMAND_NAMES.map((name) => [`get_${name}`, name]),
);

const READS = { readOnlyHint: true, idempotentHint: true, openWorldHint: true };

const PAGE: Fields = {
  limit: { type: "integer", minimum: 1, maximum: 1000, description: "rows of this answer, 200 by default" },
  offset: { type: "integer", minimum: 0, description: "rows to leave out at the start, for the next page" },
};

function createDataSpec(command: CommandName, { commands, outputs, vocabulary }: Omit<Server, "tools">): ToolSpec {
  const table = joinTables(commands[command]?.options ?? {});
  const describe = (text: string) => sayInWords(text.replace(/ \(instead of [^)]*\)/, ""), vocabulary);
  const options = Object.fromEntries(
    [...DATA_KEYS, ...(outputs ? FILE_KEYS : [])]
      .filter((key) => key in table)
      .map((key) => [fieldOf(key), toFieldSchema(key, table, describe)]),
  );
  return {
    name: `get_${command}`,
    ...SUBJECTS[command],
    fields: {
      network: {
        type: "string",
        enum: Object.keys(NETWORKS),
        description: "NEM: the east; WEM: Western Australia; AU: both",
      },
      ...options,
      metrics: {
        type: "array",
        items: { type: "string", enum: listMetricsOf(command) },
        description: DESCRIPTIONS["metrics"],
      },
      format: { type: "string", enum: ["rows", "png"], description: "png: a picture of the rows, in place of them" },
      ...PAGE,
      max_requests: {
        type: "integer",
        minimum: 1,
        description: "allow more than 20 requests to the service, such as 100",
      },
    },
    required: ["network", "metrics"],
    output: DATA_OUTPUT,
    annotations: outputs
      ? { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true }
      : READS,
  };
}

function toFieldSchema(key: string, table: OptionTable, describe: (text: string) => string): FieldSchema {
  const field = toSchema(table[key] ?? { help: "", schema: "text" }, describe);
  const { [key]: trap } = TRAPS;
  const help = field.description?.replace(/ \(not with [^)]*\)/, "");
  return { ...field, description: DESCRIPTIONS[key] ?? (trap === undefined ? help : `${help}. ${trap}`) };
}

const TEXT = { type: "string", description: "words to search for, such as: wind south australia" } as const;

function createMetricsSpec(): ToolSpec {
  return {
    name: "list_metrics",
    title: "Metrics",
    description:
      "All metrics, or those that match: unit, meaning, and the tools that have them (network: get_network). No request.",
    fields: { text: TEXT, ...PAGE },
    required: [],
    output: TABLE_OUTPUT,
    annotations: { ...READS, openWorldHint: false },
  };
}

function createCodesSpec({ commands: { list: parent }, vocabulary }: Omit<Server, "tools">): ToolSpec {
  const lists = parent?.subcommands ?? [];
  const table = joinTables(lists.find(({ name }) => name === "units")?.options ?? {});
  const describe = (text: string) => sayInWords(text, vocabulary);
  return {
    name: "find_codes",
    title: "Codes of stations, units, regions and fueltechs",
    description:
      "Codes of networks, regions, fueltechs, facilities (power stations) and units, by code, name, place or fueltech. capacity is the registered one in MW; a unit that is retired stays in the list.",
    fields: {
      list: { type: "string", enum: lists.map(({ name }) => name) },
      text: TEXT,
      ...Object.fromEntries(LIST_KEYS.map((key) => [fieldOf(key), toFieldSchema(key, table, describe)])),
      ...PAGE,
    },
    required: ["list"],
    output: TABLE_OUTPUT,
    annotations: READS,
  };
}

function createOutputSpec({ outputs }: Pick<Server, "outputs">): ToolSpec {
  return {
    name: "describe_output",
    title: "An output of the folder",
    description: outputs
      ? "A file or folder that ents has made: what is in it and where it is from; with update, its updates, newest first, and what cannot be right in it. No request."
      : "Needs a server that was started with a folder for outputs.",
    fields: { output: { type: "string", description: "its name in the folder, such as prices.csv" }, ...PAGE },
    required: ["output"],
    output: OUTPUT_OUTPUT,
    annotations: { ...READS, openWorldHint: false },
  };
}

const text = (description: string) => ({ type: "string", description });
const count = (description: string) => ({ type: "integer", description });

const MESSAGES = {
  type: "array",
  description: "errors, warnings and notes: tell the user what matters",
  items: {
    type: "object",
    properties: { kind: { type: "string" }, message: { type: "string" }, next_step: { type: "string" } },
    required: ["kind", "message"],
  },
};

const TABLE_OUTPUT = {
  messages: MESSAGES,
  total_rows: count("all rows, of which rows has a page"),
  left_out: { type: "string" },
  how_to_get_all: { type: "string" },
  source: { type: "string" },
  licence: text("for the key in use"),
  newest_age_seconds: {
    type: ["integer", "null"],
    description: "since the newest of all rows began, or the list was received; null where rows are picked",
  },
  units: { type: "object", description: "of metrics and of columns of numbers, such as MW" },
  constant: { type: "object", description: "columns that are the same in all rows, said once" },
  columns: { type: "array", items: { type: "string" } },
  rows: { type: "array", items: { type: "array" }, description: "a value for each column; null is none, not zero" },
};

const DATA_OUTPUT = {
  ...TABLE_OUTPUT,
  retry_after_seconds: { type: "integer" },
  incomplete: text("which rows have not come"),
  file: text("where all rows were written"),
  command: text("the same for a shell"),
  interval: { type: "string" },
  time_zone: text("of timestamps, which are starts, and of where a day begins"),
  units: {
    type: "object",
    description:
      "of metrics and columns. min, max, mean, sum, before and change have the unit of their metric; share_of_time and change_percent are in %, n and points are counts",
  },
};

const OUTPUT_OUTPUT = {
  ...TABLE_OUTPUT,
  file: text("its path"),
  command: text("the command that made it, for a shell"),
  window: { type: "object", description: "start and end, in network time" },
  checks: { type: "object", description: "made: names; not_made: what each would need" },
  findings: { type: "object", description: "columns and rows of what cannot be right" },
};
