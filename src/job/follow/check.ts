import { usageError } from "../../base/errors.ts";
import { formatList } from "../../base/phrases.ts";
import { OUTPUT_FLAGS, OUTPUT_OPTIONS } from "../../format/output-options.ts";
import { findFormats } from "../../format/registry.ts";
import { UPKEEP_FLAGS } from "../../options/upkeep-options.ts";
import type { Output } from "../output.ts";

const FORMATS = [...findFormats(({ grows }) => grows), ...findFormats(({ redrawn }) => redrawn)];

/** @throws {EntsError} usage: the output is a file, or of a format that has an end. */
export function checkFollow({ formatName, target }: Output): void {
  if (!FORMATS.includes(formatName)) {
    throw usageError(
      `${UPKEEP_FLAGS.follow} only works with ${OUTPUT_FLAGS.format} ${formatList(FORMATS, "or")}`,
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
