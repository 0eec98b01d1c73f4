/**
 * The pages show what really appears. In a ```console block, each `$ ` begins a command, followed by its output, with both
 * streams as a terminal would mix them; a line `…` stands for omitted lines. A ```js block followed by a ```text block is
 * a program and its output.
 */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { FULL, isDueNow } from "../support/extent.ts";
import { maskFolder } from "../support/golden.ts";
import { createHome, type Home, type Run } from "../support/run-ents.ts";
import { isForeign } from "../support/run-line.ts";
import { readPlainLine } from "../support/shell-words.ts";
import { createPagesClock } from "../support/virtual-clock.ts";
import { expectText, replaceBlocks, WRITES_TEXTS } from "../support/texts.ts";
import { type Block, listBlocks, listPages, readPage, ROOT } from "./markdown.ts";

const ELIDED = "…";
interface Command {
  readonly line: string;
  readonly shown: readonly string[];
}

function listCommands({ lines }: Block): Command[] {
  const commands: { line: string; shown: string[] }[] = [];
  for (const line of lines) {
    if (line.startsWith("$ ")) commands.push({ line: line.slice(2), shown: [] });
    else commands.at(-1)?.shown.push(line);
  }
  return commands;
}

/** Replaces the lines that the page omits with its `…`; returns the output as it is if it differs. */
function elide(came: readonly string[], shown: readonly string[]): readonly string[] {
  if (shown.length === 0) return came;
  const [first, ...rest] = shown;
  if (first !== ELIDED) return came.length === 0 ? [] : [came[0] as string, ...elide(came.slice(1), rest)];
  for (let skipped = 1; skipped <= came.length; skipped++) {
    const tail = came.slice(skipped);
    if (tail.length >= rest.length && elide(tail, rest).join("\n") === rest.join("\n")) return [ELIDED, ...rest];
  }
  return came;
}

/** Runs the commands of a block in order in one home; `$?` is the exit code of the previous command. */
async function runCommands(commands: readonly Command[]): Promise<string[]> {
  const home = createHome();
  const texts: string[] = [];
  let code = 0;
  for (const { line, shown } of commands) {
    const run = await runLine(home, line, code);
    code = run.code ?? 1;
    const came = maskFolder(run.stdout, home.folder).split("\n").slice(0, -1);
    texts.push(`$ ${line}`, ...elide(came, shown));
  }
  return texts;
}

/** Merges both streams and uses the characters of most terminals. Only a plain `ents` line runs without a shell. */
async function runLine(home: Home, line: string, before: number): Promise<Run> {
  const plain = readPlainLine(line);
  const clock = createPagesClock();
  if (plain) return home.run(plain.args, { stdin: plain.stdin, together: true, env: { LC_ALL: "C.UTF-8" }, clock });
  if (!/\bents\b/.test(line)) return home.shell(`(exit ${before}); { ${line}\n} 2>&1`);
  const run = await home.line(line, { clock });
  return { ...run, stdout: run.stderr + run.stdout };
}

/** The output of a program in a project that has `ents` and the official SDK installed. */
async function runProgram({ lines }: Block): Promise<string> {
  const home = createHome();
  install(home, "ents", ROOT);
  install(home, "openelectricity", join(ROOT, "node_modules/openelectricity"));
  writeFileSync(home.path("program.mjs"), lines.join("\n"));
  const { stdout, stderr } = await home.shell("node program.mjs 2>&1");
  return `${stdout}${stderr}`.trimEnd();
}

function install(home: Home, name: string, from: string): void {
  const path = home.path(join("node_modules", name));
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(from, path, "dir");
}

describe.each(listPages())("%s", (path) => {
  const blocks = listBlocks(readPage(path));
  const consoles = blocks.filter(({ language }) => language === "console");
  const programs = blocks.flatMap((block, index) =>
    block.language === "js" && blocks[index + 1]?.language === "text"
      ? [{ block, printed: blocks[index + 1] as Block }]
      : [],
  );
  const texts = new Map<{ readonly from: number; readonly to: number }, string>();
  const expectBlock = ({ line, lines }: Block, text: string) => {
    texts.set({ from: line - 1, to: line - 1 + lines.length }, text);
    expectText(text, lines.join("\n"));
  };

  test.concurrent.for(
    consoles.filter((block) => isDueNow(block.lines) && !listCommands(block).some(({ line }) => isForeign(line))),
  )("the commands at line $line", async (block) => {
    const commands = listCommands(block);
    expect(commands.length).toBeGreaterThan(0);
    expectBlock(block, (await runCommands(commands)).join("\n"));
  });

  test.runIf(FULL).concurrent.for(programs)("the program at line $block.line", async ({ block, printed }) => {
    expectBlock(printed, await runProgram(block));
  });

  test("every program is followed by what it prints", () => {
    expect(blocks.filter(({ language }) => language === "js")).toHaveLength(programs.length);
  });

  afterAll(() => {
    if (WRITES_TEXTS) replaceBlocks(join(ROOT, path), texts);
  });
});
