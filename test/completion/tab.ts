/** TAB without a shell: what `ents __complete` answers. */
import type { CommandEntry } from "../../src/cli/command.ts";
import { answerShell } from "../../src/cli/completion/answer.ts";
import { COMMANDS } from "../../src/commands/all.ts";

export interface Place {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly commands?: readonly CommandEntry[];
}

/** The candidates for the end of a line of words without quotes, in the order in which they are offered. */
export async function tab(line: string, place: Place = {}): Promise<string[]> {
  const [, ...words] = line.split(" ");
  const word = words.pop() ?? "";
  return (await answer(["fish", word, ...words], place)).map((text) => text.split("\t")[0] ?? "").filter((text) => text.startsWith(word));
}

/** The lines for the script of a shell. */
export async function answer(args: readonly string[], { cwd = "/nowhere", env = {}, commands = COMMANDS }: Place = {}): Promise<string[]> {
  // Nothing of this machine's own.
  const own = { ENTS_CONFIG_DIR: "/nowhere", ENTS_CACHE_DIR: "/nowhere", ...env };
  return (await answerShell(args, { commands, env: own, cwd })).split("\n").slice(0, -1);
}
