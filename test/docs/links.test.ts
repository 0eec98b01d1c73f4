/** All links between the pages work. */
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { expect, test } from "vitest";
import { listAnchors, listBlocks, listPages, readPage, ROOT, stripBlocks } from "./markdown.ts";

interface Link {
  readonly page: string;
  readonly target: string;
}

function listLinks(page: string): Link[] {
  return [...stripBlocks(readPage(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => ({ page, target }));
}

function leadsSomewhere({ page, target }: Link): boolean {
  if (/^https?:/.test(target)) return URL.canParse(target);
  const [path = "", anchor] = target.split("#");
  const file = path === "" ? page : join(dirname(page), path);
  if (!existsSync(join(ROOT, file))) return false;
  return anchor === undefined || listAnchors(readPage(file)).includes(anchor);
}

const links = listPages().flatMap(listLinks);

/** For developers of ents; it is not in the package. */
const OUTSIDE = "CONTRIBUTING.md";

test("all links between the pages resolve", () => {
  expect(links.length).toBeGreaterThan(20);
  expect([...links, ...listLinks(OUTSIDE)].filter((link) => !leadsSomewhere(link))).toEqual([]);
});

/** The tests behind the promises stay in the repository, as their page says. */
test("links of the installed package lead to files in it", () => {
  const { files } = JSON.parse(readPage("package.json")) as { readonly files: readonly string[] };
  const packed = new Set([...files, "README.md", "LICENSE"]);
  const outside = links.filter(({ page, target }) => {
    if (/^https?:/.test(target)) return false;
    const [first = ""] = join(dirname(page), target.split("#")[0] || page).split("/");
    return !packed.has(first) && !(page === "docs/promises-tests.md" && first === "test");
  });
  expect(outside).toEqual([]);
});

test("README leads to every page of docs", () => {
  const reached = new Set<string>(["README.md"]);
  for (const page of reached) {
    for (const { target } of links.filter((link) => link.page === page && !/^https?:/.test(link.target))) {
      const file = join(dirname(page), target.split("#")[0] ?? "");
      if (file.endsWith(".md")) reached.add(file);
    }
  }
  expect(listPages().filter((page) => !reached.has(page) && page !== "docs/benchmarks.md")).toEqual([]);
});

test("every source file that a page names exists", () => {
  const named = [...listPages(), OUTSIDE].flatMap(
    (page) => readPage(page).match(/\b(?:src|test|bin|scripts)\/[\w/.-]*\w/g) ?? [],
  );
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test("the floors of the architecture are the modules of the source", () => {
  const page = readPage("docs/architecture.md");
  const [block] = listBlocks(page.slice(page.indexOf("## Floors")));
  const named = block?.lines.flatMap((line) => line.split(/ {3,}/)[0]?.split(/ +/) ?? []) ?? [];
  const modules = readdirSync(join(ROOT, "src")).map((name) => name.replace(/\.ts$/, ""));
  expect(named.toSorted()).toEqual(modules.filter((name) => name !== "index").toSorted());
});
