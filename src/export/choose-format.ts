/** Chooses the output format by flag, file name, or whether the output is a terminal. */
import { closeSync, constants, openSync } from "node:fs";
import { isatty } from "node:tty";
import { findNamesLike, OTHER_NAMES } from "../base/other-names.ts";
import { usageError } from "../base/errors.ts";
import { formatList, formatNumber } from "../base/phrases.ts";
import { OUTPUT_FLAGS, OUTPUT_OPTIONS } from "../format/output-options.ts";
import {
  describeFormat,
  findFormats,
  type FormatName,
  formatOfFile,
  isCompressed,
  refuseList,
} from "../format/registry.ts";
import { isForecast } from "../base/vocabulary.ts";
import { UPKEEP_FLAGS } from "../options/upkeep-options.ts";
import { QUERY_FLAGS } from "../options/query-options.ts";
import { estimateIntervals, type Plan } from "../plan/plan.ts";
import type { Query } from "../query/query.ts";
import type { Target } from "./destination/target.ts";

const DATASET_FORMATS = formatList(
  findFormats(({ dataset }) => dataset),
  "or",
);

/** A query's series, a list without series, or the plan of a dry run. */
export type ContentKind = "series" | "list" | "plan";

export function defaultFormat(onTerminal: boolean): FormatName {
  return onTerminal ? "table" : "csv";
}

/**
 * The format by file extension, undefined without one; for a folder parquet. Errors suggest the formats that can hold
 * the content.
 * @throws {EntsError} usage: a file with an unknown extension, or a folder with the extension of another format.
 */
export function guessFormat(target: Target | undefined, content: ContentKind): FormatName | undefined {
  const format = target && formatOfFile(target.name);
  if (target?.kind === "folder") {
    if (format === undefined || format === "parquet") return "parquet";
    throw usageError(
      `cannot tell the format of the files in the folder ${target.name}`,
      `choose it with ${OUTPUT_FLAGS.format} (${DATASET_FORMATS}), or use a name without an extension`,
    );
  }
  const extension = target?.kind === "file" ? findExtension(target.name) : undefined;
  if (format !== undefined || extension === undefined) return format;
  const allowed = findFormats(
    ({ gzip, seriesOnly }) => (gzip || !isCompressed(extension)) && !(seriesOnly && content === "list"),
  );
  const suffix = isCompressed(extension) ? ".gz" : "";
  const extensions = allowed.flatMap((name) => describeFormat(name).extensions.map((known) => `.${known}${suffix}`));
  const meant = findNamesLike(extension.slice(1).toLowerCase(), OTHER_NAMES.values.format).flatMap((name) =>
    allowed.filter((own) => own === name),
  );
  throw usageError(
    `unknown file extension ${extension}`,
    `use ${formatList(extensions, "or")}, or choose the format with ${OUTPUT_FLAGS.format}`,
    {
      value: extension,
      allowed: extensions,
      didYouMean: meant.flatMap((name) =>
        describeFormat(name)
          .extensions.slice(0, 1)
          .map((first) => `.${first}`),
      ),
    },
  );
}

function findExtension(name: string): string | undefined {
  return /(?:\.[^./\\]+)?\.gz$/i.exec(name)?.[0] ?? /[^./\\](\.[^./\\]+)$/.exec(name)?.[1];
}

/** @throws {EntsError} usage: the content cannot be written there in this format. */
export function checkFormat(name: FormatName, content: ContentKind, { target, onTerminal }: OutputPlace): void {
  const { binary, seriesOnly, gzip, dataset } = describeFormat(name);
  if (target?.kind === "file" && isCompressed(target.name) && !gzip) {
    const formats = findFormats((entry) => entry.gzip);
    throw usageError(
      `cannot write ${target.name}: ${name} cannot be compressed`,
      `use ${formatList(formats, "or")}, or a file name without .gz`,
    );
  }
  if (target?.kind === "folder" && !dataset) {
    throw usageError(`${UPKEEP_FLAGS.partition} cannot write ${name}`, `use ${DATASET_FORMATS}`);
  }
  if (content === "list" && seriesOnly) throw refuseList(name);
  if (content !== "plan" && binary && (onTerminal || isTerminalTarget(target))) {
    throw usageError(
      `cannot write ${name} to a terminal`,
      `write to a file with ${OUTPUT_OPTIONS.output.short}, or into a pipe`,
    );
  }
}

/** @throws {EntsError} usage: the window has more intervals than the format can have rows. */
export function checkRows(name: FormatName, { query, now }: Pick<Plan, "query" | "now">): void {
  const { maxRows } = describeFormat(name);
  const intervals = estimateIntervals(query, now);
  if (maxRows === undefined || intervals === undefined || intervals <= maxRows) return;
  throw usageError(
    `${name} holds at most ${formatNumber(maxRows)} rows; this window has ${formatNumber(intervals)} intervals of ${query.interval}`,
    `use another ${OUTPUT_FLAGS.format}, such as csv, a coarser ${QUERY_FLAGS.interval} or a shorter window`,
  );
}

/**
 * Explains a file name that suggests another format, if one of the two is binary. Otherwise undefined: csv in a .txt is
 * fine.
 */
export function explainForeignName(name: FormatName, target: Target | undefined): string | undefined {
  const named = target?.kind === "file" ? formatOfFile(target.name) : undefined;
  if (named === undefined || named === name || !(describeFormat(named).binary || describeFormat(name).binary))
    return undefined;
  return `${target?.name} is written as ${name} (${OUTPUT_FLAGS.format}), though its name says ${named}`;
}

interface OutputPlace {
  /** Undefined for standard output. */
  readonly target: Target | undefined;
  /** True if the output is standard output and that is a terminal. */
  readonly onTerminal: boolean;
}

function isTerminalTarget(target: Target | undefined): boolean {
  if (target?.kind === "descriptor") return isatty(target.fd);
  if (target?.kind !== "device") return false;
  let fd: number | undefined;
  try {
    fd = openSync(target.path, constants.O_WRONLY | constants.O_NOCTTY | constants.O_NONBLOCK);
    return isatty(fd);
  } catch {
    // Opening it for writing will report the error.
    return false;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** @throws {EntsError} usage: a forecast, the output is a file, or its format cannot be continued without end. */
export function checkFollow(
  { formatName, target }: Pick<OutputPlace, "target"> & { readonly formatName: FormatName },
  { metrics }: Pick<Query, "metrics">,
): void {
  const forecast = metrics.find(isForecast);
  if (forecast !== undefined)
    throw usageError(
      `${UPKEEP_FLAGS.follow} cannot follow ${forecast}: each run of a forecast replaces the one before`,
      `to keep the newest run in a file, use ${OUTPUT_OPTIONS.output.short} with ${UPKEEP_FLAGS.update}`,
    );
  const endless = [...findFormats(({ grows }) => grows), ...findFormats(({ redrawn }) => redrawn)];
  if (!endless.includes(formatName)) {
    throw usageError(
      `${UPKEEP_FLAGS.follow} only works with ${OUTPUT_FLAGS.format} ${formatList(endless, "or")}`,
      `the format is ${formatName}`,
    );
  }
  if (target?.kind === "file") {
    throw usageError(
      `${UPKEEP_FLAGS.follow} writes to standard output, not to a file`,
      `to keep ${target.name} current, use ${UPKEEP_FLAGS.update}\nto record what comes, use >> ${target.name} instead of ${OUTPUT_OPTIONS.output.short} (a single > empties it at each start)`,
    );
  }
}
