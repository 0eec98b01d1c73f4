/**
 * Golden files: tested documentation. A block
 *
 *     ```console service=refused-token
 *     $ ents network NEM --metrics power
 *     <its standard output>
 *     [standard error]
 *     <its standard error>
 *     [exit 3]
 *     ```
 *
 * holds one or more commands, which run in order in one home; `service=` names their scripted service. A line that needs a
 * shell runs in one, with the real binary, as does the first line of each file in a full run; all others run in this
 * process.
 */
import { readFileSync } from "node:fs";
import { sep } from "node:path";
import { FULL } from "./extent.ts";
import { QUOTE } from "./platform.ts";
import { createHome, type Home, type Run } from "./run-ents.ts";
import { createPagesClock } from "./virtual-clock.ts";

export interface GoldenBlock {
  /** The heading above it. */
  readonly title: string;
  /** The size of the terminal, `80x24`; undefined without one. */
  readonly screen: string | undefined;
  readonly service: string | undefined;
  readonly commands: readonly string[];
  /** Whether it is the first of its file. */
  readonly isFirst: boolean;
  /** The block's text, without its fences. */
  readonly text: string;
  /** Its lines in the file, without the fences; the last is excluded. */
  readonly from: number;
  readonly to: number;
}

const FENCE = /^```console(?: (\d+x\d+))?(?: service=([\w-]+))?$/;

export function readGolden(path: string): GoldenBlock[] {
  const lines = readFileSync(path, "utf8").split("\n");
  const blocks: GoldenBlock[] = [];
  let title = "";
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] as string;
    title = /^#+ (.*)$/.exec(line)?.[1] ?? title;
    const fence = FENCE.exec(line);
    if (!fence) continue;
    const from = index + 1;
    const to = lines.indexOf("```", from);
    if (to < 0) throw new Error(`${path}: the block at line ${from} has no end`);
    const inside = lines.slice(from, to);
    blocks.push({
      title,
      screen: fence[1],
      service: fence[2],
      commands: listCommands(inside),
      isFirst: blocks.length === 0,
      text: inside.join("\n"),
      from,
      to,
    });
    index = to;
  }
  return blocks;
}

/** Runs the commands of a block; returns the block as it should be. `read`: standard error as it is for people. */
export async function runBlock(
  { commands, isFirst }: GoldenBlock,
  env: Readonly<Record<string, string>>,
  read = (stderr: string) => stderr,
): Promise<string> {
  const home = createHome();
  // The real binary also uses the home's cache.
  const options = { env: { ...env, ENTS_CACHE_DIR: home.path("cache") }, clock: createPagesClock() };
  const texts: string[] = [];
  for (const [index, command] of commands.entries()) {
    const line = command.replaceAll(/^\$ |^> /gm, "");
    const run = await (FULL && isFirst && index === 0 ? home.shell : home.line)(line, options);
    texts.push(`${command}\n${mask(formatRun({ ...run, stderr: read(run.stderr) }), home)}`);
  }
  return texts.join("\n");
}

/** `$ ` begins a command, `> ` continues it. */
function listCommands(lines: readonly string[]): string[] {
  const commands: string[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.startsWith("$ ")) commands.push(line);
    else if (line.startsWith("> ") && /^[$>] /.test(lines[index - 1] ?? ""))
      commands.push(`${commands.pop() ?? ""}\n${line}`);
  }
  return commands;
}

function formatRun({ code, signal, stdout, stderr }: Run): string {
  return [
    ...(stdout === "" ? [] : [trimLast(stdout)]),
    ...(stderr === "" ? [] : ["[standard error]", trimLast(stderr)]),
    `[exit ${code ?? signal ?? ""}]`,
  ].join("\n");
}

function trimLast(text: string): string {
  return text.endsWith("\n") ? text.slice(0, -1) : `${text}[no newline at the end]`;
}

/** Names the home's folder, also as JSON. Paths below it, and quotes in suggested commands, are as on POSIX. */
export function maskFolder(text: string, folder: string): string {
  const named = text.replaceAll(folder, "/home/me").replaceAll(JSON.stringify(folder).slice(1, -1), "/home/me");
  if (sep === "/") return named;
  return named
    .replaceAll(/(?<=\/home\/me)\S+/g, (path) => path.replaceAll(/\\+/g, "/"))
    .replaceAll(/^ {6}ents .*$/gm, (command) => command.replaceAll(QUOTE, "'"));
}

/** Replaces what differs between runs by names. */
function mask(text: string, { folder }: Home): string {
  return (
    maskFolder(text, folder)
      .replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:PORT")
      .replaceAll(/("(?:created_at|oldest)": )"[^"]*"/g, '$1"NOW"')
      .replaceAll(/ \d+s old$/gm, " Ns old")
      // Node releases compress differently.
      .replaceAll(/("bytes": )\d+(,\n +"limit_bytes")/g, "$1N$2")
      .replaceAll(/\(\d+ B\) deleted/g, "(N B) deleted")
      .replaceAll(/ in \d+ ms\b/g, " in N ms")
      .replaceAll(/ after \d+ s(?=\))/g, "")
      .replaceAll(/^(ents: .* answered, .*), \d+(\.\d+)? s$/gm, "$1, N s")
      .replaceAll(/waiting \d+\.\d s$/gm, "waiting N s")
  );
}
