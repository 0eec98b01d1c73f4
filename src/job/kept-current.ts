/** Protects files that `--update` keeps current from other outputs. */
import { join, resolve } from "node:path";
import { usageError } from "../base/errors.ts";
import { EMPTY_JOURNAL, JOURNAL, readJournal } from "../kept/journal.ts";
import { UPKEEP_FLAGS } from "../options/upkeep-options.ts";
import type { FileTarget } from "./destination/target.ts";

/** @throws {EntsError} usage: `--update` keeps the existing file current, under this name or that of the link's target. */
export async function checkKeptCurrent({ name, path }: FileTarget, cwd: string, hint: string): Promise<void> {
  for (const one of new Set([resolve(cwd, name), path])) {
    // An unreadable folder is reported by whoever writes to it.
    const { runs } = await readJournal(join(`${one}.ents`, JOURNAL)).catch(() => EMPTY_JOURNAL);
    if (runs.length > 0) throw usageError(`${name} is kept current by ${UPKEEP_FLAGS.update}`, hint);
  }
}
