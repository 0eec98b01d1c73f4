/** Files that say since when something is known: answers of before may be of another time. */
import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Finding } from "../destination/interface.ts";

export interface Found {
  readonly what: string;
  readonly kind: Finding;
}

const ENDING = ".news";
const UNLIKE = `.unlike${ENDING}`;

export function isNews(name: string): boolean {
  return name.endsWith(ENDING);
}

/** Since when the answers in a folder are of use, in milliseconds since 1970 UTC. */
export async function findUsable(folder: string, found: Found | undefined, now: number): Promise<number> {
  if (found && found.kind !== "known") return findNews(folder, found, now);
  // That of an earlier run may be over: what came then does not go with what is there.
  return !found && (await readdir(folder)).some((name) => name.endsWith(UNLIKE)) ? Number.POSITIVE_INFINITY : 0;
}

/** Since now, where no earlier run has left a word of it. */
async function findNews(folder: string, { what, kind }: Found, now: number): Promise<number> {
  const name = createHash("sha256").update(what).digest("hex").slice(0, 16);
  const path = join(folder, `${name}${kind === "unlike" ? UNLIKE : ENDING}`);
  const since = Number(await readFile(path, "utf8").catch(() => "")) || Number.POSITIVE_INFINITY;
  if (since <= now) return since;
  await writeFile(path, String(now), { mode: 0o600 });
  return now;
}
