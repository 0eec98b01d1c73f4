/** Files that say since when something is known: answers of before may be of another time. */
import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Finding } from "../destination/interface.ts";

/** What a run has found out, and why its answers of before are of no use. */
export interface Reason {
  readonly what: string;
  readonly finding: Finding;
}

const ENDING = ".news";
const INCOMPATIBLE = `.incompatible${ENDING}`;

export function isNews(name: string): boolean {
  return name.endsWith(ENDING);
}

/** Since when the answers in a folder are of use, in milliseconds since 1970 UTC. */
export async function findUsable(folder: string, reason: Reason | undefined, now: number): Promise<number> {
  if (reason && reason.finding !== "noted") return findNews(folder, reason, now);
  // That of an earlier run may be over: what came then does not go with what is there.
  return (await readdir(folder)).some((name) => name.endsWith(INCOMPATIBLE)) ? Number.POSITIVE_INFINITY : 0;
}

/** Since now, where no earlier run has left a word of it. */
async function findNews(folder: string, { what, finding }: Reason, now: number): Promise<number> {
  const name = createHash("sha256").update(what).digest("hex").slice(0, 16);
  const path = join(folder, `${name}${finding === "incompatible" ? INCOMPATIBLE : ENDING}`);
  const since = Number(await readFile(path, "utf8").catch(() => "")) || Number.POSITIVE_INFINITY;
  if (since <= now) return since;
  await writeFile(path, String(now), { mode: 0o600 });
  return now;
}
