import { existsSync, mkdirSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import type { Context } from "../base/context.ts";
import { codeOf, usageError } from "../base/errors.ts";

/**
 * Creates a folder and its missing parents with mode 0700. Node's recursive mkdir (up to 24) never returns where a
 * folder cannot be made in an existing one, such as /proc.
 */
export function makeFolder(path: string, makesParents = true): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it.
    if (codeOf(error) === "EEXIST") return;
    if (codeOf(error) !== "ENOENT" || !makesParents || dirname(path) === path) throw error;
    makeFolder(dirname(path));
    makeFolder(path, false);
  }
}

/** The variables that name folders of the user. */
const USER_FOLDERS = ["HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "APPDATA", "LOCALAPPDATA", "USERPROFILE"];

/**
 * Unsets those that are empty or relative, as the XDG Base Directory Specification demands: settings and code would be
 * read from the working directory, which may be another user's.
 */
export function unsetRelativeFolders(env: Record<string, string | undefined>): void {
  for (const name of USER_FOLDERS) if (!isAbsolute(env[name] ?? "")) delete env[name];
}

/** `~/x`, `$HOME/x` or `%USERPROFILE%\x`, as systemd, .env files and programs without a shell pass them on. */
const UNEXPANDED = /^(?:~|\$\w+|\$\{\w+\}|%\w+%)(?=[/\\]|$)/;

/**
 * `of`: a flag or variable. @throws {EntsError} usage: a path that a shell would have replaced; it would be below the
 * working directory.
 */
export function requireExpanded(path: string, of: string): string {
  const [start] = UNEXPANDED.exec(path) ?? [];
  if (start === undefined) return path;
  const hint = `write the whole path; in a shell, leave out the quotes\nfor a folder of that name, use ./${path}`;
  throw usageError(`${of} is ${path}, and nothing has replaced ${start}`, hint, { value: path });
}

/**
 * `ENTS_CACHE_DIR`, else `ents` in the platform's cache directory; undefined for a user without a home directory.
 * The platform's paths are those of env-paths, which takes 2 ms to load node:os.
 */
export function findCacheDirectory(
  { ENTS_CACHE_DIR, XDG_CACHE_HOME, HOME, LOCALAPPDATA }: Context["env"],
  platform: NodeJS.Platform,
): string | undefined {
  if (ENTS_CACHE_DIR) return requireExpanded(ENTS_CACHE_DIR, "ENTS_CACHE_DIR");
  if (platform === "win32") return LOCALAPPDATA ? join(LOCALAPPDATA, "ents", "Cache") : undefined;
  if (platform !== "darwin" && XDG_CACHE_HOME) return join(XDG_CACHE_HOME, "ents");
  // A service's user may have a home that was never made.
  if (!HOME || !existsSync(HOME)) return undefined;
  return platform === "darwin" ? join(HOME, "Library", "Caches", "ents") : join(HOME, ".cache", "ents");
}
