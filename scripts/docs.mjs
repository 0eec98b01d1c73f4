/**
 * Writes generated docs: docs/reference.md and docs/ents.1 from the command table, the option tables and the
 * vocabulary; docs/chart.svg from a run in the sandbox; and from the tables of docs/benchmarks.md its first lines, its
 * chart (docs/benchmarks.svg), and the text of that chart in docs/compare.md.
 *
 *     npm run docs                    writes them
 *     npm run docs -- --check [file]  exits 1 and prints the differences if one is out of date (file: instead of docs/reference.md)
 *
 * Compiles the source first, so that the reference never describes an old build.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fileURLToPath, pathToFileURL } from "node:url";
import { listDocs } from "./list-docs.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const REFERENCE = join(ROOT, "docs/reference.md");
const MAX_DIFFERENCES = 12;

const { values, positionals } = parseArgs({
  options: { check: { type: "boolean", default: false } },
  allowPositionals: true,
});
const [file = REFERENCE] = positionals;
for (const [path, text] of await withCompiledSource((load) => listDocs(load, ROOT))) {
  const target = path === REFERENCE ? file : path;
  if (values.check) check(target, text);
  else writeFileSync(target, text);
}

/** Compiles src into a temporary folder inside node_modules, where imports of packages resolve. */
async function withCompiledSource(work) {
  const cache = join(ROOT, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "ents-docs-"));
  try {
    compile(folder);
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
    return await work((name) => import(pathToFileURL(join(folder, `${name}.js`)).href));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Only prints type errors, since the compiler emits anyway; `npm run types` fails on them. */
function compile(folder) {
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  const args = [tsc, "-p", join(ROOT, "tsconfig.src.json"), "--outDir", folder, "--declaration", "false"];
  try {
    execFileSync(process.execPath, args, { cwd: ROOT, stdio: ["ignore", 2, 2] });
  } catch (error) {
    if (!existsSync(join(folder, "main/main.js"))) throw error;
    process.stderr.write("docs: the source has type errors\n");
  }
}

function check(path, expected) {
  const found = existsSync(path) ? readFileSync(path, "utf8") : "";
  if (found === expected) return;
  process.stderr.write(`${path} is out of date; run 'npm run docs'\n${describeDifferences(found, expected)}\n`);
  process.exitCode = 1;
}

/** Lists the lines that only one of the texts has, in order. */
function describeDifferences(found, expected) {
  const only = (text, other) => {
    const others = new Set(other.split("\n"));
    return text.split("\n").flatMap((line, index) => (others.has(line) ? [] : [`${index + 1}: ${line}`]));
  };
  const lines = [
    ...only(found, expected).map((line) => `- ${line}`),
    ...only(expected, found).map((line) => `+ ${line}`),
  ];
  const more = lines.length > MAX_DIFFERENCES ? [`… and ${lines.length - MAX_DIFFERENCES} more lines`] : [];
  return lines.length === 0
    ? "(the same lines in another order)"
    : [...lines.slice(0, MAX_DIFFERENCES), ...more].join("\n");
}
