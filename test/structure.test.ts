/** Measures the source: sizes, words, and that imports go down only (the floors: .dependency-cruiser.cjs). */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path/posix";
import { fileURLToPath } from "node:url";
import { parseSync } from "rolldown/utils";
import { beforeAll, describe, expect, test } from "vitest";
import { FULL } from "./support/extent.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const MAX_MEDIAN_LINES = 160;
const MAX_LINES = 350;
/** A smaller file is folded into its only reader. */
const MIN_LINES = 60;

interface Source {
  readonly path: string;
  readonly lines: number;
  /** The text without comments, with empty strings. */
  readonly code: string;
  /** All imports, of any form, in order. */
  readonly imports: readonly string[];
  readonly text: string;
}

const [sources, tests] = ["src", "test"].map((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => readSource(`${folder}/${name.replaceAll("\\", "/")}`)),
) as [Source[], Source[]];

function readSource(path: string): Source {
  const text = readFileSync(join(ROOT, path), "utf8");
  const uncommented = text.replaceAll(/("(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)|\/\/.*|\/\*[\s\S]*?\*\//g, "$1");
  const imports = [...uncommented.matchAll(/(?<!["`])\b(?:from\s+|import\s+|import\s*\(\s*)["`]([^"`\n]+)["`]/g)].map(
    (match) => match[1] ?? "",
  );
  return {
    path,
    text,
    imports,
    lines: text.split("\n").length - 1,
    code: uncommented.replaceAll(/"(?:\\.|[^"\\\n])*"/g, '""'),
  };
}

function filesWith(pattern: RegExp, part: "text" | "code" = "code"): string[] {
  return sources.filter((source) => pattern.test(source[part])).map(({ path }) => path);
}

test("every late import has its reason in docs/decisions.md", () => {
  const [, table = ""] =
    /\*\*What is loaded late\.\*\*[^\n]*\n\n((?:\|.*\n)+)/.exec(
      readFileSync(join(ROOT, "docs/decisions.md"), "utf8"),
    ) ?? [];
  const places = table.split("\n").flatMap((row) => {
    let folder = "";
    return [...(row.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)].map(([, path = ""]) => {
      folder = path.includes("/") ? dirname(path) : folder;
      return path.includes("/") ? path : join(folder, path);
    });
  });
  const late = sources.filter(({ code }) => /(?<!typeof )\bimport\(/.test(code));
  expect(places.toSorted()).toEqual(late.map(({ path }) => path).toSorted());
});

describe("size", () => {
  test("the median file is short", () => {
    const lengths = sources.map(({ lines }) => lines).toSorted((a, b) => a - b);
    expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThanOrEqual(MAX_MEDIAN_LINES);
  });

  test("no file is long", () => {
    expect(sources.filter(({ lines }) => lines > MAX_LINES).map(({ path, lines }) => `${path}: ${lines}`)).toEqual([]);
  });
});

test("a small file with one reader in its own folder is part of it, unless it is loaded late or has its own test", () => {
  const readers = new Map<string, Source[]>();
  const pathOf = (source: Source, name: string) => (name.startsWith(".") ? join(dirname(source.path), name) : name);
  for (const source of sources) {
    for (const path of new Set(source.imports.map((name) => pathOf(source, name))))
      readers.set(path, [...(readers.get(path) ?? []), source]);
  }
  const tested = new Set(tests.flatMap((source) => source.imports.map((name) => pathOf(source, name))));
  const isLate = ({ path }: Source) => sources.some(({ text }) => text.includes(`import("./${basename(path)}")`));
  const lonely = sources.filter((source) => {
    const [only, ...others] = readers.get(source.path) ?? [];
    return (
      source.lines < MIN_LINES &&
      only &&
      others.length === 0 &&
      dirname(only.path) === dirname(source.path) &&
      !isLate(source)
    );
  });
  expect(lonely.filter(({ path }) => !tested.has(path)).map(({ path }) => path)).toEqual([]);
});

describe("one word for one thing", () => {
  const declared = new Map<string, Set<string>>();

  beforeAll(() => {
    for (const { path, text } of sources.filter((source) => !source.path.startsWith("src/sandbox/")))
      JSON.stringify(parseSync(path, text).program, (_, node: unknown) => {
        const { type = "", id } = (node ?? {}) as { readonly type?: string; readonly id?: { readonly name: string } };
        const isType = /^TS(?:Interface|TypeAlias)Declaration$|^ClassDeclaration$/.test(type);
        if (id && (isType || type === "FunctionDeclaration")) {
          const key = `${isType ? "type" : "function"} ${id.name}`;
          declared.set(key, (declared.get(key) ?? new Set()).add(path));
        }
        return typeof node === "bigint" ? null : node;
      });
  });

  test.each(["type", "function"])("no %s is declared in two files", (kind) => {
    // An encoder's own steps.
    const isStep = (key: string) => key === "function write" || key === "function end";
    const twice = [...declared].filter(([key, paths]) => key.startsWith(kind) && paths.size > 1 && !isStep(key));
    expect(twice.map(([key, paths]) => `${key}: ${[...paths].join(", ")}`)).toEqual([]);
    expect(declared.size).toBeGreaterThan(1000);
  });
});

describe("words that the source avoids", () => {
  test("any", () => {
    expect(filesWith(/(?::|<|\||&|,|=>|\bas|\bextends)\s*any\b(?!\s*[(.:])/)).toEqual([]);
  });

  test("@ts-ignore, @ts-expect-error, @ts-nocheck", () => {
    expect(filesWith(/@ts-(?:ignore|expect-error|nocheck)/, "text")).toEqual([]);
  });

  test("process.exit", () => {
    expect(filesWith(/\bprocess\s*\??\.\s*exit\b/)).toEqual([]);
  });

  test("the context imports only types", () => {
    const context = sources.find(({ path }) => path === "src/base/context.ts");
    expect(context?.code.match(/^import\b(?! type\b)/m)).toBeNull();
  });
});

interface Cruise {
  readonly modules: readonly {
    readonly source: string;
    readonly dependencies: readonly { readonly module: string }[];
  }[];
  readonly summary: { readonly violations: readonly Violation[] };
}

interface Violation {
  readonly from: string;
  readonly to: string;
  readonly rule: { readonly name: string };
}

test("imports name existing files with their extension", () => {
  const files = new Set(sources.map(({ path }) => path));
  const wrong = sources.flatMap(({ path, imports }) =>
    imports
      .filter((name) => name.startsWith(".") && !files.has(join(dirname(path), name)))
      .map((name) => `${path} -> ${name}`),
  );
  expect(wrong).toEqual([]);
});

// `npm run structure` reports the first of these sooner.
describe.runIf(FULL)("imports", () => {
  let cruise: Cruise;

  beforeAll(() => {
    const cruiser = join(ROOT, "node_modules/dependency-cruiser/bin/dependency-cruise.mjs");
    const args = [cruiser, "src", "--output-type", "json"];
    cruise = JSON.parse(
      execFileSync(process.execPath, args, { cwd: ROOT, encoding: "utf8", maxBuffer: 1e8 }),
    ) as Cruise;
  });

  test("go down only, in no circle, and packages are imported in one place", () => {
    expect(cruise.summary.violations.map(({ from, to, rule }) => `${rule.name}: ${from} -> ${to}`)).toEqual([]);
  });

  test("are all seen by dependency-cruiser", () => {
    const seen = new Map(
      cruise.modules.map(({ source, dependencies }) => [
        source,
        dependencies.map(({ module }) => module.replace(/^node:/, "")),
      ]),
    );
    const lost = sources.flatMap(({ path, imports }) =>
      imports
        .filter((name) => !seen.get(path)?.includes(name.replace(/^node:/, "")))
        .map((name) => `${path} -> ${name}`),
    );
    expect(lost).toEqual([]);
    expect(sources.flatMap(({ imports }) => imports).length).toBeGreaterThan(0);
  });
});
