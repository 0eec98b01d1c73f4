/** The output of `ents __complete` for the completion script of a shell. */
import { escapeControls } from "../../base/terminal.ts";
import type { CommandEntry } from "../command.ts";
import type { CompletionContext } from "./candidate.ts";
import { complete } from "./candidates.ts";
import { listFiles } from "./files.ts";
import { readTypedLine } from "./line.ts";
import { SHELLS } from "./shells.ts";

interface Program extends Omit<CompletionContext, "explains"> {
  readonly commands: readonly CommandEntry[];
}

export async function answerShell(
  [name = "", ...args]: readonly string[],
  { commands, ...around }: Program,
): Promise<string> {
  const shell = Object.entries(SHELLS).find(([known]) => known === name)?.[1];
  const typed = shell?.read(args, around.env);
  if (!typed || typed.word.isExpanded) return "";
  const { words, word, explains = true, print } = typed;
  const context = { ...around, explains };
  const completion = word.isRedirected
    ? listFiles(word, context)
    : await complete(word, await readTypedLine(words, commands, context));
  // Control characters in the name of a file or facility could end the line or affect the terminal.
  const candidates = completion.candidates
    .filter(({ value }) => escapeControls(value) === value)
    .map(({ value, help }) => ({ value, help: help && escapeControls(help) }));
  // Without candidates, prints nothing: an empty line would be a candidate.
  const lines = candidates.length === 0 ? [] : print({ ...completion, candidates });
  return lines.map((line) => `${line}\n`).join("");
}
