import { type Dirent, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { attempt } from "../../base/errors.ts";
import type { Completion, CompletionContext } from "./candidate.ts";
import type { TypedWord } from "./words.ts";

/** The word being completed, or its value. */
export type Word = Pick<TypedWord, "text" | "hasTilde">;

/** Files and folders in the folder before the word's last slash; none if it cannot be read. */
export function listFiles({ text, hasTilde }: Word, { env, cwd }: CompletionContext): Completion {
  const prefix = text.slice(0, text.lastIndexOf("/") + 1);
  const home = hasTilde && prefix.startsWith("~/") ? env["HOME"] : undefined;
  // The home folders of other users are unknown.
  if (hasTilde && prefix.startsWith("~") && !home) return { prefix, candidates: [] };
  const folder = home ? join(home, prefix.slice(2)) : resolve(cwd, prefix);
  const showsHidden = text.startsWith(".", prefix.length);
  const entries = attempt(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  const candidates = entries
    .filter(({ name }) => showsHidden || !name.startsWith("."))
    .map((entry) => ({ value: isFolder(entry, folder) ? `${entry.name}/` : entry.name }))
    .toSorted((a, b) => (a.value < b.value ? -1 : 1));
  return { prefix, candidates };
}

/** Files that an update has made, and folders, which may hold some; all files if there are none. */
export function listOutputs(word: Word, context: CompletionContext): Completion {
  const { prefix, candidates } = listFiles(word, context);
  const names = new Set(candidates.map(({ value }) => value));
  const others = candidates.filter(({ value }) => !/\.ents\/$|\.datapackage\.json$/.test(value));
  const outputs = others.filter(({ value }) => names.has(`${value}.ents/`));
  return {
    prefix,
    candidates: outputs.length > 0 ? [...outputs, ...others.filter(({ value }) => value.endsWith("/"))] : others,
  };
}

/** False for a link that is broken, circular, or not readable by this user. */
function isFolder(entry: Dirent, folder: string): boolean {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  return attempt(() => statSync(join(folder, entry.name)).isDirectory()) ?? false;
}
