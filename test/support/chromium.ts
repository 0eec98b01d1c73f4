/** A real browser for tests: headless Chromium, controlled through a pipe. */
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { pathToFileURL } from "node:url";
import { atEndOfFile, removeFolder } from "./cleanup.ts";

export const hasChromium = spawnSync("chromium", ["--version"]).status === 0;

export interface Page {
  /** The value of an expression in the page. */
  readonly evaluate: (expression: string) => Promise<unknown>;
  /** Sends a message of the DevTools protocol. */
  readonly send: (method: string, params?: object) => Promise<Answer>;
  /** Errors in the page and violations of its policy since it was opened. */
  readonly complaints: readonly string[];
}

type Answer = Readonly<Record<string, unknown>>;

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Answer;
  readonly result?: Answer;
  readonly error?: { readonly message: string };
}

const FLAGS =
  "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync --remote-debugging-pipe --window-size=1300,900".split(
    " ",
  );

export type OpenPage = (path: string) => Promise<Page>;

/** Starts a browser for this test file; returns a function that opens a file in a new page. */
export function startChromium(): OpenPage {
  const folder = mkdtempSync(join(tmpdir(), "ents-chromium-"));
  const child = spawn("chromium", [...FLAGS, `--user-data-dir=${folder}`, "about:blank"], {
    stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
    // A process group, so that all its processes can be ended together.
    detached: true,
  });
  atEndOfFile(async () => {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    process.kill(-(child.pid as number), "SIGKILL");
    await ended;
    // A browser process outside the group may still write there.
    await removeFolder(folder);
  });
  const { send, listen } = openPipe(child.stdio[3] as Writable, child.stdio[4] as Readable);
  return async (path) => {
    const { targetId } = await send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
    const sendToPage: Page["send"] = (method, params = {}) => send(method, params, sessionId as string);
    const complaints: string[] = [];
    const loaded = new Promise<void>((resolve) => {
      listen(({ method, params }) => {
        if (method === "Page.loadEventFired") resolve();
        if (method === "Log.entryAdded" || method === "Runtime.exceptionThrown")
          complaints.push(JSON.stringify(params));
      });
    });
    for (const domain of ["Page", "Log", "Runtime"]) await sendToPage(`${domain}.enable`);
    await sendToPage("Page.navigate", { url: pathToFileURL(path).href });
    await loaded;
    return { send: sendToPage, evaluate: (expression) => evaluate(sendToPage, expression), complaints };
  };
}

async function evaluate(send: Page["send"], expression: string): Promise<unknown> {
  const { result, exceptionDetails } = await send("Runtime.evaluate", {
    expression,
    returnByValue: true,
    awaitPromise: true,
  });
  if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
  return (result as { value: unknown }).value;
}

/** Messages are JSON, each followed by a NUL. */
function openPipe(input: Writable, output: Readable) {
  const waiting = new Map<number, (message: Message) => void>();
  const listeners: ((message: Message) => void)[] = [];
  let rest = "";
  output.setEncoding("utf8").on("data", (text: string) => {
    const parts = (rest + text).split("\0");
    rest = parts.pop() ?? "";
    for (const message of parts.map((part) => JSON.parse(part) as Message)) {
      if (message.id === undefined) for (const listener of listeners) listener(message);
      else waiting.get(message.id)?.(message);
    }
  });
  let id = 0;
  const send = async (method: string, params: object, sessionId?: string): Promise<Answer> => {
    id += 1;
    const sent = id;
    const { result = {}, error } = await new Promise<Message>((resolve) => {
      waiting.set(sent, resolve);
      input.write(`${JSON.stringify({ id: sent, method, params, sessionId })}\0`);
    });
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  return { send, listen: (listener: (message: Message) => void) => listeners.push(listener) };
}
