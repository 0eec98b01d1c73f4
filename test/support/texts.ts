/**
 * Texts that tests compare: goldens, and examples on documentation pages. `npm run texts` rewrites them; read the diff.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { expect } from "vitest";

/** True to write the texts instead of comparing them. */
export const WRITES_TEXTS = process.env["ENTS_WRITE_TEXTS"] === "1";

/** Expects a text to be the one in its file, unless texts are written. */
export function expectText(text: string, held: string): void {
  expect(text, "if this is what users are to see, 'npm run texts' writes it").toBe(WRITES_TEXTS ? text : held);
}

/** The lines of a block in its file; the first is 0, the last is excluded. */
interface Place {
  readonly from: number;
  readonly to: number;
}

/** Replaces blocks, from the last one up so that line numbers stay right. */
export function replaceBlocks(path: string, texts: ReadonlyMap<Place, string>): void {
  const lines = readFileSync(path, "utf8").split("\n");
  for (const [{ from, to }, text] of [...texts].sort(([a], [b]) => b.from - a.from))
    lines.splice(from, to - from, ...text.split("\n"));
  writeFileSync(path, lines.join("\n"));
}
