import { lstat, mkdir, mkdtemp, rmdir } from "node:fs/promises";
import type { Stats } from "node:fs";
import { dirname, join } from "node:path";
import type { Context } from "../base/context.ts";
import { codeOf, EntsError } from "../base/errors.ts";
import { type Release, takeLock } from "./lock.ts";
import { describeSystemError } from "./system-error.ts";
import { OUTPUT_OPTIONS } from "../format/output-options.ts";
import { FETCH_FLAGS } from "../options/fetch-options.ts";

/**
 * Why others may have put something into a folder, or may do so: it is a link, another user's, or open to others.
 * Undefined if they cannot; `uid` is undefined where there are no users (Windows).
 */
export async function findExposure(path: string, uid: number | undefined): Promise<string | undefined> {
  const status = await lstat(path);
  if (!status.isDirectory()) return `it is ${status.isSymbolicLink() ? "a link, " : ""}not a folder`;
  const exposure = uid === undefined ? undefined : describeExposure(status, uid);
  return exposure !== undefined && (await hasPermissions(path, status)) ? exposure : undefined;
}

function describeExposure({ uid, mode }: Stats, own: number): string | undefined {
  if (uid !== own) return "it belongs to another user";
  return (mode & 0o022) === 0 ? undefined : "other users can write to it";
}

/** Some file systems (FAT, network shares) show one owner and one mode for everything: there, a new folder looks the same. */
async function hasPermissions(path: string, { uid, mode }: Stats): Promise<boolean> {
  const probe = await mkdtemp(`${path}.`);
  const fresh = await lstat(probe);
  await rmdir(probe);
  return fresh.uid !== uid || fresh.mode !== mode;
}

const LOCK = "lock";

interface Guard extends Pick<Context, "process"> {
  readonly shown: string;
  readonly output: string;
}

/** A folder of this user alone, which no other run uses meanwhile; made where it is missing. Tries again where another run ends and removes the folder. */
export async function lockFolder(folder: string, guard: Guard, tries = 10): Promise<Release> {
  const { output, process } = guard;
  try {
    await openFolder(folder, guard);
    return await takeLock({ path: join(folder, LOCK), guards: output, process });
  } catch (error) {
    if (codeOf(error) !== "ENOENT" || tries === 1) throw error;
    return lockFolder(folder, guard, tries - 1);
  }
}

/** Creates the folder where it is missing. */
async function openFolder(folder: string, { shown, output, process }: Guard): Promise<void> {
  // Not its parents: a missing one is an error of the output.
  await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
    const code = codeOf(error) ?? "";
    if (NOT_WRITABLE.includes(code)) throw notWritable(error, { output, parent: dirname(folder) });
    if (code !== "EEXIST") throw error;
  });
  const exposure = await findExposure(folder, process.uid);
  if (exposure === undefined) return;
  throw new EntsError("output", `cannot keep answers in ${shown}: ${exposure}`, {
    hint: `move or delete it, ${CHOOSE_ANOTHER}, or use ${FETCH_FLAGS.resume}`,
  });
}

const NOT_WRITABLE: readonly string[] = ["EACCES", "EPERM", "EROFS"];

/** The output has its place beside the folder, where nothing can be made. */
function notWritable(cause: unknown, { output, parent }: { readonly output: string; readonly parent: string }): EntsError {
  return new EntsError("output", `cannot write ${output}: the folder ${parent} is not writable (${describeSystemError(cause)})`, {
    cause,
    hint: CHOOSE_ANOTHER,
  });
}

export const CHOOSE_ANOTHER = `choose another file with ${OUTPUT_OPTIONS.output.short}`;
