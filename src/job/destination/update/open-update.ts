/** `--update`: continues an existing file of rows, from some time before its last row. */
import { basename, dirname, join } from "node:path";
import type { Context } from "../../../base/context.ts";
import { usageError } from "../../../base/errors.ts";
import { formatList } from "../../../base/suggest.ts";
import { OUTPUT_OPTIONS } from "../../../format/output-options.ts";
import { findSupporting } from "../../../format/name-formats.ts";
import { isCompressed } from "../../../format/registry.ts";
import { UPKEEP_FLAGS } from "../../../options/upkeep-options.ts";
import { approximateMs } from "../../../time/duration.ts";
import type { Output } from "../../output.ts";
import { createDescriber } from "../../package/describe.ts";
import type { Destination, Surroundings } from "../interface.ts";
import type { FileTarget } from "../target.ts";
import { withLock } from "../with-lock.ts";
import { checkInterval } from "../continue/check-interval.ts";
import { type ChangeLog, openChangeLog } from "./change-log.ts";
import { checkNullCells, checkNullText } from "./check-null.ts";
import { checkLogName, checkNoPartition } from "./check-place.ts";
import { copyOld } from "./copy-old.ts";
import { continueFile } from "./continue-file.ts";
import type { Updating } from "./facts.ts";
import { findContinued } from "./find-continued.ts";
import { startFile } from "./start-file.ts";

/**
 * @throws {EntsError} usage: the output cannot be updated, or is another query's; output: it cannot be read, or is not as ents
 * writes it.
 */
export async function openUpdate(updating: Updating, surroundings: Surroundings): Promise<Destination> {
  const { query, output, options } = updating;
  const { context } = surroundings;
  const target = checkOutput(output);
  checkNullText(output);
  await checkNoPartition(target, context.cwd);
  const interval = checkInterval(query);
  const describer = await createDescriber(updating, context);
  const facts = { ...updating, target, describer, interval };
  const log = options.changes === undefined ? undefined : await openLog(options.changes, target, context);
  const copy = target.old && (await copyOld(target, context, options.dryRun));
  const discard = async () => copy?.discard();
  const continued = await findContinued(facts, copy, surroundings).catch(async (error: unknown) => {
    await discard().catch(() => {});
    throw error;
  });
  const settlesAfter = approximateMs(options.revise);
  const destination = continued
    ? continueFile({ ...facts, ...continued, log }, settlesAfter, surroundings)
    : startFile(facts, settlesAfter, surroundings);
  return {
    ...destination,
    // A lock of its own, as with --no-resume there is no checkpoint with one.
    put: (chunks, encoding) =>
      withLock(describeLock(target), context.process, () => destination.put(checkNullCells(chunks, output), encoding)),
    discard,
  };
}

function describeLock({ name, path, old }: FileTarget) {
  return { path: join(dirname(path), `.${basename(path)}.ents-lock`), name, exists: old !== undefined };
}

async function openLog(name: string, target: FileTarget, context: Context): Promise<ChangeLog> {
  await checkLogName(name, target, context);
  return openChangeLog(name, context);
}

function checkOutput({ target, formatName }: Output): FileTarget {
  const formats = findSupporting("update");
  if (!formats.includes(formatName)) {
    throw usageError(
      `${UPKEEP_FLAGS.update} cannot continue ${target?.name ?? "standard output"}: its format is ${formatName}`,
      `use ${formatList(formats, "or")}, or ${UPKEEP_FLAGS.partition} for parquet`,
    );
  }
  if (target?.kind !== "file") {
    throw usageError(`${UPKEEP_FLAGS.update} needs a regular file`, `use ${OUTPUT_OPTIONS.output.short} with the name of a file`);
  }
  if (isCompressed(target.name)) {
    throw usageError(`${UPKEEP_FLAGS.update} cannot continue a compressed file`, `use a name without .gz, or ${UPKEEP_FLAGS.partition}`);
  }
  return target;
}
