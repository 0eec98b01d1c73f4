/** The parts of help that commander does not make. */
import type { CommandHelp, CommandSpec } from "./command.ts";
import { ENVIRONMENT } from "./environment.ts";
import { EXIT_CODES } from "./exit-codes.ts";

/** Of help in a pipe, and of the parts that commander does not wrap. */
export const HELP_WIDTH = 80;

/** The usage line after the command's name: `<key> <value> [flags]`. */
export function formatUsage({ arguments: args = [], subcommands }: CommandSpec): string {
  return [...args.map(({ name }) => `<${name}>`), subcommands ? "<command>" : "[flags]"].join(" ");
}

export function formatEnvironment(): string {
  return formatRows(
    "Environment",
    ENVIRONMENT.map(({ names, does }) => [names.join(", "), does]),
  );
}

export function formatExitCodes(): string {
  return formatRows(
    "Exit codes",
    Object.values(EXIT_CODES).map(({ code, meaning }) => [String(code), meaning]),
  );
}

export function formatNotes({ notes = {} }: CommandHelp): string {
  return Object.entries(notes)
    .map(([heading, lines]) => `\n${heading}:\n${lines.map((line) => `  ${line}`).join("\n")}\n`)
    .join("");
}

export function formatExamples({ examples = [] }: CommandHelp): string {
  if (examples.length === 0) return "";
  return `\nExamples:\n${examples.map(({ command, does }) => `  # ${does}\n  ${command}`).join("\n")}`;
}

function formatRows(heading: string, rows: readonly Term[]): string {
  return `\n${heading}:\n${formatTerms(rows)
    .map((line) => `  ${line}`)
    .join("\n")}`;
}

type Term = readonly [term: string, text: string];

/** Lines in two columns, the second one wrapped. */
export function formatTerms(terms: readonly Term[]): string[] {
  const indent = 2 + Math.max(...terms.map(([term]) => term.length));
  return terms.flatMap(([term, text]) =>
    wrapText(text, HELP_WIDTH - 2 - indent).map((line, index) => (index === 0 ? term : "").padEnd(indent) + line),
  );
}

/** Lines of so many characters; a longer word stays whole. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}
