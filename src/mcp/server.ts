/** `ents mcp`: a server of the Model Context Protocol over standard input and output. */
import { once } from "node:events";
import { lstatSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { changeContext, type Context } from "../base/context.ts";
import { attempt, EntsError, usageError } from "../base/errors.ts";
import { createReport, formatError } from "../base/report.ts";
import { findNetwork } from "../base/vocabulary.ts";
import { describeCommand, joinTables } from "../cli/command.ts";
import type { RawValues } from "../cli/values.ts";
import { formatSkill } from "../cli/skill.ts";
import { findOrigin } from "../export/terms.ts";
import { requireExpanded } from "../files/folders.ts";
import type { FetchValues } from "../options/fetch-options.ts";
import { type Answered, MAX_ROWS, runCall, type ToolCall } from "./call.ts";
import { createTools, type ToolOptions } from "./tools.ts";

interface ServerOptions extends Omit<ToolOptions, "locate"> {
  readonly options: Pick<FetchValues, "sandbox" | "baseUrl">;
  /** The only folder that is written to, and read from; undefined for none. */
  readonly folder: string | undefined;
}

/** Serves until standard input ends. */
export async function serve({ folder, options, ...rest }: ServerOptions, context: Context): Promise<void> {
  const tools = createTools({ ...rest, locate: folder === undefined ? undefined : createLocate(folder, context.cwd) });
  const shared = new Map<string, unknown>();
  const instructions = formatSkill(context.version).replace(/^---\n[\s\S]*?\n---\n/, "");
  const { server } = new McpServer(
    { name: "ents", version: context.version },
    { capabilities: { tools: {} }, instructions },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema,
      outputSchema: OUTPUT,
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: input = {} } }, { signal }) => {
    const own = changeContext(context, { shared, signal: AbortSignal.any([context.signal, signal]) });
    try {
      const tool = tools.find((known) => known.name === name);
      if (!tool) throw usageError(`unknown tool "${name}"`, `use ${tools.map((known) => known.name).join(", ")}`);
      const results: object[] = [];
      let failed = false;
      for (const call of tool.plan(input)) {
        const answered = await runCall(call, own);
        failed ||= answered.failed;
        results.push({
          ...presentRows(call, answered),
          ...(await describeData(call, answered, { options, context: own })),
          messages: answered.messages,
        });
      }
      return format(results, failed);
    } catch (error) {
      if (!(error instanceof EntsError)) throw error;
      return format(
        [{ messages: [JSON.parse(formatError(error, changeContext(own, { messageFormat: "json" }), false))] }],
        true,
      );
    }
  });
  await server.connect(new StdioServerTransport(context.stdin.stream, context.stdout.stream));
  await Promise.race([once(context.stdin.stream, "end"), once(context.signal, "abort")]);
}

/** One result for each command that a tool runs. */
const OUTPUT = {
  type: "object",
  properties: { results: { type: "array", items: { type: "object" } } },
  required: ["results"],
} as const;

function format(results: readonly object[], isError: boolean) {
  return {
    content: [{ type: "text" as const, text: JSON.stringify({ results }) }],
    structuredContent: { results },
    isError,
  };
}

/** The rows, and the command that makes them in a shell. */
function presentRows(call: ToolCall, { rows, count }: Answered): object {
  const describe = (more: RawValues) =>
    describeCommand([...call.words, ...call.arguments], joinTables(call.spec.options ?? {}), {
      ...call.values,
      ...more,
    });
  const left = count - rows.length;
  const rest =
    left === 0
      ? {}
      : { left_out: `${left} rows after the first ${MAX_ROWS}`, how_to_get_all: describe({ output: "rows.csv" }) };
  const { output } = call.values;
  return { command: describe({}), ...(output === undefined ? { rows, total_rows: count, ...rest } : { file: output }) };
}

/** Of time series: source, licence, units, time zone, and the age of the newest row. */
async function describeData(
  { values, arguments: [network = ""] }: ToolCall,
  { rows, last }: Answered,
  { options, context }: Pick<ServerOptions, "options"> & { readonly context: Context },
): Promise<object> {
  if (values["metrics"] === undefined) return {};
  const report = createReport(context, { quiet: true, verbose: false, progress: false });
  const { service, terms } = await findOrigin(options, { context, report });
  const offset = findNetwork(network)?.offsetMinutes;
  // Rows are in order of time. Without an offset, the time of day is another clock's.
  const newest = /T.*(?:Z|[+-]\d\d:\d\d)$/.test(String(last?.["timestamp"]))
    ? Date.parse(String(last?.["timestamp"]))
    : Number.NaN;
  return {
    source: service,
    licence: terms?.license ?? "not named by the service",
    units: Object.fromEntries(
      rows.flatMap(({ metric, unit }) => (metric === undefined ? [] : [[metric, unit]])),
    ) as object,
    time_zone:
      values["timeZone"] ?? (offset === undefined ? "as in the timestamps" : `UTC+${offset / 60}, network time`),
    newest_age_seconds: Number.isNaN(newest) ? null : Math.round((context.now() - newest) / 1000),
  };
}

/**
 * An output is inside the folder if what would be written is: links are followed, or refused. @throws {EntsError}
 * usage: no folder.
 */
function createLocate(name: string, cwd: string): (output: string) => string {
  const folder = resolve(cwd, requireExpanded(name, "--folder"));
  if (attempt(() => statSync(folder))?.isDirectory() !== true)
    throw usageError(`${name} is not a folder`, "create it first", { value: name });
  return (output) => {
    const path = resolve(folder, output);
    const [root, parent] = [folder, dirname(path)].map((place) => attempt(() => realpathSync(place)));
    const isLink = attempt(() => lstatSync(path))?.isSymbolicLink() === true;
    const inside =
      root === undefined || parent === undefined || isLink ? "" : relative(root, join(parent, basename(path)));
    if (inside !== "" && !inside.startsWith("..") && !isAbsolute(inside)) return path;
    throw usageError(`"${output}" is not the name of a file in ${folder}`, "use a name such as prices.csv", {
      value: output,
    });
  };
}
