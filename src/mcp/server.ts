/** `ents mcp`: a server of the Model Context Protocol over standard input and output, in all its revisions. */
import { Transform } from "node:stream";
import { McpServer, type ServerContext, type Tool } from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { changeContext, type Context } from "../base/context.ts";
import { attempt, EntsError, usageError } from "../base/errors.ts";
import { shortenTyped } from "../base/phrases.ts";
import { formatError } from "../base/report.ts";
import { createBudget, readLines, type SayProgress } from "./call.ts";
import { fitResult } from "./fit.ts";
import { INSTRUCTIONS, PROMPTS } from "./instructions.ts";
import type { Calling, ToolResult } from "./answer.ts";
import { runTool } from "./run.ts";
import { createToolSpecs, type Server, type ToolSpec } from "./tools.ts";
import { type MessageObject, toToolMessage } from "./words.ts";

/** Serves until standard input ends, or an answer finds no reader; then ends all calls. */
export async function serve(setup: Omit<Server, "tools">, outside: Context): Promise<void> {
  const server = { ...setup, tools: createToolSpecs(setup) };
  const gone = new AbortController();
  const context = changeContext(outside, {
    shared: new Map<string, unknown>(),
    signal: AbortSignal.any([outside.signal, gone.signal]),
  });
  const calls = new Set<Promise<unknown>>();
  const input = outside.stdin.stream.pipe(createMender(outside));
  const transport = new StdioServerTransport(input, outside.stdout.stream);
  let leave = (): void => {};
  const closed = new Promise<void>((resolve) => {
    leave = resolve;
  });
  outside.signal.addEventListener("abort", leave, { once: true });
  outside.stdin.stream.once("end", leave).once("close", leave);
  const createInstance = () => {
    const protocol = createProtocol(server, context, calls);
    // The transport closes for a line that is too long, too.
    protocol.server.onclose = leave;
    return protocol;
  };
  const handle = serveStdio(createInstance, { transport });
  await closed;
  gone.abort(new Error("the client is gone"));
  outside.stdin.stream.destroy();
  await handle.close();
  await Promise.allSettled(calls);
}

/** Answers lines that are no JSON, and reads `"params": null` as no parameters. */
function createMender({ stdout }: Context): Transform {
  let mended = "";
  const read = readLines((line) => {
    const message = attempt(() => JSON.parse(line) as { params?: unknown } | null);
    if (message === undefined && line.trim() !== "") stdout.stream.write(PARSE_ERROR);
    if (message) mended += `${message.params === null ? JSON.stringify({ ...message, params: undefined }) : line}\n`;
  });
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      read(chunk);
      done(null, mended);
      mended = "";
    },
  });
}

const PARSE_ERROR = `${JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32700, message: "Parse error" } })}\n`;

function createProtocol(server: Server, context: Context, calls: Set<Promise<unknown>>): McpServer {
  const { tools } = server;
  const openResources = async () => (await import("./resources.ts")).createResources(server, context);
  const protocol = new McpServer(
    { name: "ents", title: "Electricity network time series", version: context.version },
    { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions: INSTRUCTIONS },
  );
  const { server: low } = protocol;
  low.setRequestHandler("tools/list", () => ({ tools: tools.map(describeTool) }));
  low.setRequestHandler("tools/call", async ({ params: { name, arguments: input = {} } }, request) => {
    const spec = tools.find((tool) => tool.name === name);
    const signal = AbortSignal.any([context.signal, request.mcpReq.signal]);
    const budget = createBudget(changeContext(context, { signal }));
    const around = { server, context: budget.context, budget, say: createSay(request, budget.restart) };
    const running = spec ? runTool(spec, input, around) : Promise.reject(refuseTool(name, tools));
    const settled = running
      .catch((error: unknown): ToolResult => explainToClient(error, { ...around, call: { tool: name, input } }))
      .finally(budget.end);
    calls.add(settled);
    return fitResult(await settled.finally(() => calls.delete(settled)));
  });
  low.setRequestHandler("resources/list", async () => ({ resources: (await openResources()).list() }));
  low.setRequestHandler("resources/read", async ({ params: { uri } }) => ({
    contents: [(await openResources()).read(uri)],
  }));
  low.setRequestHandler("prompts/list", () => ({
    prompts: PROMPTS.map(({ name, title, description, arguments: all }) => ({
      name,
      title,
      description,
      arguments: all,
    })),
  }));
  low.setRequestHandler("prompts/get", ({ params: { name, arguments: given = {} } }) => {
    const prompt = PROMPTS.find((known) => known.name === name);
    if (!prompt) throw usageError(`unknown prompt "${name}"`);
    return { messages: [{ role: "user" as const, content: { type: "text" as const, text: prompt.text(given) } }] };
  });
  return protocol;
}

function describeTool({ fields, required, output, annotations, ...tool }: ToolSpec): Tool {
  const inputSchema = { type: "object", properties: fields, required, additionalProperties: false };
  const outputSchema = { type: "object", properties: output, required: ["messages"], additionalProperties: false };
  return { ...tool, inputSchema, outputSchema, annotations: { title: tool.title, ...annotations } } as unknown as Tool;
}

function refuseTool(name: string, tools: readonly ToolSpec[]): Error {
  return usageError(`unknown tool "${shortenTyped(name)}"`, `use ${tools.map((tool) => tool.name).join(", ")}`);
}

function explainToClient(error: unknown, { call, server, context }: Calling): ToolResult {
  if (!(error instanceof EntsError)) throw error;
  const message = JSON.parse(
    formatError(error, changeContext(context, { messageFormat: "json" }), false),
  ) as MessageObject;
  return { facts: { messages: [toToolMessage(message, call, server.vocabulary)] }, failed: true };
}

/** Undefined if the client did not ask for progress. `restart`: a client that hears something waits on. */
function createSay({ mcpReq }: ServerContext, restart: () => void): SayProgress | undefined {
  const { progressToken } = mcpReq._meta ?? {};
  if (progressToken === undefined) return undefined;
  return ({ done, total, message }) => {
    restart();
    const params = { progressToken, progress: done, total, message };
    // A client that is gone ends the call elsewhere.
    mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  };
}
