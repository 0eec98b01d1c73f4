/** The real binary as a server of the Model Context Protocol, and the protocol's own client. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { atEndOfFile } from "./cleanup.ts";
import { ENTS, type Home } from "./run-ents.ts";

interface Message {
  readonly kind: string;
  readonly message: string;
  readonly field?: string;
  readonly next_step?: string;
  readonly [fact: string]: unknown;
}

export interface Result {
  readonly messages: readonly Message[];
  readonly columns?: readonly string[];
  readonly rows?: readonly (readonly unknown[])[];
  readonly [fact: string]: unknown;
}

interface Answered {
  readonly isError: boolean;
  readonly result: Result;
  readonly content: readonly { readonly type: string; readonly [fact: string]: unknown }[];
  /** Characters of the whole answer, without pictures. */
  readonly characters: number;
}

export interface Served {
  readonly client: Client;
  readonly call: (
    name: string,
    input: object,
    onProgress?: (progress: { readonly progress: number }) => void,
  ) => Promise<Answered>;
}

/** The revisions of the protocol: that of `initialize`, and that of `server/discover`. */
export const ERAS = ["legacy", { pin: "2026-07-28" }] as const;

export async function serve(
  home: Home,
  args: readonly string[],
  { env = {}, era = "legacy" }: { readonly env?: Record<string, string>; readonly era?: (typeof ERAS)[number] } = {},
): Promise<Served> {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: era } });
  await client.connect(
    new StdioClientTransport({ command: ENTS, args: ["mcp", ...args], cwd: home.folder, env: envOf(home, env) }),
  );
  atEndOfFile(() => client.close());
  // The client then checks each result against the schema of its tool.
  await client.listTools();
  const call: Served["call"] = async (name, input, onProgress) => {
    const answer = await client.callTool(
      { name, arguments: input as Record<string, unknown> },
      onProgress ? { onprogress: onProgress } : {},
    );
    const content = answer.content as Answered["content"];
    const text = String(content[0]?.["text"]);
    const { isError = false, structuredContent } = answer;
    if (text !== JSON.stringify(structuredContent)) throw new Error("the text is not the result");
    const spoken = content.filter(({ type }) => type !== "image");
    return {
      isError: isError === true,
      result: structuredContent as Result,
      content,
      characters: JSON.stringify({ content: spoken, structuredContent }).length,
    };
  };
  return { client, call };
}

function envOf({ folder }: Home, env: Record<string, string>): Record<string, string> {
  return {
    HOME: folder,
    ENTS_CACHE_DIR: `${folder}/cache`,
    ENTS_CONFIG_DIR: `${folder}/config`,
    PATH: process.env["PATH"] ?? "",
    ...env,
  };
}

/** The same binary, for lines that no client sends. */
export class RawServer {
  readonly child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  constructor(home: Home, args: readonly string[]) {
    this.child = spawn(process.execPath, [ENTS, "mcp", ...args], {
      cwd: home.folder,
      env: envOf(home, {}),
      stdio: ["pipe", "pipe", "pipe"],
    });
    const { stdout } = this.child;
    if (!stdout) throw new Error("no output");
    this.#lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
    this.child.stdin?.on("error", () => {});
  }

  send(...lines: readonly (object | string)[]): void {
    for (const line of lines) this.child.stdin?.write(`${typeof line === "string" ? line : JSON.stringify(line)}\n`);
  }

  initialize(): void {
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };
    this.send(
      { jsonrpc: "2.0", id: 0, method: "initialize", params },
      { jsonrpc: "2.0", method: "notifications/initialized" },
    );
  }

  call(id: number, name: string, input: object): void {
    this.send({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: input } });
  }

  /** The next line of its output; undefined at the end. */
  async next(): Promise<Readonly<Record<string, unknown>> | undefined> {
    const line = await this.#lines.next();
    return line.done ? undefined : (JSON.parse(line.value) as Record<string, unknown>);
  }

  async ended(): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, "exit");
    return this.child.exitCode;
  }
}
