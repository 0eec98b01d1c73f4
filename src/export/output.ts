/** Turns the output flags into format, options and target. */
import type { Context } from "../base/context.ts";
import { isInterval } from "../base/intervals.ts";
import { usageError } from "../base/errors.ts";
import { formatList, formatNumber } from "../base/phrases.ts";
import { IS_WINDOWS } from "../base/platform.ts";
import { UNIT_LABEL } from "../base/vocabulary.ts";
import { requireExpanded } from "../files/folders.ts";
import { findNameProblem } from "../files/windows-name.ts";
import { type DescribeChanged, isGiven } from "../options/check.ts";
import { flagOf, type OptionSpec } from "../options/spec.ts";
import { FORMAT_FLAGS } from "../format/flags.ts";
import { chooseLayout, type Format, type FormatOptions, NO_SCREEN } from "../format/format.ts";
import { describeFormat, findSupporting, FORMATS, type FormatName, supportsFlag } from "../format/registry.ts";
import { OUTPUT_FLAGS, OUTPUT_OPTIONS, type OutputValues } from "../format/output-options.ts";
import { UPKEEP_FLAGS, type UpkeepValues } from "../options/upkeep-options.ts";
import { ANALYSIS_FLAGS, type AnalysisFlag, type AnalysisValues } from "../format/analysis-flags.ts";
import { COMPARED_COLUMNS, type LayoutOptions } from "../series/layout/layout.ts";
import type { ValueLimits } from "../series/analyses/pick.ts";
import type { Analysis } from "../series/analyses/analysis.ts";
import { createZonedPrinter, type TimestampPrinter } from "../time/timestamp-printer.ts";
import { openZone } from "../time/open-zone.ts";
import type { Zone } from "../time/zone.ts";
import type { AnalysisRequest } from "./choose-analysis.ts";
import { checkFormat, type ContentKind, defaultFormat, guessFormat } from "./choose-format.ts";
import type { Target } from "./destination/target.ts";

export interface Output {
  readonly formatName: FormatName;
  readonly format: Format;
  readonly formatOptions: FormatOptions;
  readonly layout: LayoutOptions;
  readonly printTimestamp: TimestampPrinter;
  readonly zone: Zone;
  /** What is printed in place of all rows. */
  readonly analysis?: Analysis | undefined;
  /** Values beyond are picked, or counted in a summary. */
  readonly limits?: ValueLimits | undefined;
  /** Undefined for standard output. */
  readonly target: Target | undefined;
}

/**
 * `describe`: the command line. @throws {EntsError} usage: an unknown format or zone, a flag of another format, or a
 * format that cannot hold the content or be written there; output: the file cannot be written.
 */
export async function resolveOutput(
  { interval, ...values }: OutputFlagValues & { readonly interval?: string | undefined },
  context: Context,
  {
    kind: content,
    describe = () => "ents ...",
    ...asked
  }: { readonly kind: ContentKind; readonly describe?: DescribeChanged } & Partial<AnalysisRequest>,
): Promise<Output> {
  const { stdout } = context;
  const target = await resolveOutputTarget(values, context);
  const onTerminal = target === undefined && stdout.isTerminal;
  const formatName = values.format ?? guessFormat(target, content) ?? defaultFormat(onTerminal);
  rejectUnsupportedFlags(values, formatName, describe);
  checkSize(values, formatName);
  checkFormat(formatName, content, { target, onTerminal });
  const format = await FORMATS[formatName].load();
  const zone = await openZone(values.timeZone);
  const printTimestamp = createZonedPrinter(
    zone,
    values.timeFormat,
    interval !== undefined && isInterval(interval) ? interval : undefined,
  );
  const layout = resolveLayout(values, formatName);
  const { query, partial = [], now = 0 } = asked;
  const hasAnalysis =
    formatName === "openmetrics" || Object.keys(ANALYSIS_FLAGS).some((key) => isGiven(values[key as AnalysisFlag]));
  const { chooseAnalysis, findValueLimits } =
    (hasAnalysis && query ? await import("./choose-analysis.ts") : undefined) ?? {};
  const analysis = query && (await chooseAnalysis?.(values, { query, partial, now, formatName, zone, printTimestamp }));
  const figures = query?.transforms?.compare && COMPARED_COLUMNS;
  const chosen = analysis?.shape ?? (figures ? "long" : undefined);
  const shape = chosen && { shape: chosen };
  const screen = target === undefined ? stdout : { ...NO_SCREEN, unicode: stdout.unicode };
  return {
    formatName,
    format,
    formatOptions: { ...values, ...shape, screen },
    layout: { ...layout, ...shape, figures },
    printTimestamp,
    zone,
    analysis,
    limits: query && findValueLimits?.(values, query),
    target,
  };
}

/** The values of lists have no flags of series. */
type OutputFlagValues = Omit<OutputValues, "summary" | AnalysisFlag> &
  Partial<AnalysisValues> &
  Pick<UpkeepValues, "partition">;

function resolveLayout(values: OutputFlagValues, formatName: FormatName): LayoutOptions {
  const { shape, pivot } = values;
  if (values.with && pivot === UNIT_LABEL) {
    throw usageError(
      `${OUTPUT_FLAGS.with} cannot be used with ${OUTPUT_FLAGS.pivot} ${UNIT_LABEL}, whose rows are of all units`,
      "use one of them",
    );
  }
  if (pivot !== undefined && shape === "long") {
    throw usageError(`${OUTPUT_FLAGS.pivot} cannot be used with ${OUTPUT_FLAGS.shape} long`, "use one of them");
  }
  return chooseLayout(values, describeFormat(formatName));
}

/** Undefined for standard output, under any of its names. */
async function resolveOutputTarget(
  { output: path, partition }: Pick<OutputValues, "output"> & Pick<UpkeepValues, "partition">,
  context: Pick<Context, "cwd" | "process">,
): Promise<Target | undefined> {
  if (path === "-" && partition !== undefined)
    throw usageError(
      `${UPKEEP_FLAGS.partition} cannot write to standard output`,
      `name a folder with ${OUTPUT_OPTIONS.output.short}`,
    );
  if (path === undefined || path === "-") return undefined;
  checkName(path);
  const { resolveFolder, resolveTarget } = await import("./destination/target.ts");
  const target =
    partition === undefined ? await resolveTarget(path, context) : await resolveFolder(path, partition, context);
  if ("path" in target && OWN_RECORDS.test(target.path))
    throw usageError(
      `${path} is where ents keeps its own records of an output`,
      `choose another file with ${OUTPUT_OPTIONS.output.short}`,
    );
  return target.kind === "descriptor" && target.fd === 1 ? undefined : target;
}

/** What ents has received (`price.csv.ents/`, `.ents/` in a dataset), and descriptions of outputs. */
const OWN_RECORDS = /\.ents([/\\]|$)|[/\\]_datapackage\.json$|\.datapackage\.json$/;

/** @throws {EntsError} usage: a name that no file should have; the message says what was probably meant. */
function checkName(path: string): void {
  const { short } = OUTPUT_OPTIONS.output;
  const [, value = ""] = /^=(.*)/s.exec(path) ?? [];
  if (value)
    throw usageError(
      `the file name ${path} begins with "="`,
      `use ${short} ${value}; for a file of that name, ${short} ./${path}`,
    );
  requireExpanded(path, short);
  if (/^[a-z][a-z\d+.-]+:\/\//i.test(path))
    throw usageError(
      `${path} is an address, and ents writes to files`,
      `pipe it to a program that writes there: ents ... -f csv | <program>`,
    );
  const problem = IS_WINDOWS ? findNameProblem(path) : undefined;
  if (problem !== undefined) throw usageError(`cannot write ${path}: ${problem}`, `choose another name with ${short}`);
}

/** @throws {EntsError} usage: a flag that the format does not support. */
function rejectUnsupportedFlags(values: OutputFlagValues, formatName: FormatName, describe: DescribeChanged): void {
  for (const [key, spec] of Object.entries<OptionSpec>(FORMAT_FLAGS)) {
    const value = values[key as keyof typeof FORMAT_FLAGS];
    const isSet = value !== undefined && value !== (spec.negated === true);
    if (!isSet || supportsFlag(formatName, key)) continue;
    throw usageError(
      `${flagOf(key, spec)} only works with ${OUTPUT_FLAGS.format} ${formatList(findSupporting(key), "or")}`,
      key === "limit"
        ? `the format is ${formatName}; for the first rows:\n${describe({ limit: undefined, output: undefined, format: "csv" })} | head -n ${Number(value) + 1}`
        : `the format is ${formatName}`,
    );
  }
  const { timeFormats } = describeFormat(formatName);
  if (!timeFormats || values.timeFormat === undefined || timeFormats.includes(values.timeFormat)) return;
  throw usageError(
    `the times of ${formatName} are dates: it has no ${OUTPUT_FLAGS.timeFormat} ${values.timeFormat}`,
    `leave it out, or use ${OUTPUT_FLAGS.timeFormat} ${formatList(timeFormats, "or")}`,
  );
}

/** @throws {EntsError} usage: a picture larger than the format allows. */
function checkSize({ width, height }: OutputFlagValues, formatName: FormatName): void {
  const { maxSize } = describeFormat(formatName);
  for (const [key, value] of Object.entries({ width, height })) {
    if (value === undefined || maxSize === undefined || value <= maxSize.count) continue;
    throw usageError(
      `${flagOf(key)} ${value} is too large for ${formatName}`,
      `use at most ${formatNumber(maxSize.count)} ${maxSize.of}, or leave it out`,
    );
  }
}
