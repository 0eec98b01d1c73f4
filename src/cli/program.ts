/** Builds commander's parser from the command table. */
import { Command, CommanderError, Help, Option } from "commander";
import type { Context } from "../base/context.ts";
import { usageError } from "../base/errors.ts";
import { createReport } from "../base/report.ts";
import { describeOption, flagSyntax, flagOf, longSyntax, type NamedOption } from "../options/spec.ts";
import { COMMON_OPTIONS } from "../options/fetch-options.ts";
import { type CommandEntry, joinTables, type NamedCommand } from "./command.ts";
import {
  findHelpWidth,
  formatIntro,
  formatNotes,
  formatProgramNotes,
  formatUsage,
  groupFlags,
  hasBriefHelp,
  HELP_SUMMARY,
  SHARED_LINES,
} from "./help.ts";
import { hasSwitch, listLineage, readFlags, readVerbosity } from "./values.ts";
import { explainMisuse, MISPLACED } from "./explain.ts";

/** `-h`, alone or combined with other switches: `-qh`. */
const BRIEF_HELP = /^-[a-z]*h$/i;
const GLOBAL = "Global:";
const BRIEF = "Flags:";

export function createCommandLine(commands: readonly CommandEntry[], context: Context) {
  const program = createProgram(commands, context);
  return {
    /** Parses the arguments and runs their command; prints help without arguments. */
    run: async (argv: readonly string[]): Promise<void> => {
      rejectTypographicDashes(argv);
      try {
        const words = readHelpWord(argv);
        if (words.length === 0) program.outputHelp();
        else await program.parseAsync(words, { from: "user" });
      } catch (error) {
        if (error instanceof Misuse) throw await explainMisuse(error, argv, commands);
        // commander throws after help and version.
        if (!(error instanceof CommanderError)) throw error;
      }
    },
    /** Whether a switch is among the arguments parsed so far. */
    has: (key: "quiet" | "verbose") => hasSwitch(program, key),
  };
}

/** `ents network help` is `ents help network`. */
function readHelpWord(argv: readonly string[]): readonly string[] {
  if (argv[0] !== "help" && (argv.at(-1) !== "help" || argv.some((word) => word.startsWith("-")))) return argv;
  return ["help", ...argv.filter((word) => !["help", "--help", "-h"].includes(word))];
}

/** A word that begins with a typographic dash, which word processors substitute for hyphens: `—metrics`, `−7d`. */
const DASHED = /^[\u2013\u2014\u2212][\u2013\u2014\u2212-]*([a-z\d][^=]*)/iu;

/** @throws {EntsError} usage: names the first such word, without the value after `=`, which may be a token. */
function rejectTypographicDashes(words: readonly string[]): void {
  const [word = "", rest = ""] = words.map((argument) => DASHED.exec(argument)).find((match) => match !== null) ?? [];
  if (rest === "") return;
  const meant = `${/^(?:\d|.$)/.test(rest) ? "-" : "--"}${rest}`;
  const problem = `"${word}" begins with a dash that is not a hyphen (${word.charAt(0)})`;
  throw usageError(problem, undefined, { value: word, didYouMean: [meant] });
}

/** The parser of `ents`; a command is loaded when it is called. Parsing runs the command and throws its errors. */
function createProgram(entries: readonly CommandEntry[], context: Context): Command {
  const { stdout, stderr } = context;
  const program = new Command("ents")
    .usage("<command> [flags]")
    .description("Electricity network time series: complete and exact.")
    .addHelpOption(new Option("-h, --help", "print help"))
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .addHelpText("after", ({ command }) => formatProgramNotes(!command.args.includes("--help")))
    // Flags after the name of a command belong to that command.
    .enablePositionalOptions()
    .configureOutput({
      writeOut: (text) => void stdout.stream.write(text),
      // Help that nobody asked for is no message.
      writeErr: (text) => void (context.messageFormat === "json" || stderr.stream.write(text)),
      // Errors are thrown; main prints them.
      outputError: () => {},
      getOutHelpWidth: () => findHelpWidth(stdout.columns),
      getErrHelpWidth: () => findHelpWidth(stderr.columns),
    });
  program.createHelp = () => Object.assign(new ProgramHelp(), program.configureHelp());
  setUp(program, context);
  addOptions(program, Object.entries(COMMON_OPTIONS), {});
  for (const { name, summary } of entries) addChild(program, name, summary);
  program.hook("preSubcommand", async (_, command) => {
    const entry = entries.find(({ name }) => name === command.name());
    const isBrief = program.args.some((word) => BRIEF_HELP.test(word)) && !program.args.includes("--help");
    if (entry) addSpec(command, { ...entry, ...(await entry.load()) }, { context, isBrief });
  });
  // Replaces commander's help command, which does not load the command.
  const help = addChild(program, "help", HELP_SUMMARY).argument("[command...]").option("--json").helpOption(false);
  setUp(help, context);
  help.action(async (words: string[], { json }: { readonly json?: true }) => {
    const { describeCommandLine } = await import("./describe.ts");
    const described = json && (await describeCommandLine(entries, { version: context.version, words }));
    if (described) return void stdout.stream.write(`${JSON.stringify(described)}\n`);
    await createProgram(entries, context).parseAsync([...words, "--help"], { from: "user" });
  });
  return program;
}

/** Without `--help`, the help of `ents` itself fits a screen: related commands share a line, and flags are left out. */
class ProgramHelp extends Help {
  readonly isShort: (command: Command) => boolean = (command) =>
    command.parent === null && !command.args.includes("--help");

  override subcommandDescription(command: Command): string {
    const lead = command.parent && this.isShort(command.parent) ? SHARED_LINES[command.name()] : undefined;
    return lead?.summary ?? super.subcommandDescription(command);
  }

  override visibleCommands(command: Command): Command[] {
    const others = this.isShort(command) ? Object.values(SHARED_LINES).flatMap((line) => line.others) : [];
    return super.visibleCommands(command).filter((child) => !others.includes(child.name()));
  }

  override visibleOptions(command: Command): Option[] {
    return this.isShort(command) ? [] : super.visibleOptions(command);
  }
}

/** Set on every command and the program itself. */
function setUp(command: Command, { version }: Context): void {
  command.version(version, "--version", "print the version").exitOverride((error: CommanderError) => {
    // commander also throws after help and version, with exit code 0.
    throw error.exitCode === 0 ? error : new Misuse(command, error.code, error.message);
  });
  command.addHelpText("before", () => checkSubcommand(command));
  if (command.parent) command.options.find(({ long }) => long === "--version")?.hideHelp();
}

/** Refuses an unknown subcommand, for which commander would print the group's help. Adds no text to the help. */
function checkSubcommand(command: Command): string {
  const word = command.args.find((argument) => argument !== "help");
  if (command.commands.length === 0 || word === undefined || word.startsWith("-")) return "";
  throw new Misuse(command, "commander.unknownCommand", word);
}

interface Setup {
  readonly context: Context;
  /** True for `-h`, false for `--help`. */
  readonly isBrief: boolean;
}

function addSpec(command: Command, spec: NamedCommand, setup: Setup): void {
  const { context } = setup;
  const isBrief = setup.isBrief && hasBriefHelp(spec);
  setUp(command, context);
  command
    .description(formatIntro(spec, isBrief))
    .usage(formatUsage(spec))
    .addHelpOption(new Option("-h, --help", "print help").helpGroup(isBrief ? BRIEF : GLOBAL));
  // Optional for commander: explainMissing has a better message.
  for (const { name, rest } of spec.arguments ?? []) command.argument(`[${name}${rest ? "..." : ""}]`);
  for (const [heading, flags] of groupFlags(spec.options))
    addOptions(command, flags, { heading: `${heading}:`, isBrief });
  addOptions(command, Object.entries(COMMON_OPTIONS), spec.run ? { heading: GLOBAL, isBrief } : {});
  if (spec.subcommands) command.helpCommand("help [command]", HELP_SUMMARY);
  for (const child of spec.subcommands ?? []) addSpec(addChild(command, child.name, child.summary), child, setup);
  command.addHelpText("after", () => (isBrief ? `\n'ents ${spec.name} --help' shows all flags` : formatNotes(spec)));
  if (spec.run) command.action(() => runCommand(spec, command, context));
}

/** A command that is not loaded yet: name and summary only. */
function addChild(parent: Command, name: string, summary: string): Command {
  const command = new Command(name).copyInheritedSettings(parent).summary(summary);
  parent.addCommand(command);
  return command;
}

interface OptionHelp {
  readonly heading?: string;
  readonly isBrief?: boolean;
}

/** Without a heading, the options are hidden in help. */
function addOptions(command: Command, flags: readonly NamedOption[], { heading, isBrief = false }: OptionHelp): void {
  for (const option of flags) {
    const [key, spec] = option;
    const isHidden = heading === undefined || (isBrief ? spec.brief === undefined : spec.forPrograms === true);
    const shown = createOption(option, flagSyntax(key, spec), isBrief).hideHelp(isHidden);
    command.addOption(heading === undefined ? shown : shown.helpGroup(isBrief ? BRIEF : heading));
    for (const alias of spec.aliases ?? []) {
      const hidden = createOption(option, longSyntax(alias, spec)).hideHelp();
      hidden.attributeName = () => key;
      command.addOption(hidden);
    }
  }
}

function createOption([key, spec]: NamedOption, syntax: string, isBrief = false): Option {
  const option = new Option(syntax, isBrief ? spec.brief : describeOption(spec));
  // Otherwise its name would be that of the flag.
  if (spec.spelling !== undefined) option.attributeName = () => key;
  return spec.argument !== undefined && !spec.list ? option.argParser(readOnce(flagOf(key, spec))) : option;
}

/** Refuses a flag that is repeated with another value. */
function readOnce(flag: string) {
  return (value: string, previous: string | undefined): string => {
    if (previous === undefined || previous === value) return value;
    throw usageError(`${flag} is given twice: ${previous} and ${value}`, "use one of them");
  };
}

async function runCommand(
  { run, arguments: args = [], options = {} }: NamedCommand,
  command: Command,
  context: Context,
): Promise<void> {
  const values = await readFlags(joinTables(options), command, context);
  const isMisplaced = args.some((argument, index) => argument.isMisplaced?.(command.args[index] ?? ""));
  if (isMisplaced && values["allowUnknown"] !== true) throw new Misuse(command, MISPLACED, "");
  const report = createReport(context, readVerbosity(command));
  const [, ...lineage] = listLineage(command);
  try {
    await run?.({ words: lineage.map((level) => level.name()), arguments: command.args, values, context, report });
  } finally {
    report.end();
  }
}

/** A command line that commander refuses; explain.ts turns it into a message. */
class Misuse extends CommanderError {
  readonly command: Command;

  constructor(command: Command, code: string, message: string) {
    super(2, code, message);
    this.command = command;
  }
}
