/** Reads the command line that an output was made with, as `describeCommand` writes it. */
import type { Context } from "../base/context.ts";
import { usageError } from "../base/errors.ts";
import type { CommandCall, CommandEntry, CommandSpec } from "./command.ts";
import { createCommandLine } from "./program.ts";

interface StoredCommand {
  readonly spec: CommandSpec;
  readonly call: Omit<CommandCall, "report">;
}

/**
 * Parses a command line without running it. @throws {EntsError} usage: ents refuses it, or its command is not among
 * `commands`.
 */
export async function readCommand(
  line: string,
  commands: readonly CommandEntry[],
  context: Context,
): Promise<StoredCommand> {
  const [program, ...words] = splitWords(line);
  let read: StoredCommand | undefined;
  const entries = commands.map(
    (entry): CommandEntry => ({
      ...entry,
      load: async () => {
        const spec = await entry.load();
        return { ...spec, run: async (call) => void (read = { spec, call }) };
      },
    }),
  );
  if (program === "ents" && !words.some((word) => HELP.has(word))) await createCommandLine(entries, context).run(words);
  if (!read) throw usageError(`"${line}" is not a command that fetches data`);
  return read;
}

const HELP: ReadonlySet<string> = new Set(["help", "--help", "-h", "--version"]);

/** The inverse of `quote`, whatever the platform that quoted. */
export function splitWords(line: string): string[] {
  const words = line.matchAll(/(?:'[^']*'|\\'|"(?:[^"]|"")*"|[^\s'"])+/g);
  return Array.from(words, ([word]) => word.replaceAll(/'[^']*'|\\'|"(?:[^"]|"")*"/g, unquote));
}

function unquote(part: string): string {
  if (part === "\\'") return "'";
  const inner = part.slice(1, -1);
  return part.startsWith('"') ? inner.replaceAll('""', '"') : inner;
}
