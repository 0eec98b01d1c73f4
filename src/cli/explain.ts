/** commander's usage errors as errors of ents. */
import { type EntsError, usageError } from "../base/errors.ts";
import { didYouMean, findNearest, formatList } from "../base/suggest.ts";
import type { CommandEntry } from "./command.ts";
import { explainExtraArgument } from "./explain-argument.ts";
import { explainFlag, VERSION } from "./explain-flag.ts";
import { loadCommands, type Mistake, seeHelp } from "./known-commands.ts";
import type { Misuse } from "./misuse.ts";
import { listLineage } from "./values.ts";

/** Names the word, what was probably meant, and the commands that have it where this one does not. */
export async function explainMisuse(
  { error, command }: Misuse,
  argv: readonly string[],
  entries: readonly CommandEntry[],
): Promise<EntsError> {
  const name = listLineage(command)
    .map((one) => one.name())
    .join(" ");
  const known = await loadCommands(entries);
  const mistake = {
    called: known.find((one) => one.name === name) ?? { name, arguments: [], argumentsHint: undefined, table: {} },
    known,
    argv,
  };
  const children = command.commands.map((child) => child.name()).filter((child) => child !== "help");
  const [message = ""] = error.message.replace(/^error: /, "").split("\n");
  switch (error.code) {
    case "commander.help": {
      // Its help is printed.
      const needs = `'${name}' needs a ${kindOf(name)}`;
      return argv.includes("-v")
        ? usageError(needs, `for the version, use '${VERSION}'`)
        : usageError(`${needs}: ${formatList(children, "or")}`);
    }
    case "commander.unknownCommand":
      return explainCommand(command.args.find((one) => one !== "help") ?? "", children, mistake);
    case "commander.unknownOption":
      // Without its value, which may be a token.
      return explainFlag(/'([^'=]+)/.exec(message)?.[1] ?? "", mistake);
    case "commander.excessArguments":
      return explainExtraArgument(command.args, mistake);
    default:
      return usageError(message.replace(/^option '(?:-\w, )?(--[\w-]+).*' argument missing$/, "$1 needs a value"), seeHelp(name));
  }
}

/** With the children of the command that was called. */
function explainCommand(word: string, children: readonly string[], { called, known }: Mistake): EntsError {
  const nearest = findNearest(word, children);
  // `ents units` for `ents list units`.
  const elsewhere = known.filter(({ name }) => name.endsWith(` ${word}`)).map(({ name }) => `'${name}'`);
  const meant = word === "version" ? [VERSION] : nearest.length > 0 ? nearest : elsewhere;
  return usageError(`unknown ${kindOf(called.name)} "${word}"${didYouMean(meant)}`, called.argumentsHint ?? seeHelp(called.name));
}

/** What the children of a command are to a user. */
function kindOf(command: string): string {
  if (command === "ents list") return "list";
  return command === "ents completion" ? "shell" : "command";
}
