/** `ents __complete`, which the completion of a shell runs on TAB: fast, and silent if anything is wrong. */
import { answerShell } from "../cli/completion/answer.ts";
import { COMMANDS } from "../commands/all.ts";
import { writeAtOnce } from "./at-once.ts";

export async function runCompletion(args: readonly string[]): Promise<void> {
  try {
    writeAtOnce(await answerShell(args, { commands: COMMANDS, env: process.env, cwd: process.cwd() }));
  } catch {
    // A message would stand in the middle of what the user types.
  }
}
