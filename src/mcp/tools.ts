/** The tools of `ents mcp`: what each takes, from the option tables, and the commands that it runs. */
import { usageError } from "../base/errors.ts";
import { NETWORKS } from "../base/vocabulary.ts";
import { type CommandSpec, joinTables } from "../cli/command.ts";
import type { RawValues } from "../cli/values.ts";
import { flagOf, type OptionSpec, type OptionTable } from "../options/spec.ts";
import { MAX_ROWS, type ToolCall } from "./call.ts";

type ToolInput = Readonly<Record<string, unknown>>;

interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: {
    readonly type: "object";
    readonly properties: Record<string, object>;
    readonly required: string[];
    readonly additionalProperties: false;
  };
  /** The commands to run, one after the other. @throws {EntsError} usage. */
  readonly plan: (input: ToolInput) => ToolCall[];
}

export interface ToolOptions {
  /** The commands of ents by name. */
  readonly commands: Readonly<Record<string, CommandSpec>>;
  /** The service, for every request. */
  readonly service: RawValues;
  /**
   * The path of an output in the folder for files; undefined without a folder. @throws {EntsError} usage: it would be
   * elsewhere.
   */
  readonly locate: ((name: string) => string) | undefined;
}

const DATA = ["network", "facilities", "market"];
const WHICH = [
  "metrics",
  "groupBy",
  "networkRegion",
  "fueltech",
  "fueltechGroup",
  "status",
  "facility",
  "facilityCode",
  "unitCode",
  "with",
];
const WHEN = ["interval", "during", "dateStart", "dateEnd", "last", "complete", "settled"];
const ANALYSES = [
  "summaryOnly",
  "above",
  "below",
  "top",
  "bottom",
  "each",
  "profile",
  "per",
  "duration",
  "timeZone",
  "timeFormat",
];
const FILTERS = ["network", "networkRegion", "fueltech", "status"];

export function createTools(options: ToolOptions): Tool[] {
  const files = options.locate ? ["output", "update"] : [];
  return [
    createMetricsTool(options),
    createCodesTool(options),
    {
      name: "get_data",
      description: `Time series, or what is computed of them: at most ${MAX_ROWS} rows${options.locate ? "; output writes all into a file" : ""}. Give an interval and a window.`,
      ...createDataTool(options, [...WHICH, ...WHEN, ...ANALYSES, ...files]),
    },
    {
      name: "latest",
      description: "The newest value of each series, with its age in seconds.",
      ...createDataTool(options, [...WHICH, "interval"], { latest: true }),
    },
    createOutputTool(options),
  ];
}

const TEXT = { type: "string", description: "words to search for, such as: wind south australia" };

function createMetricsTool({ commands: { metrics: spec = {} } }: ToolOptions): Tool {
  return {
    name: "list_metrics",
    description: "All metrics, or those that match: unit, meaning, and the commands that have them. No request.",
    inputSchema: describeInput({ text: TEXT }, []),
    plan: ({ text }) => [{ spec, words: ["metrics"], arguments: toWords(text), values: {} }],
  };
}

function createCodesTool({ commands: { list: parent }, service }: ToolOptions): Tool {
  const lists: Readonly<Record<string, CommandSpec>> = Object.fromEntries(
    parent?.subcommands?.map((spec) => [spec.name, spec]) ?? [],
  );
  const names = Object.keys(lists);
  const properties = {
    list: { type: "string", enum: names },
    text: TEXT,
    ...describeFields(Object.values(lists), FILTERS),
  };
  return {
    name: "find_codes",
    description:
      "Codes of networks, regions, fueltechs, facilities (power stations) and units, by code, name, place or fueltech.",
    inputSchema: describeInput(properties, ["list"]),
    plan: ({ list, text, ...fields }) => {
      const name = checkChoice("list", list, names);
      const { [name]: spec = {} } = lists;
      return [
        {
          spec,
          words: ["list", name],
          arguments: toWords(text),
          values: { ...readFields(fields, spec, FILTERS), ...service },
        },
      ];
    },
  };
}

function createDataTool(
  { commands, service, locate }: ToolOptions,
  keys: readonly string[],
  fixed: RawValues = {},
): Pick<Tool, "inputSchema" | "plan"> {
  const which = {
    command: {
      type: "string",
      enum: DATA,
      description: "network: generation; facilities: power stations, by unit; market: prices, demand",
    },
    network: { type: "string", description: Object.keys(NETWORKS).join(", ") },
  };
  const specs = DATA.flatMap((name) => commands[name] ?? []);
  return {
    inputSchema: describeInput({ ...which, ...describeFields(specs, keys) }, ["command", "network", "metrics"]),
    plan: ({ command, network, ...fields }) => {
      const name = checkChoice("command", command, DATA);
      const { [name]: spec = {} } = commands;
      const { output, ...values } = readFields(fields, spec, keys);
      const file = locate && output !== undefined ? { output: locate(inputToText(output)) } : {};
      const code = typeof network === "string" ? [network] : [];
      return [{ spec, words: [name], arguments: code, values: { ...values, ...file, ...fixed, ...service } }];
    },
  };
}

function createOutputTool({ commands, locate }: ToolOptions): Tool {
  return {
    name: "describe_output",
    description:
      "A file or folder that get_data made with update: its updates, newest first, and what cannot be right in it.",
    inputSchema: describeInput({ output: { type: "string" } }, ["output"]),
    plan: ({ output }) => {
      if (!locate) throw usageError("there is no folder of outputs", "start the server with --folder");
      const path = locate(inputToText(output));
      return ["log", "check"].map((name) => ({
        spec: commands[name] ?? {},
        words: [name],
        arguments: [path],
        values: {},
      }));
    },
  };
}

function describeInput(properties: Record<string, object>, required: string[]): Tool["inputSchema"] {
  return { type: "object", properties, required, additionalProperties: false };
}

/**
 * The options of these keys as fields: `--date-start` is `date_start`. A field takes what any of the commands takes.
 */
function describeFields(specs: readonly CommandSpec[], keys: readonly string[]): Record<string, object> {
  const tables = specs.map(({ options = {} }) => joinTables(options));
  return Object.fromEntries(
    keys.map((key) => [fieldOf(key), describeInputField(tables.flatMap((table) => table[key] ?? []))]),
  );
}

function describeInputField(specs: readonly OptionSpec[]): object {
  const [{ help: description, argument, list } = { help: "" }] = specs;
  if (argument === undefined) return { type: "boolean", description };
  const choices = new Set(specs.flatMap(({ choices: all = [], offered = all }) => offered));
  const text = choices.size === 0 ? { type: "string" } : { type: "string", enum: [...choices] };
  return list ? { type: "array", items: text, description } : { ...text, description };
}

/**
 * Values by option, which the command checks. @throws {EntsError} usage: a field that the tool or the command does not
 * have.
 */
function readFields(input: ToolInput, { options = {} }: CommandSpec, keys: readonly string[]): RawValues {
  const table: OptionTable = joinTables(options);
  const known = new Map(keys.filter((key) => key in table).map((key) => [fieldOf(key), key]));
  const values = Object.entries(input).map(([field, value]) => {
    const key = known.get(checkChoice("field", field, [...known.keys()])) as string;
    const { argument, list } = table[key] as OptionSpec;
    if (argument === undefined)
      return [key, checkChoice(`value of ${field}`, inputToText(value), ["true", "false"]) === "true" || undefined];
    return [key, list ? [value].flat().map(inputToText) : inputToText(value)];
  });
  return Object.fromEntries(values) as RawValues;
}

function checkChoice(kind: string, value: unknown, allowed: readonly string[]): string {
  const text = typeof value === "string" ? value : "";
  if (allowed.includes(text)) return text;
  throw usageError(text === "" ? `${kind} is missing` : `unknown ${kind} "${text}"`, `use ${allowed.join(", ")}`, {
    value: text,
    allowed,
  });
}

function inputToText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? "");
}

function fieldOf(key: string): string {
  return flagOf(key).slice("--".length).replaceAll("-", "_");
}

function toWords(text: unknown): string[] {
  return typeof text === "string" ? text.split(/\s+/).filter((word) => word !== "") : [];
}
