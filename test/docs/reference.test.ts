/** docs/reference.md matches the source and shows the help that the binary prints. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { EXIT_CODES } from "../../src/base/exit-codes.ts";
import { FULL } from "../support/extent.ts";
import { createHome, runEnts } from "../support/run-ents.ts";
import { expectText } from "../support/texts.ts";
import { listBlocks, listTableRows, readPage, ROOT } from "./markdown.ts";

const REFERENCE = readPage("docs/reference.md");

interface ListDocs {
  readonly listDocs: (
    load: (name: string) => Promise<unknown>,
    root: string,
  ) => Promise<readonly (readonly [path: string, text: string])[]>;
}

test("the output of 'npm run docs' is up to date: the reference, the pictures and the figures", async () => {
  const { listDocs } = (await import(join(ROOT, "scripts/list-docs.mjs"))) as ListDocs;
  const docs = await listDocs((name) => import(join(ROOT, "src", `${name}.ts`)), ROOT);
  expect(docs.length).toBeGreaterThan(2);
  for (const [path, text] of docs) expectText(text, readFileSync(path, "utf8"));
});

test.runIf(FULL)(
  "'npm run docs -- --check' refuses a stale reference and shows the difference, and accepts anything else",
  () => {
    const path = createHome().path("reference.md");
    const [title = "", ...rest] = REFERENCE.split("\n");
    writeFileSync(path, [`${title} of old`, ...rest].join("\n"));
    const { status, stderr } = spawnSync(process.execPath, [join(ROOT, "scripts/docs.mjs"), "--check", path], {
      encoding: "utf8",
    });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: `${path} is out of date; run 'npm run docs'\n- 1: ${title} of old\n+ 1: ${title}\n`,
    });
  },
);

describe("the help in the reference is the binary's", () => {
  const titles = [...REFERENCE.matchAll(/^### (ents.*) --help$/gm)].map(([, title = ""]) => title);
  const texts = listBlocks(REFERENCE.slice(REFERENCE.indexOf("## Help texts"))).map(({ lines }) => lines.join("\n"));

  test("has all commands", () => {
    expect(titles.length).toBeGreaterThanOrEqual(15);
    expect(texts).toHaveLength(titles.length);
  });

  test.concurrent.for(titles.map((title, index) => ({ title, text: texts[index] as string })))(
    "$title",
    async ({ title, text }) => {
      const { stdout } = await runEnts([...title.split(" ").slice(1), "--help"]);
      expectText(stdout.trimEnd(), text);
    },
  );
});

describe("exit codes", () => {
  const codes = Object.values(EXIT_CODES).map(({ code }) => code);

  test.each([
    ["docs/scripts.md", "exit code"],
    ["docs/reference.md", "code"],
  ])("%s has the codes of the source", (path, header) => {
    const shown = listTableRows(readPage(path), header).flatMap(([cell = ""]) => cell.split(", ").map(Number));
    expect(shown.toSorted((a, b) => a - b)).toEqual(codes.toSorted((a, b) => a - b));
  });
});

test("docs/formats.md has the formats of the reference", () => {
  const names = (path: string) =>
    listTableRows(readPage(path), "format").flatMap(([cell = ""]) => cell.match(/\w+/g) ?? []);
  expect(names("docs/formats.md").toSorted()).toEqual(names("docs/reference.md").toSorted());
});

test("every environment variable that the source reads is in the reference", () => {
  const named = new Set(REFERENCE.match(/\b[A-Z]+(?:_[A-Z]+)+\b/g));
  const read = listSource().flatMap(
    (text) => text.match(/(?<=")(?:ENTS|OPENELECTRICITY|HTTPS?|NO)_[A-Z_]+(?=")/gi) ?? [],
  );
  expect(read).toEqual(expect.arrayContaining(["ENTS_TOKEN", "ENTS_BASE_URL", "ENTS_CONFIG_DIR", "NO_PROXY"]));
  expect(read.filter((name) => !named.has(name.toUpperCase()))).toEqual([]);
});

function listSource(): string[] {
  const names = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".ts"),
  );
  return names.map((name) => readFileSync(join(ROOT, "src", name), "utf8"));
}
