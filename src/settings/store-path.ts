import { join, resolve } from "node:path";
import type { Context } from "../base/context.ts";

/** The file in `ENTS_CONFIG_DIR`, else in the platform's config directory under `ents`; undefined for a user without a home directory. */
export async function findStorePath(env: Context["env"], cwd: string): Promise<string | undefined> {
  const directory = env["ENTS_CONFIG_DIR"] || (await findConfigDirectory());
  return directory && join(resolve(cwd, directory), "config.json");
}

async function findConfigDirectory(): Promise<string | undefined> {
  try {
    // It throws where it is loaded for a user without a home directory.
    const { default: envPaths } = await import("env-paths");
    return envPaths("ents", { suffix: "" }).config;
  } catch {
    return undefined;
  }
}
