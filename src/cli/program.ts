/** From the command table to commander's parser. */
import { Command, CommanderError, Option } from "commander";
import type { Context } from "../base/context.ts";
import { usageError } from "../base/errors.ts";
import { createReport } from "../base/report.ts";
import { describeOption, flagSyntax } from "../options/describe.ts";
import { COMMON_OPTIONS } from "../options/fetch-options.ts";
import { flagOf, type OptionSpec, type OptionTable } from "../options/spec.ts";
import { type CommandEntry, type CommandSpec, joinTables, type NamedCommand } from "./command.ts";
import { formatEnvironment, formatExamples, formatExitCodes, formatNotes, formatUsage } from "./help.ts";
import { findHelpWidth } from "./help-width.ts";
import { Misuse } from "./misuse.ts";
import { listLineage, readValues, readVerbosity } from "./values.ts";

const DESCRIPTION = "Electricity network time series: power, energy, price, demand and emissions, complete and exact.";

const FIRST_STEPS = `
First steps:
  ents network NEM --metrics power energy --sandbox   synthetic data, no account
  ents market NEM -m price -i 1h --last 2d -r NSW1    real data, no account
  ents login                                          store your API token`;

const GLOBAL = "Global:";
const HELP_SUMMARY = "print the help of a command";

type RunnableSpec = CommandSpec & Required<Pick<CommandSpec, "run">>;

/** The parser of `ents`; a command is loaded when it is called. Parsing runs the command and throws its errors. */
export function createProgram(entries: readonly CommandEntry[], context: Context): Command {
  const program = new Command("ents")
    .usage("<command> [flags]")
    .description(DESCRIPTION)
    .addHelpOption(new Option("-h, --help", "print help"))
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .addHelpText("after", [FIRST_STEPS, formatEnvironment(), formatExitCodes()].join("\n"))
    // Flags after the name of a command belong to that command.
    .enablePositionalOptions()
    .configureOutput(configureOutput(context));
  setUp(program, context);
  addOptions(program, COMMON_OPTIONS);
  for (const { name, summary } of entries) addChild(program, name, summary);
  program.hook("preSubcommand", async (_program, command) => {
    const entry = entries.find(({ name }) => name === command.name());
    if (entry) addSpec(command, { ...entry, ...(await entry.load()) }, context);
  });
  addHelpCommand(program, entries, context);
  return program;
}

function configureOutput({ stdout, stderr }: Context) {
  return {
    writeOut: (text: string) => void stdout.stream.write(text),
    writeErr: (text: string) => void stderr.stream.write(text),
    // Errors are thrown; main prints them.
    outputError: () => {},
    getOutHelpWidth: () => findHelpWidth(stdout.columns),
    getErrHelpWidth: () => findHelpWidth(stderr.columns),
  };
}

/** Set on every command and the program itself. */
function setUp(command: Command, { version }: Context): void {
  command.version(version, "--version", "print the version").exitOverride((error: CommanderError) => {
    // commander also throws after help and version, with exit code 0.
    throw error.exitCode === 0 ? error : new Misuse(error, command);
  });
  command.addHelpText("before", () => checkSubcommand(command));
  if (command.parent) command.options.find(({ long }) => long === "--version")?.hideHelp();
}

/** commander prints a group's help for a word that is none of its commands. Adds nothing to the help. */
function checkSubcommand(command: Command): string {
  const word = command.args.find((one) => one !== "help");
  if (command.commands.length === 0 || word === undefined || word.startsWith("-")) return "";
  throw new Misuse(new CommanderError(2, "commander.unknownCommand", word), command);
}

/** Replaces commander's help command, which does not load the command. */
function addHelpCommand(program: Command, entries: readonly CommandEntry[], context: Context): void {
  const command = addChild(program, "help", HELP_SUMMARY).argument("[command...]").helpOption(false);
  setUp(command, context);
  command.action(async (words: string[]) => {
    await createProgram(entries, context).parseAsync([...words, "--help"], { from: "user" });
  });
}

function addSpec(command: Command, spec: NamedCommand, context: Context): void {
  setUp(command, context);
  command
    .description(capitalize(spec.summary))
    .usage(formatUsage(spec))
    .addHelpOption(new Option("-h, --help", "print help").helpGroup(GLOBAL));
  // Optional for commander: explainMissing has a better message.
  for (const { name, rest } of spec.arguments ?? []) command.argument(`[${name}${rest ? "..." : ""}]`);
  for (const [heading, table] of Object.entries(spec.options ?? {})) addOptions(command, table, `${heading}:`);
  addOptions(command, COMMON_OPTIONS, spec.run ? GLOBAL : undefined);
  if (spec.subcommands) command.helpCommand("help [command]", HELP_SUMMARY);
  for (const child of spec.subcommands ?? []) addSpec(addChild(command, child.name, child.summary), child, context);
  command.addHelpText("after", formatNotes(spec) + formatExamples(spec));
  const { run } = spec;
  if (run) command.action(() => runCommand({ ...spec, run }, command, context));
}

/** A command that is not loaded yet: name and summary only. */
function addChild(parent: Command, name: string, summary: string): Command {
  const command = new Command(name).copyInheritedSettings(parent).summary(summary);
  parent.addCommand(command);
  return command;
}

/** Without a heading, the options are hidden in help. */
function addOptions(command: Command, table: OptionTable, heading?: string): void {
  for (const [key, spec] of Object.entries(table)) {
    const option = new Option(flagSyntax(key, spec), describeOption(spec)).hideHelp(heading === undefined);
    if (spec.argument !== undefined && !spec.list) option.argParser(readOnce(flagOf(key, spec), spec));
    command.addOption(heading === undefined ? option : option.helpGroup(heading));
  }
}

/** The value of a flag that takes one, also if it is repeated. */
function readOnce(flag: string, { severalHint = "use one of them" }: OptionSpec) {
  return (value: string, previous: string | undefined): string => {
    if (previous === undefined || previous === value) return value;
    throw usageError(`${flag} is given twice: ${previous} and ${value}`, severalHint);
  };
}

async function runCommand({ run, options = {} }: RunnableSpec, command: Command, context: Context): Promise<void> {
  const values = await readValues(joinTables(options), command, context);
  const report = createReport(context, readVerbosity(command));
  const [, ...lineage] = listLineage(command);
  try {
    await run({ words: lineage.map((one) => one.name()), arguments: command.args, values, context, report });
  } finally {
    report.end();
  }
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
