import { type Dirent, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Completion, CompletionContext } from "./candidate.ts";

type Place = CompletionContext & {
  /** Whether `~/` at the start is the home directory. */
  readonly hasTilde: boolean;
};

/** The files and folders in the folder that a text names up to its last slash; none where it cannot be read. */
export function listFiles(text: string, place: Place): Completion {
  const prefix = text.slice(0, text.lastIndexOf("/") + 1);
  const folder = findFolder(prefix, place);
  if (folder === undefined) return { prefix, candidates: [] };
  const showsHidden = text.startsWith(".", prefix.length);
  const candidates = readFolder(folder)
    .filter(({ name }) => showsHidden || !name.startsWith("."))
    .map((entry) => (isFolder(entry, folder) ? { value: `${entry.name}/` } : { value: entry.name }))
    .toSorted((a, b) => (a.value < b.value ? -1 : 1));
  return { prefix, candidates };
}

function findFolder(path: string, { env, cwd, hasTilde }: Place): string | undefined {
  if (!hasTilde || !path.startsWith("~")) return resolve(cwd, path);
  const home = env["HOME"];
  return home && path.startsWith("~/") ? join(home, path.slice(2)) : undefined;
}

function readFolder(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function isFolder(entry: Dirent, folder: string): boolean {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  try {
    return statSync(join(folder, entry.name)).isDirectory();
  } catch {
    // It leads nowhere, to itself, or to where this user may not look.
    return false;
  }
}
