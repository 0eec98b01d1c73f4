/** From the command table to commander's parser. */
import { Command, Option } from "commander";
import type { Context } from "../base/context.ts";
import { COMMON_OPTIONS } from "../options/fetch-options.ts";
import { flagSyntax, type OptionTable } from "../options/spec.ts";
import { createReport } from "../base/report.ts";
import type { CommandEntry, CommandSpec } from "./command.ts";
import { readValues } from "./values.ts";

const DESCRIPTION = "Electricity network time series: power, energy, price, demand and emissions, complete and exact.";

const AFTER_HELP = `
First steps:
  ents network NEM --metrics power energy --sandbox    synthetic data, no account
  ents login                                           store the token of your account

Environment:
  ENTS_TOKEN, OPENELECTRICITY_API_KEY    the token, before the stored one
  ENTS_BASE_URL                          address of the v4 service
  ENTS_CONFIG_DIR                        where settings and tokens are kept
  HTTPS_PROXY, HTTP_PROXY, NO_PROXY      proxies
  NO_COLOR, FORCE_COLOR                  colours

Exit codes:
  0 done, also without data    1 a bug in ents            2 usage
  3 authentication             4 refused by the service   5 service unreachable or failing
  6 output not written         130, 143 stopped`;

const EVERYWHERE = "Everywhere:";

/** The command that is called, with what was loaded of it. */
export interface CalledCommand {
  readonly entry: CommandEntry;
  readonly spec: CommandSpec;
}

/** The parser of `ents`, in which the called command alone is whole. Parsing runs it; what goes wrong is thrown. */
export function createProgram(entries: readonly CommandEntry[], called: CalledCommand | undefined, context: Context): Command {
  const program = new Command("ents")
    .usage("<command> [flags]")
    .description(DESCRIPTION)
    .version(context.version, "--version", "print the version")
    .addHelpOption(new Option("-h, --help", "print help"))
    .helpCommand("help [command]", "print help of a command")
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .addHelpText("after", AFTER_HELP)
    .exitOverride()
    .configureOutput(configureOutput(context));
  for (const entry of entries) {
    const isCalled = entry === called?.entry;
    program.addCommand(
      isCalled ? createCommand({ ...entry, ...called.spec }, program, context) : new Command(entry.name).summary(entry.summary),
    );
  }
  return program;
}

type NamedSpec = CommandSpec & Pick<CommandEntry, "name" | "summary">;

function configureOutput({ stdout, stderr }: Context) {
  return {
    writeOut: (text: string) => void stdout.stream.write(text),
    writeErr: (text: string) => void stderr.stream.write(text),
    // Errors are thrown, and worded in one place.
    outputError: () => {},
    getOutHelpWidth: () => Math.min(stdout.columns ?? 100, 100),
    getErrHelpWidth: () => Math.min(stderr.columns ?? 100, 100),
  };
}

function createCommand(spec: NamedSpec, parent: Command, context: Context): Command {
  const command = new Command(spec.name)
    .copyInheritedSettings(parent)
    .summary(spec.summary)
    .description(capitalize(spec.summary))
    .addHelpOption(new Option("-h, --help", "print help").helpGroup(EVERYWHERE));
  // Optional for the parser: the command says more of one that is missing than commander would.
  for (const argument of spec.arguments ?? []) command.argument(argument.replace(/^<(.*)>$/, "[$1]"));
  for (const child of spec.subcommands ?? []) command.addCommand(createCommand(child, command, context));
  for (const [heading, table] of Object.entries(spec.options ?? {})) addOptions(command, `${heading}:`, table);
  if (spec.run) addOptions(command, EVERYWHERE, COMMON_OPTIONS);
  command.usage([...(spec.arguments ?? []), spec.subcommands ? "<command>" : "[flags]"].join(" "));
  command.addHelpText("after", formatNotes(spec) + formatExamples(spec));
  const { run } = spec;
  if (run) command.action(() => runCommand({ ...spec, run }, command, context));
  return command;
}

async function runCommand(spec: Required<Pick<CommandSpec, "run">> & CommandSpec, command: Command, context: Context): Promise<void> {
  const tables: OptionTable[] = [...Object.values(spec.options ?? {}), COMMON_OPTIONS];
  const values = await readValues(Object.fromEntries(tables.flatMap((table) => Object.entries(table))), command, context);
  const report = createReport(context, values);
  await spec.run({ arguments: command.args, values, context, report });
}

function addOptions(command: Command, heading: string, table: OptionTable): void {
  for (const [key, spec] of Object.entries(table)) {
    command.addOption(new Option(flagSyntax(key, spec), spec.help).helpGroup(heading));
  }
}

function formatNotes({ notes = {} }: CommandSpec): string {
  return Object.entries(notes)
    .map(([heading, lines]) => `\n${heading}:\n${lines.map((line) => `  ${line}`).join("\n")}\n`)
    .join("");
}

function formatExamples({ examples = [] }: CommandSpec): string {
  if (examples.length === 0) return "";
  return `\nExamples:\n${examples.map(({ command, does }) => `  # ${does}\n  ${command}`).join("\n")}`;
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
