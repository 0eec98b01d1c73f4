/** Kills the real binary at the same moment each time. */
import { type Home, homeEnv } from "./run-ents.ts";

const PRELOAD = new URL("die-at-rename.mjs", import.meta.url).href;

/** The environment of a process that is killed before the rename with this number; the first is 0. */
export function dieAtRename({ folder }: Home, rename: number): Readonly<Record<string, string>> {
  return { DIE_AT: String(rename), NODE_OPTIONS: `${homeEnv(folder)["NODE_OPTIONS"]} --import=${PRELOAD}` };
}
