import { lstat, mkdir, mkdtemp, readdir, rm, rmdir } from "node:fs/promises";
import type { Stats } from "node:fs";
import { dirname, join } from "node:path";
import type { Context } from "../base/context.ts";
import { codeOf, EntsError } from "../base/errors.ts";
import { type Release, takeLock } from "./lock.ts";
import { describeSystemError, isDenied } from "./system-error.ts";

interface Exposure {
  readonly why: string;
  /** What helps. `shown`: the folder's name. */
  readonly remedy: (shown: string) => string;
}

const WRITABLE: Exposure = { why: "other users can write to it", remedy: (shown) => `run 'chmod go-w ${shown}'` };
const FOREIGN: Exposure = { why: "it belongs to another user", remedy: () => "run ents as that user" };

/**
 * Why other users may have written to a folder, or may do so: it is a link, belongs to another user, or is writable by
 * others. Undefined if they cannot. `uid` is undefined on Windows.
 */
export async function findExposure(path: string, uid: number | undefined): Promise<Exposure | undefined> {
  const status = await lstat(path);
  // The folder of an updated output may have data that the service no longer has: never delete it.
  if (!status.isDirectory())
    return { why: `it is ${status.isSymbolicLink() ? "a link, " : ""}not a folder`, remedy: () => "move it away" };
  if (uid === undefined) return undefined;
  const exposure = status.uid === uid ? WRITABLE : FOREIGN;
  const isExposed = status.uid !== uid || (status.mode & 0o022) !== 0;
  return isExposed && (await hasPermissions(path, status)) ? exposure : undefined;
}

/**
 * False for file systems (FAT, network shares) with one owner and mode for everything, where a new folder looks the
 * same.
 */
async function hasPermissions(path: string, { uid, mode }: Stats): Promise<boolean> {
  const probe = await mkdtemp(`${path}.`);
  const fresh = await lstat(probe);
  await rmdir(probe);
  return fresh.uid !== uid || fresh.mode !== mode;
}

interface Guard extends Pick<Context, "process"> {
  readonly shown: string;
  readonly output: string;
  /** What else helps if it cannot be used. */
  readonly advice: string;
}

/**
 * Creates a folder if missing, checks that only this user can write to it, and locks it. Retries if another run removes
 * it.
 */
export async function lockFolder(folder: string, guard: Guard, tries = 10): Promise<Release> {
  const { output, process } = guard;
  try {
    await makeOwnFolder(folder, guard);
    return await takeLock({ path: join(folder, "lock"), guards: output, process });
  } catch (error) {
    if (codeOf(error) !== "ENOENT" || tries === 1) throw error;
    return lockFolder(folder, guard, tries - 1);
  }
}

/** Creates a folder in an existing one. False if it was there already. */
export async function createFolder(path: string, mode?: number): Promise<boolean> {
  return mkdir(path, mode).then(
    () => true,
    (error: unknown) => {
      if (codeOf(error) === "EEXIST") return false;
      throw error;
    },
  );
}

async function makeOwnFolder(folder: string, { shown, output, advice, process }: Guard): Promise<void> {
  // Does not create parents: a missing one is an error of the output.
  await createFolder(folder, 0o700).catch((cause: unknown) => {
    if (!isDenied(cause)) throw cause;
    // The output goes next to this folder.
    const problem = `the folder ${dirname(folder)} is not writable (${describeSystemError(cause)})`;
    throw new EntsError("output", `cannot write ${output}: ${problem}`, { cause, hint: advice });
  });
  const exposure = await findExposure(folder, process.uid);
  if (exposure === undefined) return;
  const { why, remedy } = exposure;
  throw new EntsError("output", `cannot store responses in ${shown}: ${why}`, {
    hint: `${remedy(shown)}, or ${advice}`,
  });
}

/** Removes as many as it can. @throws the first error. */
export async function removeFiles(folder: string, isOurs: (name: string) => boolean): Promise<void> {
  const names = (await readdir(folder)).filter(isOurs);
  const removals = await Promise.allSettled(names.map((name) => rm(join(folder, name), { force: true })));
  for (const removal of removals) if (removal.status === "rejected") throw removal.reason;
}
