/** What saves work and is no more than that: a file that is damaged, or of another version of ents, is as if there were none. */
import { createHash } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { replaceFile } from "../files/replace-file.ts";

export async function readLines(path: string, version: string): Promise<string[]> {
  const text = await readFile(path, "utf8").catch(() => "");
  const [seal, ...lines] = text.split("\n");
  return seal === sealOf(lines, version) ? lines : [];
}

/** A file that cannot be written is no failure. */
export async function writeLines(path: string, version: string, lines: readonly string[]): Promise<void> {
  const unfinished = `${path}.part`;
  await writeFile(unfinished, [sealOf(lines, version), ...lines].join("\n"), { mode: 0o600 })
    .then(() => replaceFile(unfinished, path))
    .catch(() => rm(unfinished, { force: true }).catch(() => {}));
}

function sealOf(lines: readonly string[], version: string): string {
  const hash = createHash("sha256").update(version);
  for (const line of lines) hash.update(`\n${line}`);
  return hash.digest("hex");
}
