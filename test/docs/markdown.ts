/** Reads fenced blocks, links and headings of the pages. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export interface Block {
  /** The line after the opening fence; the first line is 1. */
  readonly line: number;
  readonly language: string;
  readonly lines: readonly string[];
}

/** The paths of the pages, from the root. */
export function listPages(): string[] {
  const docs = readdirSync(join(ROOT, "docs")).filter((name) => name.endsWith(".md"));
  return ["README.md", "CHANGELOG.md", ...docs.map((name) => `docs/${name}`)];
}

export function readPage(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

export function listBlocks(page: string): Block[] {
  const blocks: Block[] = [];
  let open: { line: number; language: string; lines: string[] } | undefined;
  for (const [index, line] of page.split("\n").entries()) {
    if (open && line === "```") {
      blocks.push(open);
      open = undefined;
    } else if (open) open.lines.push(line);
    else if (line.startsWith("```")) open = { line: index + 2, language: line.slice(3), lines: [] };
  }
  return blocks;
}

/** The page without fenced blocks: prose, tables, headings. */
export function stripBlocks(page: string): string {
  return page.replaceAll(/^```[\s\S]*?^```$/gm, "");
}

/** The anchors of the headings, as GitHub makes them. */
export function listAnchors(page: string): string[] {
  return [...stripBlocks(page).matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

/** The rows of all tables with this first header cell. */
export function listTableRows(page: string, firstHeader: string): string[][] {
  const rows: string[][] = [];
  let inside = false;
  for (const line of stripBlocks(page).split("\n")) {
    const cells = line.startsWith("|")
      ? line
          .split(/(?<!\\)\|/)
          .slice(1, -1)
          .map((cell) => cell.trim())
      : [];
    if (cells.length === 0) inside = false;
    else if (cells[0] === firstHeader) inside = true;
    else if (inside && !/^-+$/.test(cells[0] ?? "")) rows.push(cells);
  }
  return rows;
}
