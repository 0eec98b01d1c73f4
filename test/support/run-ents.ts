/**
 * Commands in a home of their own, isolated from the network and from this machine's settings: in this process, or as
 * the real binary if the test is about a process.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { atEndOfFile, removeFolder } from "./cleanup.ts";
import { NO_NETWORK } from "./no-network.ts";
import { type LineOptions, runLine } from "./run-line.ts";
import { type Run, runInProcess, type RunOptions } from "./run-in-process.ts";

export type { Run, RunOptions } from "./run-in-process.ts";

export const ENTS = fileURLToPath(new URL("../../bin/ents", import.meta.url));

export interface ProcessOptions {
  readonly stdin?: RunOptions["stdin"];
  /** Added to the home's environment; undefined removes a variable. */
  readonly env?: RunOptions["env"];
  /** The user of the process (only root may choose). */
  readonly user?: { readonly uid: number; readonly gid: number };
}

export interface Started {
  readonly child: ChildProcess;
  readonly finished: Promise<Run>;
}

/** A home: commands that run in it share files, settings and tokens. */
export interface Home {
  readonly folder: string;
  /** `ENTS_CONFIG_DIR`; it does not exist at first. */
  readonly configFolder: string;
  /** The path of a file in the home's folder. */
  path(name: string): string;
  /** Runs `ents` in this process; waits take no time, unless a real clock is requested. */
  run(args: readonly string[], options?: RunOptions): Promise<Run>;
  /** Runs the real binary, for tests that need a process. */
  spawn(args: readonly string[], options?: ProcessOptions): Promise<Run>;
  /** The same, without waiting for its end. */
  start(args: readonly string[], options?: ProcessOptions): Started;
  /** Runs a line of shell in which `ents` is the real binary. */
  readonly shell: (line: string, options?: LineOptions) => Promise<Run>;
  /** Runs a line as a shell would, with `ents` in this process if that makes no difference. */
  readonly line: (line: string, options?: LineOptions) => Promise<Run>;
}

/** The folder of all homes of a test file, and the binary for their shells. */
let root: string | undefined;

function openRoot(): string {
  if (root !== undefined) return root;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "ents-e2e-")));
  chmodSync(folder, 0o755);
  mkdirSync(binOf(folder));
  symlinkSync(ENTS, join(binOf(folder), "ents"));
  atEndOfFile(() => {
    root = undefined;
    return removeFolder(folder);
  });
  root = folder;
  return folder;
}

function binOf(rootFolder: string): string {
  return join(rootFolder, "bin");
}

export function createHome(): Home {
  const folder = mkdtempSync(join(openRoot(), "home-"));
  chmodSync(folder, 0o755);
  const start = (file: string, args: readonly string[], options: ProcessOptions) =>
    startProcess([file, ...args], folder, options);
  // In this process, nothing is compiled that could be stored.
  const ownEnv = { ...homeEnv(folder), ENTS_CACHE_DIR: join(folder, "cache") };
  const run: Home["run"] = (args, options = {}) =>
    runInProcess(args, { cwd: folder, env: addTo(ownEnv, options.env) }, options);
  const shell: Home["shell"] = (line, options = {}) => start("/bin/sh", ["-c", line], options).finished;
  return {
    folder,
    configFolder: join(folder, "config"),
    path: (name) => join(folder, name),
    run,
    spawn: (args, options = {}) => start(process.execPath, [ENTS, ...args], options).finished,
    start: (args, options = {}) => start(process.execPath, [ENTS, ...args], options),
    shell,
    line: (line, options = {}) => runLine(line, options, { run, shell }),
  };
}

/** Runs `ents` once, in a home of its own. */
export function runEnts(args: readonly string[], options?: RunOptions): Promise<Run> {
  return createHome().run(args, options);
}

const CACHE = fileURLToPath(new URL("../../node_modules/.cache/ents-tests", import.meta.url));

/**
 * The complete environment of a command in `folder`. Its zone and language are unusual on purpose: nothing may depend
 * on them.
 */
export function homeEnv(folder: string): Record<string, string> {
  return {
    PATH: [binOf(dirname(folder)), dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter),
    HOME: folder,
    // For terminals: the user's own shell may be nologin, or not a POSIX shell.
    SHELL: "/bin/sh",
    ENTS_CONFIG_DIR: join(folder, "config"),
    TZ: "America/New_York",
    LANG: "C",
    LC_ALL: "C",
    // Homes are short-lived, so they share compiled code.
    ENTS_CACHE_DIR: CACHE,
    NODE_OPTIONS: NO_NETWORK,
    ENTS_STRAY_CONNECTIONS: strayFile(folder),
  };
}

function addTo(env: Record<string, string>, more: RunOptions["env"] = {}): Record<string, string> {
  const entries = Object.entries({ ...env, ...more }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return Object.fromEntries(entries);
}

function startProcess(
  [file = "", ...args]: readonly string[],
  folder: string,
  { stdin, env, user }: ProcessOptions,
): Started {
  const child = spawn(file, args, { cwd: folder, env: addTo(homeEnv(folder), env), ...user });
  child.stdin.on("error", () => {});
  if (typeof stdin !== "object") child.stdin.end(stdin ?? "");
  return { child, finished: collect(child, folder) };
}

async function collect(child: ChildProcess, folder: string): Promise<Run> {
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.setEncoding("utf8").on("data", (text: string) => (texts[name] += text));
  }
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (...end) => resolve(end));
  });
  expectNoStrayConnections(folder);
  return { code, signal, ...texts };
}

function expectNoStrayConnections(folder: string): void {
  if (!existsSync(strayFile(folder))) return;
  const strays = readFileSync(strayFile(folder), "utf8");
  throw new Error(`ents went beyond loopback: ${strays.trim().replaceAll("\n", ", ")}`);
}

function strayFile(folder: string): string {
  return join(folder, ".stray-connections");
}
