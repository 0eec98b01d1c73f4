/**
 * Writes docs/reference.md from the command table, the option tables and the vocabulary.
 *
 *     npm run docs                    writes it
 *     npm run docs -- --check [file]  says what differs, and exits 1, when the file is not what would be written
 *
 * The source is compiled into a folder of its own first, so that the reference is never that of an old build.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fileURLToPath, pathToFileURL } from "node:url";
import { collectFacts } from "./facts.mjs";
import { formatReference } from "./reference.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const REFERENCE = join(ROOT, "docs/reference.md");
const MOST_DIFFERENCES = 12;

const { values, positionals } = parseArgs({ options: { check: { type: "boolean", default: false } }, allowPositionals: true });
const file = positionals[0] ?? REFERENCE;
const reference = await withCompiledSource(async (load) => formatReference(await collectFacts(load, ROOT)));
if (values.check) check(file, reference);
else writeFileSync(file, reference);

/** Compiles src into a folder inside node_modules, where its packages are found, and takes the folder away in the end. */
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

/** Type errors are `npm run types`' to refuse: the compiler emits in spite of them, so they are only shown. */
function compile(folder) {
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  const args = [tsc, "-p", join(ROOT, "tsconfig.build.json"), "--outDir", folder, "--declaration", "false"];
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
  process.stderr.write(`${path} is not what the source says; 'npm run docs' writes it anew\n${describeDifferences(found, expected)}\n`);
  process.exitCode = 1;
}

/** The lines that only one of both has, in order; enough to see what changed. */
function describeDifferences(found, expected) {
  const only = (text, other) => {
    const others = new Set(other.split("\n"));
    return text.split("\n").flatMap((line, index) => (others.has(line) ? [] : [`${index + 1}: ${line}`]));
  };
  const lines = [...only(found, expected).map((line) => `- ${line}`), ...only(expected, found).map((line) => `+ ${line}`)];
  const more = lines.length > MOST_DIFFERENCES ? [`… and ${lines.length - MOST_DIFFERENCES} more lines`] : [];
  return lines.length === 0 ? "(the same lines in another order)" : [...lines.slice(0, MOST_DIFFERENCES), ...more].join("\n");
}
