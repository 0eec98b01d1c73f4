/** `get_network`, `get_facilities` and `get_market`: rows, a picture, or a file. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { listMetricsOf } from "../base/computed-metrics.ts";
import { usageError } from "../base/errors.ts";
import { formatNumber } from "../base/phrases.ts";
import { COMMAND_NAMES, type CommandName, findNetwork, findRegion } from "../base/vocabulary.ts";
import { describeCommand, joinTables } from "../cli/command.ts";
import type { RawValues } from "../cli/values.ts";
import { toList } from "../options/check.ts";
import { type Calling, showRows, findUnits, readRows, type ToolResult, translate } from "./answer.ts";
import { type CommandRun, runForTool } from "./call.ts";
import { toRawValues } from "./fields.ts";
import { findAge, findOrigin } from "./origin.ts";
import { findMimeType } from "./outputs.ts";
import { formatCall } from "./words.ts";

/** So that the next page, or a second try, does not ask again. */
const CACHE_AGE = "5m";

export async function getData(command: CommandName, calling: Calling): Promise<ToolResult> {
  const { outputs, service, options, commands } = calling.server;
  const { network, format, output, update, overwrite } = calling.call.input;
  const { [command]: spec = {} } = commands;
  const table = joinTables(spec.options ?? {});
  checkMeant(command, calling);
  if (output !== undefined && format === "png")
    throw usageError("format is of an answer, and output of a file", "leave out format: the name of output says it");
  const path = outputs && typeof output === "string" ? outputs.locate(output) : undefined;
  if (path !== undefined && overwrite !== true) await outputs?.requireOwn(path);
  const asked: RawValues = {
    ...toRawValues(calling.call.input, table),
    format: undefined,
    limit: undefined,
    output: path,
    ...service,
  };
  const isPng = format === "png";
  const how: RawValues =
    path === undefined
      ? { format: isPng ? "png" : undefined, cache: options.sandbox || asked["latest"] ? undefined : CACHE_AGE }
      : { datapackage: update ? undefined : true };
  const words = typeof network === "string" ? [network] : [];
  const run = { spec, words: [command], arguments: words, values: { ...asked, ...how } };
  const describe = (more: RawValues) => describeCommand([command, ...words], table, { ...asked, ...more });
  const refused = await refuseMany(run, calling);
  if (refused) return refused;
  return path !== undefined || isPng ? makeFile(run, path, { calling, describe }) : getRows(run, { calling, describe });
}

/** @throws {EntsError} usage: a region in place of its network, or a metric of another tool. */
function checkMeant(command: CommandName, { call: { tool, input }, server }: Calling): void {
  const { network, metrics } = input;
  const name = typeof network === "string" ? network : "";
  const region = findNetwork(name.toUpperCase()) ? undefined : findRegion(name);
  if (region !== undefined) {
    const where = findNetwork(region) ? { network: region } : { network: "NEM", network_region: [region] };
    const meant = formatCall({ tool, input: { ...input, ...where } });
    throw usageError(`${name} is a region, not a network`, meant, { flag: "network", value: name });
  }
  const other = toList(metrics).find((one) => !listMetricsOf(command).includes(one)) ?? "";
  const home = COMMAND_NAMES.find((one) => listMetricsOf(one).includes(other));
  if (home === undefined) return;
  const { fields } = server.tools.find((one) => one.name === `get_${home}`) ?? { fields: {} };
  const meant = Object.fromEntries(Object.entries(input).filter(([field]) => field in fields));
  throw usageError(`${tool} has no ${other}`, formatCall({ tool: `get_${home}`, input: meant }), {
    flag: "metrics",
  });
}

interface DataCall {
  readonly calling: Calling;
  /** The command line with more values. */
  readonly describe: (more: RawValues) => string;
}

async function getRows(run: CommandRun, { calling, describe }: DataCall): Promise<ToolResult> {
  const { call, server, context } = calling;
  const { reader, ended, offset } = await readRows(run, calling);
  const { failed } = ended;
  const head = { messages: translate(ended, calling), ...describePause(calling) };
  if (failed && reader.count === 0) return { facts: head, failed };
  const { newest, lastStamp, units, columns } = reader;
  // The newest that was picked says nothing of how new the data are.
  const isPicked = PICKS.some((field) => field in call.input);
  const inFile = { ...call.input, limit: undefined, offset: undefined, output: "rows.csv" };
  const all = server.outputs ? formatCall({ ...call, input: inFile }) : describe({ output: "rows.csv" });
  const facts = {
    ...head,
    ...(failed ? { incomplete: `the rows end at ${lastStamp}: what comes after is missing` } : {}),
    total_rows: reader.count,
    how_to_get_all: all,
    command: describe({}),
    ...(await describeData(calling, !failed)),
    newest_age_seconds: findAge(isPicked ? undefined : newest, context),
    units: { ...units, ...findUnits(columns) },
    ...showRows(reader),
  };
  return { facts, failed, offset };
}

const PICKS = ["top", "bottom", "above", "below"];

function describePause({ budget }: Calling): object {
  const seconds = budget.retryAfter();
  return seconds === undefined ? {} : { retry_after_seconds: seconds };
}

/** More are refused, unless the call allows them. */
const MAX_REQUESTS = 20;

/** As `--dry-run` says, before the first request. */
async function refuseMany(run: CommandRun, { call, ...around }: Calling): Promise<ToolResult | undefined> {
  const { max_requests: most = MAX_REQUESTS } = call.input;
  const chunks: Uint8Array[] = [];
  const values = { ...run.values, dryRun: true, format: "json", cache: undefined, datapackage: undefined };
  const use = (chunk: Uint8Array) => chunks.push(chunk);
  const { failed, messages } = await runForTool({ ...run, values }, { ...around, use });
  // The call itself fails alike.
  if (failed) return undefined;
  const { total } = JSON.parse(Buffer.concat(chunks).toString()) as { readonly total: { readonly requests: number } };
  if (total.requests <= Number(most)) return undefined;
  const allowed = formatCall({ ...call, input: { ...call.input, max_requests: total.requests } });
  const refusal = {
    kind: "usage",
    message: `this needs ${formatNumber(total.requests)} requests, and a call makes at most ${formatNumber(Number(most))}`,
    field: "max_requests",
    next_step: `take a coarser interval or a shorter window\n${allowed}`,
  };
  const cost = messages.filter(({ kind }) => kind === "note").slice(-1);
  return { facts: { messages: [refusal, ...cost] }, failed: true };
}

async function describeData({ call: { input }, server, context }: Calling, mayAsk: boolean): Promise<object> {
  const offset = findNetwork(String(input["network"]))?.offsetMinutes;
  const zone = offset === undefined ? "as in the timestamps" : `UTC+${offset / 60}, network time`;
  return {
    ...(await findOrigin(server.options, context, mayAsk)),
    ...(input["interval"] === undefined ? {} : { interval: input["interval"] }),
    time_zone: input["time_zone"] ?? zone,
  };
}

async function makeFile(
  run: CommandRun,
  path: string | undefined,
  { calling, describe }: DataCall,
): Promise<ToolResult> {
  const chunks: Uint8Array[] = [];
  const ended = await runForTool(run, { ...calling, use: (chunk) => chunks.push(chunk) });
  const head = { messages: translate(ended, calling), ...describePause(calling) };
  if (ended.failed) return { facts: head, failed: true };
  const file = path === undefined ? {} : { file: path };
  const facts = { ...head, ...file, command: describe({}), ...(await describeData(calling, true)) };
  return { facts, failed: false, content: showPicture(path, Buffer.concat(chunks)) };
}

/** Larger pictures are linked to. */
const MAX_IMAGE_BYTES = 1_000_000;

/** Undefined for other files. */
function showPicture(path: string | undefined, printed: Buffer): object | undefined {
  const mimeType = findMimeType(path ?? "x.png");
  if (mimeType === "image/png") {
    const image = path === undefined ? printed : readFileSync(path);
    if (path === undefined || image.length <= MAX_IMAGE_BYTES)
      return { type: "image", data: image.toString("base64"), mimeType };
  }
  if (mimeType === undefined || path === undefined) return undefined;
  return { type: "resource_link", uri: pathToFileURL(path).href, name: basename(path), mimeType };
}
