/** Kills of the real binary that come at the same instant each time. */
import { type Home, homeEnv } from "./run-ents.ts";

const PRELOAD = new URL("die-at-rename.mjs", import.meta.url).href;

/** The environment of a process that is killed when the rename with this number, from 0, is due. */
export function dieAtRename({ folder }: Home, rename: number): Readonly<Record<string, string>> {
  return { DIE_AT: String(rename), NODE_OPTIONS: `${homeEnv(folder)["NODE_OPTIONS"]} --import=${PRELOAD}` };
}
