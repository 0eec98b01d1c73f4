/** Candidates for a word, from the option tables. */
import { supportsFlag } from "../../format/registry.ts";
import { flagOf, type NamedOption, type OptionSpec, type ValueKind } from "../../options/spec.ts";
import type { Suggestion, Completion } from "./candidate.ts";
import { listFiles, listOutputs, type Word } from "./files.ts";
import { type TypedLine, splitFlag, listTypedValues } from "./line.ts";
import { FUELTECH_GROUPS, FUELTECHS, hasNoData, isGenericFueltech } from "../../base/fueltechs.ts";
import { ALL_METRICS } from "../../base/computed-metrics.ts";
import { findNetwork, HOME_NETWORKS, NETWORKS, STATUSES, UNIT_GROUPS, UNIT_LABEL } from "../../base/vocabulary.ts";
import { CONFIG_KEYS } from "../../settings/config-keys.ts";

/** Does not filter candidates by the text after the prefix, except for short flags and hidden files. */
export async function complete(word: Word, line: TypedLine): Promise<Completion> {
  const { open, level, flagsEnded } = line;
  const isFlag = word.text.startsWith("-") && !flagsEnded;
  if (open && (open.needed || !isFlag)) return completeValue(open.flag, word, line);
  if (isFlag) return completeFlag(word.text, line);
  if (level.commands.length > 0)
    return plain(level.commands.map(({ name, summary }) => ({ value: name, help: summary })));
  const argument = level.arguments[line.arguments.length] ?? level.arguments.find(({ rest }) => rest);
  if (argument?.kind === "file") {
    const { prefix, candidates: files } = listOutputs(word, line.context);
    const left = files.filter(({ value }) => !line.arguments.includes(prefix + value));
    if (left.length > 0 || word.text !== "") return { prefix, candidates: left };
  }
  const values = argument ? await listValues(argument, line) : [];
  const candidates = values.filter(({ value }) => !line.arguments.includes(value));
  const isOver = candidates.length === 0 && (!argument || argument.rest);
  return plain(isOver && word.text === "" && !flagsEnded ? listNextFlags(line) : candidates);
}

function plain(candidates: readonly Suggestion[]): Completion {
  return { prefix: "", candidates };
}

async function completeValue([key, spec]: NamedOption, word: Word, line: TypedLine): Promise<Completion> {
  const { text } = word;
  if (spec.kind === "file") return listFiles(word, line.context);
  if (spec.list && text.startsWith("@"))
    return within("@", listFiles({ text: text.slice(1), hasTilde: false }, line.context));
  const values = await listValues(spec, line);
  if (!spec.list) return plain(values);
  const prefix = text.slice(0, text.lastIndexOf(",") + 1);
  const used = new Set([...(line.values[key] ?? []), prefix].flatMap((value) => value.split(",")));
  return { prefix, candidates: values.filter(({ value }) => !used.has(value)) };
}

function within(start: string, { prefix, candidates }: Completion): Completion {
  return { prefix: start + prefix, candidates };
}

async function completeFlag(text: string, line: TypedLine): Promise<Completion> {
  const { flags, start, value } = splitFlag(text, line.level.table);
  const flag = flags.at(-1);
  if (flag?.[1].argument !== undefined && value !== undefined) {
    return within(start, await completeValue(flag, { text: value, hasTilde: false }, line));
  }
  if (text.startsWith("--") || text === "-") return plain(listFlags(line));
  // Short flags are offered as typed if all of them are known.
  return plain(flag && flags.length === text.length - 1 ? [{ value: text, help: flag[1].help }] : []);
}

/** Flags to offer before a word is begun: the missing required ones, else all. */
function listNextFlags(line: TypedLine): Suggestion[] {
  const missing = Object.entries(line.level.table).filter(
    ([key, { required }]) => required && line.values[key] === undefined,
  );
  return missing.length > 0 ? missing.map(describeFlag) : listFlags(line);
}

function listFlags({ level: { table, extraFlags }, values }: TypedLine): Suggestion[] {
  const format = values["format"]?.at(-1) ?? "";
  const isGiven = (key: string) => values[key] !== undefined;
  const excluded = new Set(Object.keys(values).flatMap((key) => table[key]?.conflicts ?? []));
  const possible = Object.entries(table)
    .filter(
      ([key, { list, conflicts = [] }]) => (list || !isGiven(key)) && !excluded.has(key) && !conflicts.some(isGiven),
    )
    .filter(([key]) => supportsFlag(format, key));
  return [...possible.map(describeFlag), ...extraFlags];
}

function describeFlag([key, spec]: NamedOption): Suggestion {
  return { value: flagOf(key, spec), help: spec.help };
}

/** The choices of a flag or an argument, or the values of its kind. */
async function listValues(
  {
    kind,
    choices = [],
    offered = choices,
    suggestions = [],
  }: Pick<OptionSpec, "kind" | "choices" | "offered" | "suggestions">,
  line: TypedLine,
): Promise<Suggestion[]> {
  const values = kind ? await VALUES[kind](line) : toCandidates(offered);
  return [...toCandidates(suggestions), ...values];
}

const VALUES: Readonly<Record<ValueKind, (line: TypedLine) => Suggestion[] | Promise<Suggestion[]>>> = {
  // Loaded late: most words need no list.
  facility: async (line) => (await import("./codes.ts")).listFacilityCodes(line),
  // Files depend on the typed word; completeValue lists them.
  file: () => [],
  format: offerFormats,
  fueltech: () => toCandidates(FUELTECHS.filter((code) => !isGenericFueltech(code) && !hasNoData(code))),
  "fueltech group": () => toCandidates(FUELTECH_GROUPS),
  label: offerLabels,
  metric: offerMetrics,
  network: () => Object.entries(NETWORKS).map(([value, { regions }]) => ({ value, help: regions.join(" ") })),
  region: offerRegions,
  setting: ({ arguments: [key = ""] }) => toCandidates(CONFIG_KEYS[key]?.suggestions ?? []),
  status: () => toCandidates(STATUSES),
  "time zone": () => toCandidates("supportedValuesOf" in Intl ? Intl.supportedValuesOf("timeZone") : []),
  unit: async (line) => (await import("./codes.ts")).listUnitCodes(line),
};

function toCandidates(values: readonly string[]): Suggestion[] {
  return values.map((value) => ({ value }));
}

function offerFormats({ level: { table }, values }: TypedLine): Suggestion[] {
  const { choices = [], offered = choices } = table["format"] ?? {};
  return toCandidates(offered.filter((name) => Object.keys(values).every((key) => supportsFlag(name, key))));
}

/** The labels of series: of facilities, those of units, or of their sums. */
function offerLabels({ level: { name, table }, values }: TypedLine): Suggestion[] {
  if (name !== "facilities") return toCandidates(table["groupBy"]?.choices ?? []);
  const groups = Object.entries(UNIT_GROUPS).flatMap(([group, label]) =>
    label && values["groupBy"]?.includes(group) ? [label] : [],
  );
  return toCandidates(groups.length > 0 ? groups : [UNIT_LABEL]);
}

/** Metrics that the public service offers for the command. */
function offerMetrics({ level: { name: command } }: TypedLine): Suggestion[] {
  return Object.entries(ALL_METRICS)
    .filter(([, { offeredBy }]) => offeredBy.some((name) => name === command))
    .map(([value, facts]) => ({ value, help: `${facts.parts ? "computed: " : ""}${facts.meaning} (${facts.unit})` }));
}

/** The regions of the networks on the line, or of all. */
function offerRegions(line: TypedLine): Suggestion[] {
  const networks = listTypedValues("network", line).map((code) => findNetwork(code.toUpperCase()));
  const chosen = [...HOME_NETWORKS].filter(
    ([region]) => networks.length === 0 || networks.some((network) => network?.regions.includes(region)),
  );
  const isOneNetwork = new Set(chosen.map(([, home]) => home)).size === 1;
  return chosen.map(([value, home]) => ({ value, help: isOneNetwork ? undefined : home }));
}
