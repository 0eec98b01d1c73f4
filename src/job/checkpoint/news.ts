/** Files that say since when something is known: answers of before may be of another time. */
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

const ENDING = ".news";

export function isNews(name: string): boolean {
  return name.endsWith(ENDING);
}

/** Since when they are known, in milliseconds since 1970 UTC: since now, where no earlier run has left a word of them. */
export async function findNews(folder: string, news: string, now: number): Promise<number> {
  const path = join(folder, `${createHash("sha256").update(news).digest("hex").slice(0, 16)}${ENDING}`);
  const since = Number(await readFile(path, "utf8").catch(() => "")) || Number.POSITIVE_INFINITY;
  if (since <= now) return since;
  await writeFile(path, String(now), { mode: 0o600 });
  return now;
}
