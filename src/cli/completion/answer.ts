/** What `ents __complete` prints for the script of a shell. */
import { escapeControls } from "../../base/terminal.ts";
import type { CommandEntry } from "../command.ts";
import type { Completion, CompletionContext } from "./candidate.ts";
import { complete } from "./candidates.ts";
import { listFiles } from "./files.ts";
import { readTypedLine } from "./line.ts";
import type { Typed } from "./shells/shell.ts";
import { SHELLS } from "./shells.ts";

interface Program extends CompletionContext {
  readonly commands: readonly CommandEntry[];
}

/** The candidates, one per line; empty where there are none. */
export async function answerShell([name = "", ...args]: readonly string[], program: Program): Promise<string> {
  const shell = Object.entries(SHELLS).find(([known]) => known === name)?.[1];
  const typed = shell?.read(args, program.env);
  if (!typed || typed.word.isExpanded) return "";
  const completion = withoutControls(await completeTyped(typed, program));
  if (completion.candidates.length === 0) return "";
  return typed
    .print(completion)
    .map((line) => `${line}\n`)
    .join("");
}

async function completeTyped({ words, word, explains }: Typed, { commands, env, cwd }: Program): Promise<Completion> {
  if (word.isRedirected) return listFiles(word.text, { env, cwd, hasTilde: word.hasTilde });
  return complete(word, await readTypedLine(words, commands), { env, cwd, explains });
}

/** Control characters, in the name of a file or a facility, could be taken for the end of a line, or change the terminal. */
function withoutControls({ prefix, candidates }: Completion): Completion {
  const plain = candidates.filter(({ value }) => escapeControls(value) === value);
  return { prefix, candidates: plain.map(({ value, help }) => ({ value, help: help && escapeControls(help) })) };
}
