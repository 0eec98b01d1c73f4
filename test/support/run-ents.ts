/** The real binary as a child process, in a home of its own, cut off from the network and from this machine's settings. */
import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";

export const ENTS = fileURLToPath(new URL("../../bin/ents", import.meta.url));
const PRELOAD = new URL("no-network-preload.mjs", import.meta.url).href;

/** How a command ended, and what it wrote. */
export interface Run {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  /** Text on standard input; none by default. `open` leaves it open and silent. */
  readonly stdin?: string | { readonly open: true };
  /** Added to the environment, which is otherwise empty; undefined takes a variable out. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Whose process it is to be (only root may choose). */
  readonly user?: { readonly uid: number; readonly gid: number };
}

export interface Started {
  readonly child: ChildProcess;
  readonly finished: Promise<Run>;
}

/** A home: the commands run in it share files, settings and tokens. */
export interface Home {
  readonly folder: string;
  /** `ENTS_CONFIG_DIR`; it does not exist at first. */
  readonly configFolder: string;
  /** The path of a file in the folder. */
  path(name: string): string;
  run(args: readonly string[], options?: RunOptions): Promise<Run>;
  /** Runs a line of shell, where `ents` is the binary. */
  shell(line: string, options?: RunOptions): Promise<Run>;
  start(args: readonly string[], options?: RunOptions): Started;
}

const root = realpathSync(mkdtempSync(join(tmpdir(), "ents-e2e-")));
chmodSync(root, 0o755);
const bin = join(root, "bin");
mkdirSync(bin);
symlinkSync(ENTS, join(bin, "ents"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

export function createHome(): Home {
  const folder = mkdtempSync(join(root, "home-"));
  chmodSync(folder, 0o755);
  const start = (file: string, args: readonly string[], options: RunOptions) => startProcess([file, ...args], folder, options);
  return {
    folder,
    configFolder: join(folder, "config"),
    path: (name) => join(folder, name),
    run: (args, options = {}) => start(process.execPath, [ENTS, ...args], options).finished,
    shell: (line, options = {}) => start("/bin/sh", ["-c", line], options).finished,
    start: (args, options = {}) => start(process.execPath, [ENTS, ...args], options),
  };
}

/** Runs `ents` once, in a home of its own. */
export function runEnts(args: readonly string[], options?: RunOptions): Promise<Run> {
  return createHome().run(args, options);
}

/** The whole environment of a command that runs in `folder`. Zone and language are odd on purpose: nothing may depend on them. */
export function homeEnv(folder: string): Record<string, string> {
  return {
    PATH: [bin, dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter),
    HOME: folder,
    ENTS_CONFIG_DIR: join(folder, "config"),
    TZ: "America/New_York",
    LANG: "C",
    LC_ALL: "C",
    NODE_OPTIONS: `--import=${PRELOAD}`,
    ENTS_STRAY_CONNECTIONS: strayFile(folder),
  };
}

function startProcess([file = "", ...args]: readonly string[], folder: string, { stdin, env, user }: RunOptions): Started {
  const entries = Object.entries({ ...homeEnv(folder), ...env }).filter(([, value]) => value !== undefined);
  const child = spawn(file, args, { cwd: folder, env: Object.fromEntries(entries), ...user });
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
