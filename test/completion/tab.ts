/** TAB without a shell: the output of `ents __complete`. */
import type { CommandEntry } from "../../src/cli/command.ts";
import { answerShell } from "../../src/cli/completion/answer.ts";
import { COMMANDS } from "../../src/commands/all.ts";

export interface Place {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly commands?: readonly CommandEntry[];
}

/** The candidates for the last word of an unquoted line, in the order shown. */
export async function tab(line: string, place: Place = {}): Promise<string[]> {
  const [, ...words] = line.split(" ");
  const word = words.pop() ?? "";
  return (await answer(["fish", word, ...words], place))
    .map((text) => text.split("\t")[0] ?? "")
    .filter((text) => text.startsWith(word));
}

/** The lines that the shell's script reads. */
export async function answer(
  args: readonly string[],
  { cwd = "/nowhere", env = {}, commands = COMMANDS }: Place = {},
): Promise<string[]> {
  // Hides this machine's own settings.
  const own = { ENTS_CONFIG_DIR: "/nowhere", ENTS_CACHE_DIR: "/nowhere", ...env };
  return (await answerShell(args, { commands, env: own, cwd })).split("\n").slice(0, -1);
}
