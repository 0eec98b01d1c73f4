import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { codeOf } from "../base/errors.ts";

/** Makes a folder and its parents, those that are missing for this user alone. Node's own way never ends in /proc. */
export function makeFolder(path: string): void {
  try {
    makeOne(path);
  } catch (error) {
    if (codeOf(error) !== "ENOENT" || dirname(path) === path) throw error;
    makeFolder(dirname(path));
    makeOne(path);
  }
}

/** Another process may have made it. */
function makeOne(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}

type Env = Readonly<Record<string, string | undefined>>;

/**
 * `ENTS_CACHE_DIR`, else the platform's cache directory under `ents`; undefined for a user without a home directory.
 * The latter as in env-paths, which takes 2 ms to load node:os.
 */
export function findCacheDirectory(env: Env, platform: NodeJS.Platform): string | undefined {
  return env["ENTS_CACHE_DIR"] || findPlatformDirectory(env, platform) || undefined;
}

function findPlatformDirectory({ XDG_CACHE_HOME, HOME, LOCALAPPDATA }: Env, platform: NodeJS.Platform): string | undefined {
  if (platform === "win32") return LOCALAPPDATA && join(LOCALAPPDATA, "ents", "Cache");
  if (platform === "darwin") return HOME && join(HOME, "Library", "Caches", "ents");
  return (XDG_CACHE_HOME && join(XDG_CACHE_HOME, "ents")) || (HOME && join(HOME, ".cache", "ents"));
}
