/** Collects facts for the reference and the man page from the program's tables and help. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { capture } from "./capture.mjs";

/** `load` imports a module of the compiled source by its name. */
export async function collectFacts(load, root) {
  const [
    { COMMANDS },
    { ENVIRONMENT, formatUsage, groupFlags },
    { EXIT_CODES },
    { COMMON_OPTIONS },
    options,
    { CONFIG_KEYS },
    { FORMATS },
    vocabulary,
    metrics,
    intervals,
    fueltechs,
    { main },
  ] = await Promise.all([
    load("commands/all"),
    load("cli/help"),
    load("base/exit-codes"),
    load("options/fetch-options"),
    load("options/spec"),
    load("settings/config-keys"),
    load("format/registry"),
    load("base/vocabulary"),
    load("base/computed-metrics"),
    load("base/intervals"),
    load("base/fueltechs"),
    load("main/main"),
  ]);
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const readHelp = (words) => capture(main, [...words, "--help"], version);
  const commands = await Promise.all(
    COMMANDS.map((entry) => describeCommand(entry, [], { readHelp, formatUsage, groupFlags, options })),
  );
  return {
    version,
    released: findRelease(version, root),
    help: await readHelp([]),
    commands,
    common: listFlags(Object.entries(COMMON_OPTIONS), options),
    configKeys: Object.entries(CONFIG_KEYS).map(([name, spec]) => ({ name, help: options.describeOption(spec) })),
    formats: await Promise.all(
      Object.entries(FORMATS).map(async ([name, entry]) => ({
        name,
        ...(await entry.load()),
        ...entry,
        flags: listFlags(Object.entries(entry.flags), options),
      })),
    ),
    vocabulary: { ...vocabulary, ...metrics, ...intervals, ...fueltechs },
    environment: ENVIRONMENT,
    exitCodes: Object.values(EXIT_CODES),
  };
}

/** The release date of a version, from the changelog. */
function findRelease(version, root) {
  const changes = readFileSync(join(root, "CHANGELOG.md"), "utf8");
  const date = changes
    .split("\n")
    .find((line) => line.startsWith(`## [${version}] - `))
    ?.slice(-10);
  if (date === undefined) throw new Error(`CHANGELOG.md has no date for ${version}`);
  return date;
}

async function describeCommand(entry, parents, tools) {
  const spec = entry.load ? { ...entry, ...(await entry.load()) } : entry;
  const words = [...parents, entry.name];
  return {
    words,
    summary: entry.summary,
    usage: ["ents", ...words, tools.formatUsage(spec)].join(" "),
    groups: [...tools.groupFlags(spec.options)].map(([heading, flags]) => ({
      heading,
      flags: listFlags(flags, tools.options),
    })),
    examples: spec.examples ?? [],
    help: await tools.readHelp(words),
    subcommands: await Promise.all((spec.subcommands ?? []).map((child) => describeCommand(child, words, tools))),
  };
}

function listFlags(flags, { flagSyntax, describeOption, describeValues, describeDefault }) {
  return flags.map(([key, spec]) => {
    const values = describeValues(spec);
    const also = (spec.aliases ?? []).map((alias) => `; also --${alias}`).join("");
    return {
      syntax: flagSyntax(key, spec),
      parameter: spec.parameter,
      help: (values === undefined ? spec.help : `${spec.help} (${values})`) + also,
      default: describeDefault(spec) ?? "",
      /** The complete description, as in help. */
      described: describeOption(spec) + also,
    };
  });
}
