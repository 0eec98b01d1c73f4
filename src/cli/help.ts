/** The parts of help that commander does not make. */
import { formatTerms, type Term } from "../base/terms.ts";
import type { CommandHelp, CommandSpec } from "./command.ts";
import { EXIT_CODES } from "./exit-codes.ts";
import { HELP_WIDTHS } from "./help-width.ts";

/** The width of help in a pipe, and of the parts that commander does not wrap. */
const HELP_WIDTH = HELP_WIDTHS[0];

/** The environment variables that ents reads, for help and docs. */
export const ENVIRONMENT: readonly { readonly names: readonly string[]; readonly does: string }[] = [
  { names: ["ENTS_TOKEN", "OPENELECTRICITY_API_KEY"], does: "API token (overrides the stored one)" },
  { names: ["ENTS_BASE_URL"], does: "base address of the v4 service" },
  { names: ["ENTS_CONFIG_DIR"], does: "directory of settings and tokens" },
  { names: ["ENTS_CACHE_DIR"], does: "directory of cached answers, lists and code" },
  { names: ["HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"], does: "proxies (also in lower case)" },
  { names: ["NO_COLOR", "FORCE_COLOR"], does: "colours off or on" },
];

/** The usage line after the command's name: `<key> <value> [flags]`. */
export function formatUsage({ arguments: args = [], subcommands }: CommandSpec): string {
  return [...args.map(({ name, rest }) => (rest ? `[${name}...]` : `<${name}>`)), subcommands ? "<command>" : "[flags]"].join(" ");
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
  return `\n${heading}:\n${formatHelpTerms(rows)
    .map((line) => `  ${line}`)
    .join("\n")}`;
}

/** Lines in two columns, indented by two. */
export function formatHelpTerms(terms: readonly Term[]): string[] {
  return formatTerms(terms, { width: HELP_WIDTH - 2 });
}
