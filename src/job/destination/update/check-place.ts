/** Files that an update must not write: those of a dataset, and, as the log of changes, the output itself. */
import { basename, dirname, join, relative } from "node:path";
import type { Context } from "../../../base/context.ts";
import { usageError } from "../../../base/errors.ts";
import { OUTPUT_OPTIONS } from "../../../format/output-options.ts";
import { UPKEEP_FLAGS } from "../../../options/upkeep-options.ts";
import { readDescriptor } from "../../package/descriptor.ts";
import { findDescriptor } from "../../package/kept.ts";
import { DESCRIPTOR } from "../dataset/place.ts";
import { type FileTarget, resolveTarget } from "../target.ts";

const FILE = OUTPUT_OPTIONS.output.short;

/** @throws {EntsError} usage: the file stands among those of a dataset, which is updated as a whole. */
export async function checkNoPartition({ name, path }: FileTarget, cwd: string): Promise<void> {
  let root = dirname(path);
  while (/^\w+=/.test(basename(root))) root = dirname(root);
  const descriptor = root === dirname(path) ? undefined : await readDescriptor(join(root, DESCRIPTOR));
  if (!descriptor) return;
  const dataset = relative(cwd, root) || ".";
  const { partition } = descriptor.origin;
  const period = typeof partition === "string" ? partition : "month";
  throw usageError(
    `${name} is part of the dataset ${dataset}`,
    `to update that, use ${FILE} ${dataset} ${UPKEEP_FLAGS.partition} ${period}; or choose another file with ${FILE}`,
  );
}

/** @throws {EntsError} usage: the log would be the file itself, its description, or standard output. */
export async function checkLogName(log: string, { name }: FileTarget, context: Context): Promise<void> {
  if (log === "-")
    throw usageError(
      `${UPKEEP_FLAGS.changes} needs the name of a file, not - (standard output)`,
      `use ${UPKEEP_FLAGS.changes} changes.csv`,
    );
  // What cannot be written is reported when it is written.
  const find = (file: string) => resolveTarget(file, context).catch(() => undefined);
  const logged = await find(log);
  for (const own of [name, findDescriptor(name)]) {
    const target = await find(own);
    if (logged?.kind !== "file" || target?.kind !== "file" || target.path !== logged.path) continue;
    throw usageError(
      `${UPKEEP_FLAGS.changes} ${log} is a file that ${UPKEEP_FLAGS.update} itself writes`,
      `choose another file with ${UPKEEP_FLAGS.changes}`,
    );
  }
}
