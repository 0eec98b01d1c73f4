import type { Context } from "../base/context.ts";
import { usageError } from "../base/errors.ts";
import type { CommandName } from "../base/vocabulary.ts";
import { defineCommand } from "../cli/command.ts";
import { openZone } from "../time/open-zone.ts";
import type { RawValues } from "../cli/values.ts";
import { FORMAT_FLAGS } from "../format/flags.ts";
import { OUTPUT_FLAGS, OUTPUT_OPTIONS } from "../format/output-options.ts";
import { type FormatName, formatOfFile, nameFormats, supportsFlag } from "../format/registry.ts";
import { ANALYSIS_FLAGS } from "../format/analysis-flags.ts";
import { FETCH_OPTIONS } from "../options/fetch-options.ts";
import { COMPUTED_METRICS, isComputed } from "../base/computed-metrics.ts";
import { formatList } from "../base/phrases.ts";
import { findValues } from "../query/parameters.ts";
import type { StoredRun } from "../export/look-back/open-stored.ts";
import { type CHOICE_OPTIONS, FILE_OPTIONS, SHOW_OPTIONS } from "../options/look-options.ts";
import { QUERY_OPTIONS } from "../options/query-options.ts";
import { optionsOf, type OptionTable } from "../options/spec.ts";
import { UPKEEP_OPTIONS } from "../options/upkeep-options.ts";

const WINDOW = ["dateStart", "dateEnd", "last", "during", "complete"] as const;

/** What is kept has a window of its own, in which the newest value may be asked for. */
const OUTPUT = {
  ...OUTPUT_OPTIONS,
  latest: {
    ...OUTPUT_OPTIONS.latest,
    conflicts: OUTPUT_OPTIONS.latest.conflicts.filter((key) => !WINDOW.some((name) => name === key)),
  },
} as const;

export const show = defineCommand({
  arguments: [{ name: "output", kind: "file", hint: "name a file or folder that --update made: ents show price.csv" }],
  options: { "What to show": SHOW_OPTIONS, Output: { ...OUTPUT, ...nameFormats(FILE_OPTIONS) } },
  notes: {
    "What is shown": [
      "What --update has stored, without a request: the same rows in another format,",
      "a part of them, or the output as it was. Flags such as --pivot are those of",
      "the output's own command, in formats that have them, unless you give others.",
      "--last and other relative times count from the update that is shown.",
    ],
  },
  examples: [
    { command: "ents show price.csv --last 7d -f chart", does: "a chart of the newest week" },
    { command: "ents show price.csv -o price.parquet", does: "the same data in another format" },
    {
      command: "ents show price.csv --as-of -30d -o before.csv",
      does: "as it was known 30 days ago, if its updates have --history",
    },
  ],
  run: async ({ arguments: [name], given, context, report, describe }) => {
    const { showStored } = await import("../export/look-back/show-stored.ts");
    const { past, shown } = await resolveShown(name, given, context);
    await showStored(past, { ...shown, rerunCommand: describe({}) }, { context, report });
  },
});

/** What is stored of an output, and what flags of `ents show` make of it. @throws {EntsError} usage; output. */
export async function resolveShown(name: string, given: RawValues, context: Context) {
  const [{ openStored, goBack }, { DATA_COMMANDS, isMarked }, { readCommand }] = await Promise.all([
    import("../export/look-back/open-stored.ts"),
    import("./data.ts"),
    import("../cli/stored-command.ts"),
  ]);
  const [{ parseOptions }, { resolveQuery }, { resolveOutput }] = await Promise.all([
    import("../options/parse.ts"),
    import("../query/query.ts"),
    import("../export/output.ts"),
  ]);
  const options = parseOptions({ ...SHOW_OPTIONS, ...OUTPUT, ...FILE_OPTIONS }, given);
  const { formatName } = await resolveOutput(options, context, { kind: "series" });
  const past = await goBack(await openStored(name, context), options.asOf, context);
  const { call } = await readCommand(past.made.command, DATA_COMMANDS, context);
  const [command, network = ""] = [call.words[0] as CommandName, call.arguments[0]];
  const isCut = WINDOW.some((key) => given[key] !== undefined);
  const table = {
    ...optionsOf(QUERY_OPTIONS, command),
    ...optionsOf(OUTPUT, command),
    ...UPKEEP_OPTIONS,
    ...FETCH_OPTIONS,
  };
  if (options.with && command !== "facilities")
    throw usageError(
      `${OUTPUT_FLAGS.with} only works with outputs of 'ents facilities'; ${past.name} is of 'ents ${command}'`,
    );
  const values = parseOptions(table, pickKnown(table, inherit(call.values, dropChoices(given), { formatName, isCut })));
  checkKept(options.metrics, past);
  const resolved = resolveQuery(values, { command, network, now: past.now, zone: await openZone(values.timeZone) });
  const { notes, partial: all } = resolved;
  const chosen = (Object.keys(CHOICES) as (keyof typeof CHOICES)[]).flatMap((key) => {
    const labelled = options[key];
    return labelled ? [{ label: CHOICES[key], values: labelled }] : [];
  });
  const query = chosen.length === 0 ? resolved.query : { ...resolved.query, chosen };
  // Whole intervals are stored, and the output may end before the interval in progress.
  const partial = all.filter(
    ({ starts, isEdge }) => !isEdge && (starts[0] ?? 0) <= (past.window.end ?? Number.POSITIVE_INFINITY),
  );
  if (values.pivot !== undefined || query.computation)
    (await import("../query/checks.ts")).checkNeeds(query, { ...values, isChosen: true, isFixed: true });
  const output = await resolveOutput(values, context, { kind: "series", query, partial, now: context.now() });
  const shown = {
    query,
    // An open end is that of the output, not now.
    notes: isCut && values.dateEnd !== undefined ? notes : [],
    warnings: isMarked(output, false) ? [] : partial.map(({ text }) => text),
    output: { ...output, formatOptions: { ...output.formatOptions, partial } },
    options: values,
    command: past.made.command,
    isCut,
  };
  return { past, shown };
}

/** The label that each flag chooses by. */
const CHOICES = {
  metrics: "metric",
  networkRegion: "region",
  fueltech: "fueltech",
  facilityCode: "facility_code",
  unitCode: "unit_code",
} as const satisfies Readonly<Record<keyof typeof CHOICE_OPTIONS | "metrics", string>>;

function dropChoices(given: RawValues): RawValues {
  return Object.fromEntries(Object.entries(given).filter(([key]) => key === "metrics" || !Object.hasOwn(CHOICES, key)));
}

/** @throws {EntsError} usage: a metric that is not kept, nor made of those that are. */
function checkKept(metrics: readonly string[] = [], { name, made }: Pick<StoredRun, "name" | "made">): void {
  const kept = findValues(made, "metrics") ?? [];
  const other = metrics.find((metric) =>
    isComputed(metric) ? COMPUTED_METRICS[metric].parts.some((part) => !kept.includes(part)) : !kept.includes(metric),
  );
  if (other === undefined) return;
  throw usageError(`${other} is not kept for ${name}`, `use ${formatList([...new Set(kept)], "or")}`);
}

/** Without flags that only select what was fetched or stored. */
function pickKnown(table: OptionTable, values: RawValues): RawValues {
  return Object.fromEntries(Object.entries(values).filter(([key]) => Object.hasOwn(table, key)));
}

/** Flags that do not go with all analyses of the rows. */
const LAYOUT = ["shape", "pivot", "intervalEnd", "timeFormat"];
/** Flags about the rows, which mean the same in each format. */
const ROWS = ["shape", "pivot", "with", "intervalEnd", "timeZone", "rawNames"];

/** Analyses whose rows are those of the points. */
const OF_POINTS = ["above", "below", "minus", "rolling", "requireNone"];

/** Adds the flags of the output's command that its other outputs have, too: all of them in its own format. */
function inherit(
  values: RawValues,
  given: RawValues,
  { formatName, isCut }: { readonly formatName: FormatName; readonly isCut: boolean },
): RawValues {
  const isLaidOut = given["shape"] !== undefined || given["pivot"] !== undefined;
  const hasAnalysis = Object.keys(ANALYSIS_FLAGS).some((key) => given[key] !== undefined && !OF_POINTS.includes(key));
  const isSame = formatName === findFormat(values);
  const isInherited = (key: string) => {
    if (Object.hasOwn(QUERY_OPTIONS, key)) return !(isCut && WINDOW.some((flag) => flag === key));
    if (hasAnalysis && LAYOUT.includes(key)) return false;
    if (key === "shape" || key === "pivot") return !isLaidOut && supportsFlag(formatName, key);
    const isOfOutput = Object.hasOwn(FORMAT_FLAGS, key) || key === "timeZone";
    return (
      key === "baseUrl" ||
      key === "sandbox" ||
      (isOfOutput && (isSame || (ROWS.includes(key) && supportsFlag(formatName, key))))
    );
  };
  const own = Object.entries(given).filter(([, value]) => value !== undefined);
  return {
    ...Object.fromEntries(Object.entries(values).filter(([key]) => isInherited(key))),
    ...Object.fromEntries(own),
  };
}

function findFormat({ format, output, partition }: RawValues): unknown {
  return format ?? formatOfFile(String(output)) ?? (partition === undefined ? "csv" : "parquet");
}
