/** Runs a tool: reads its fields, runs the commands that it stands for, and says what came. */
import type { Context } from "../base/context.ts";
import { usageError } from "../base/errors.ts";
import { findNearest } from "../base/nearest.ts";
import { findNamesLike, OTHER_NAMES } from "../base/other-names.ts";
import { type CommandSpec, joinTables } from "../cli/command.ts";
import type { Descriptor } from "../export/package/descriptor.ts";
import { type Calling, showRows, findUnits, readRows, type ToolResult, translate } from "./answer.ts";
import type { CommandRun } from "./call.ts";
import { getData } from "./data.ts";
import { fieldOf, readInput, toRawValues } from "./fields.ts";
import { findAge, findListAge, findOrigin, NO_LICENCE } from "./origin.ts";
import { type ToolSetting, DATA_TOOLS, LIST_KEYS, type ToolSpec } from "./tools.ts";
import type { Call } from "./words.ts";

/** @throws {EntsError} usage: fields that the tool does not take. */
export async function runTool(spec: ToolSpec, input: unknown, around: ToolSetting): Promise<ToolResult> {
  const others = Object.fromEntries(around.server.tools.map((tool) => [tool.name, tool.fields]));
  const call = { tool: spec.name, input: readInput(input, spec.fields, others) };
  const calling = { ...around, call };
  const command = DATA_TOOLS[spec.name];
  if (command) return getData(command, calling);
  if (spec.name === "list_metrics") return listMetrics(calling);
  return spec.name === "find_codes" ? findCodes(calling) : describeOutput(calling);
}

async function listMetrics(calling: Calling): Promise<ToolResult> {
  const { metrics: spec = {} } = calling.server.commands;
  const run = { spec, words: ["metrics"], arguments: toWords(calling.call), values: {} };
  return showList(run, calling, describeProgram);
}

async function findCodes(calling: Calling): Promise<ToolResult> {
  const { input } = calling.call;
  const spec = findList(calling);
  const { name } = spec;
  const table = joinTables(spec.options ?? {});
  const unsupported = LIST_KEYS.find((key) => input[fieldOf(key)] !== undefined && !(key in table));
  if (unsupported) {
    const flag = fieldOf(unsupported);
    throw usageError(`the list of ${name} has no ${flag}`, "put it into text", { flag });
  }
  const isFetched = "refresh" in table;
  const values = { ...toRawValues(input, table), ...(isFetched ? calling.server.service : {}) };
  const run = { spec, words: ["list", name], arguments: toWords(calling.call), values };
  return showList(run, calling, isFetched ? describeFetched : describeProgram);
}

function findList({ call, server }: Calling): CommandSpec & { readonly name: string } {
  const lists = server.commands["list"]?.subcommands ?? [];
  const names = lists.map(({ name }) => name);
  const value = call.input["list"] as string | undefined;
  const spec = lists.find(({ name }) => name === value);
  if (spec) return spec;
  if (value === undefined) throw usageError("list is missing", undefined, { flag: "list", allowed: names });
  const meant = [...findNearest(value, names), ...findNamesLike(value.replace(/s$/, ""), OTHER_NAMES.lists)];
  throw usageError(`unknown list "${value}"`, undefined, { flag: "list", value, allowed: names, didYouMean: meant });
}

function toWords({ input: { text } }: Call): string[] {
  return typeof text === "string" ? text.split(/\s+/).filter((word) => word !== "") : [];
}

async function describeProgram({ context }: Calling): Promise<object> {
  return { source: `ents ${context.version}` };
}

async function describeFetched({ server: { options }, context }: Calling): Promise<object> {
  const origin = await findOrigin(options, context);
  return { ...origin, newest_age_seconds: await findListAge(options, context) };
}

async function showList(
  run: CommandRun,
  calling: Calling,
  describeSource: (calling: Calling) => Promise<object>,
): Promise<ToolResult> {
  const { reader, ended, offset } = await readRows(run, calling);
  const { failed } = ended;
  const units = findUnits(reader.columns);
  const facts = {
    messages: translate(ended, calling),
    total_rows: reader.count,
    ...(failed ? {} : await describeSource(calling)),
    ...(Object.keys(units).length > 0 ? { units } : {}),
    ...showRows(reader),
  };
  return { facts, failed, offset };
}

/** What is known of an output without a request. */
async function describeOutput(calling: Calling): Promise<ToolResult> {
  const { call, server, context } = calling;
  const { outputs, commands } = server;
  const { output } = call.input;
  if (!outputs) throw usageError("there is no folder of outputs", "ask the user to start the server with a folder");
  if (typeof output !== "string") throw usageError("output is missing", undefined, { flag: "output" });
  const file = outputs.locate(output);
  const descriptor = outputs.describe(file);
  const described = descriptor && describeFile(descriptor, context);
  const runOf = (name: string) => ({ spec: commands[name] ?? {}, words: [name], arguments: [file], values: {} });
  const log = await readRows(runOf("log"), calling);
  // An output that no update made has a description alone.
  if (log.ended.failed && described) return { facts: { messages: [NO_HISTORY], file, ...described }, failed: false };
  if (log.ended.failed) return { facts: { messages: translate(log.ended, calling) }, failed: true };
  const check = await readRows(runOf("check"), { ...calling, call: { ...call, input: {} } });
  const facts = {
    messages: [...translate(log.ended, calling), ...translate(check.ended, calling)],
    total_rows: log.reader.count,
    file,
    ...described,
    ...(check.reader.count > 0 ? { findings: showRows(check.reader) } : {}),
    ...showRows(log.reader),
  };
  return { facts, failed: check.ended.failed, offset: log.offset };
}

const NO_HISTORY = { kind: "note", message: "made without update: it has no history" };

function describeFile({ command, query, licence, window, series }: Descriptor, context: Context): object {
  return {
    command,
    source: query["service"],
    licence: licence ?? NO_LICENCE,
    window,
    newest_age_seconds: findAge(Math.max(...series.map(({ last }) => Date.parse(last))), context),
  };
}
