/** Protects files that `--update` keeps current from other outputs. */
import { resolve } from "node:path";
import { usageError } from "../base/errors.ts";
import { UPKEEP_FLAGS } from "../options/upkeep-options.ts";
import type { Target } from "./destination/target.ts";

/**
 * @throws {EntsError} usage: `--update` keeps the existing file current, under this name or that of the link's target.
 */
export async function refuseUpdated(target: Target | undefined, cwd: string, hint: string): Promise<void> {
  if (target?.kind !== "file" || !target.old) return;
  const { hasFinishedRun } = await import("../store/journal.ts");
  for (const path of new Set([resolve(cwd, target.name), target.path])) {
    // An unreadable folder is reported by whoever writes to it.
    const isUpdated = await hasFinishedRun(`${path}.ents`).catch(() => false);
    if (isUpdated) throw usageError(`${target.name} is kept current by ${UPKEEP_FLAGS.update}`, hint);
  }
}
