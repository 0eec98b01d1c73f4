import { createHash } from "node:crypto";
import { open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { constants, gunzip, gzip } from "node:zlib";

/** Name of the file that keeps the answer to a request. */
export function nameOfPiece(path: string): string {
  return `${createHash("sha256").update(path).digest("hex").slice(0, 24)}.json.gz`;
}

/** Keeps an answer: it has its name only once it is whole and on the disk. */
export async function writePiece(folder: string, path: string, text: string): Promise<void> {
  const name = join(folder, nameOfPiece(path));
  const packed = await promisify(gzip)(`${JSON.stringify(path)}\n${text}`, { level: constants.Z_BEST_SPEED });
  const file = await open(`${name}.part`, "w", 0o600);
  try {
    await file.writeFile(packed);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${name}.part`, name);
}

/** The kept answer to a request; undefined when there is none, or when it is damaged (gzip's checksum tells) or another's. */
export async function readPiece(folder: string, path: string): Promise<string | undefined> {
  try {
    const text = (await promisify(gunzip)(await readFile(join(folder, nameOfPiece(path))))).toString("utf8");
    const heading = `${JSON.stringify(path)}\n`;
    return text.startsWith(heading) ? text.slice(heading.length) : undefined;
  } catch {
    return undefined;
  }
}
