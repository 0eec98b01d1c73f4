/** The parts of help that commander does not generate. */
import { formatTerms, type Term } from "../base/terminal.ts";
import type { NamedOption } from "../options/spec.ts";
import { type CommandHelp, type CommandSpec, joinTables, type NamedCommand, type OptionGroups } from "./command.ts";
import { EXIT_CODES } from "../base/exit-codes.ts";

/** What short help says of a command and those that share its line. */
export const SHARED_LINES: Readonly<Record<string, { readonly others: readonly string[]; readonly summary: string }>> =
  {
    login: { others: ["logout", "whoami"], summary: "store an API token; logout deletes it, whoami shows it" },
    config: { others: ["cache"], summary: "read and change settings; cache: the stored responses" },
    skill: { others: ["mcp"], summary: "print a page for assistants; mcp: serve tools for them" },
    completion: { others: ["help"], summary: "print the completion script of a shell; help: a command's help" },
  };

export const HELP_SUMMARY = "print the help of a command";

const FIRST_STEPS = `
  ents network NEM --metrics power energy --sandbox   synthetic data, no account
  ents market NEM -m price -i 1h --last 2d -r NSW1    real data, no account`;
const LOGIN_STEP = `
  ents login                                          store your API token`;

export const ENVIRONMENT: readonly { readonly names: readonly string[]; readonly does: string }[] = [
  { names: ["ENTS_TOKEN", "OPENELECTRICITY_API_KEY"], does: "API token (overrides the stored one)" },
  { names: ["ENTS_BASE_URL"], does: "base address of the v4 service" },
  { names: ["ENTS_CONFIG_DIR"], does: "directory of settings and tokens" },
  { names: ["ENTS_CACHE_DIR"], does: "directory of cached responses, lists and code" },
  { names: ["HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"], does: "proxies (also in lower case)" },
  { names: ["ENTS_ERRORS"], does: "json: messages as one object a line, as --errors json" },
  { names: ["NO_COLOR", "FORCE_COLOR"], does: "colours off or on" },
];

/** Columns of help in a pipe. */
const HELP_WIDTH = 80;
const MAX_HELP_WIDTH = 100;

/** `columns`: of the terminal; undefined or 0 for none. */
export function findHelpWidth(columns: number | undefined): number {
  return Math.min(columns || HELP_WIDTH, MAX_HELP_WIDTH);
}

/** The usage line after the command's name: `<key> <value> [flags]`. */
export function formatUsage({ arguments: args = [], subcommands, run }: CommandSpec): string {
  const last = run ? "[command]" : "<command>";
  return [...args.map(({ name, rest }) => (rest ? `[${name}...]` : `<${name}>`)), subcommands ? last : "[flags]"].join(
    " ",
  );
}

/** Text below the commands in the help of `ents` itself; `-h` omits environment and exit codes. */
export function formatProgramNotes(isBrief: boolean): string {
  if (isBrief) return `\nFirst steps ('ents --help' has more):${FIRST_STEPS}`;
  const environment = ENVIRONMENT.map(({ names, does }): Term => [names.join(", "), does]);
  const exitCodes = Object.values(EXIT_CODES).map(({ code, meaning }): Term => [String(code), meaning]);
  return [
    `\nFirst steps:${FIRST_STEPS}${LOGIN_STEP}`,
    formatSection("Environment", formatHelpTerms(environment)),
    formatSection("Exit codes", formatHelpTerms(exitCodes)),
  ].join("\n");
}

/** With at least this many flags, `-h` shows only the most common ones. */
const MANY_FLAGS = 20;

export function hasBriefHelp({ options = {} }: CommandHelp): boolean {
  return Object.keys(joinTables(options)).length >= MANY_FLAGS;
}

/** Text above the flags; brief help has three examples without their descriptions. */
export function formatIntro({ summary, examples = [] }: NamedCommand, isBrief: boolean): string {
  const lines = isBrief
    ? examples.slice(0, 3).map(({ command }) => command)
    : examples.flatMap(({ command, does }) => [`# ${does}`, command]);
  const intro = summary.replace(/^./, (initial) => initial.toUpperCase());
  return lines.length > 0 ? `${intro}\n${formatSection("Examples", lines)}` : intro;
}

/** Text below the flags. */
export function formatNotes({ notes = {} }: CommandHelp): string {
  return Object.entries(notes)
    .map(([heading, lines]) => formatSection(heading, lines))
    .join("\n");
}

/** The flags of a command by help heading. */
export function groupFlags(tables: OptionGroups = {}): ReadonlyMap<string, readonly NamedOption[]> {
  const flags = Object.entries(tables).flatMap(([heading, table]) =>
    Object.entries(table).map((flag) => ({ heading, flag })),
  );
  const groups = new Map<string, NamedOption[]>();
  for (const { heading, flag } of flags) {
    const name = flag[1].group ?? heading;
    groups.set(name, [...(groups.get(name) ?? []), flag]);
  }
  return groups;
}

function formatSection(heading: string, lines: readonly string[]): string {
  return `\n${heading}:\n${lines.map((line) => `  ${line}`).join("\n")}`;
}

/**
 * Lines in two columns, to be indented by two; wrapped to the width of help in a pipe, since commander does not wrap
 * them.
 */
export function formatHelpTerms(terms: readonly Term[]): string[] {
  return formatTerms(terms, { width: HELP_WIDTH - 2 });
}
