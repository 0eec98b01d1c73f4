import { createHash } from "node:crypto";
import { open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";

/** The body of a finished answer, as it came. */
export interface Piece {
  readonly bytes: Buffer;
  readonly gzip: boolean;
}

export const PIECE_ENDING = ".piece";

/** Name of the file that keeps the answer to a request. */
export function nameOfPiece(path: string): string {
  return hash(path).slice(0, 24) + PIECE_ENDING;
}

/** Keeps an answer: it has its name only once it is whole and on the disk. */
export async function writePiece(folder: string, path: string, { bytes, gzip }: Piece): Promise<void> {
  const name = join(folder, nameOfPiece(path));
  const file = await open(`${name}.part`, "w", 0o600);
  try {
    await file.writeFile(`${JSON.stringify({ path, gzip, hash: hash(bytes) })}\n`);
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${name}.part`, name);
}

/** The kept answer to a request; undefined when there is none, or when it is damaged or another's. */
export async function readPiece(folder: string, path: string): Promise<Piece | undefined> {
  try {
    const content = await readFile(join(folder, nameOfPiece(path)));
    const end = content.indexOf("\n");
    const heading = JSON.parse(content.toString("utf8", 0, end)) as { path: string; gzip: boolean; hash: string };
    const bytes = content.subarray(end + 1);
    return heading.path === path && heading.hash === hash(bytes) ? { bytes, gzip: heading.gzip } : undefined;
  } catch {
    return undefined;
  }
}

function hash(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}
