/**
 * Runs the tests and prints the coverage of every file of src, including code that ran in child processes.
 *
 *     npm run coverage            the quick tests
 *     npm run coverage -- --mode long
 *
 * vitest counts code in its own process. Child processes run the bundle, and their counts are mapped to the source by line: a
 * statement or function is covered if a child ran the line on which it starts. A process that ends by a signal reports nothing,
 * and branches are only counted in vitest's own process.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { mergeProcessCovs } from "@bcoe/v8-coverage";
import { convert } from "ast-v8-to-istanbul";
import coverageLibrary from "istanbul-lib-coverage";
import reportLibrary from "istanbul-lib-report";
import reports from "istanbul-reports";
import { parseAst } from "rolldown/parseAst";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const SOURCE = join(ROOT, "src/");
const BUNDLE = join(ROOT, "dist/command");

const folder = mkdtempSync(join(tmpdir(), "ents-coverage-"));
try {
  const children = mkdtempSync(join(folder, "children-"));
  // Some child processes run as other users.
  for (const path of [folder, children]) chmodSync(path, 0o777);
  const status = runTests(children);
  const map = coverageLibrary.createCoverageMap(JSON.parse(readFileSync(join(folder, "coverage-final.json"), "utf8")));
  addChildren(map, await readChildren(children));
  const context = reportLibrary.createContext({ dir: join(ROOT, "coverage"), coverageMap: map });
  for (const kind of ["text", "html"]) reports.create(kind, { skipEmpty: true }).execute(context);
  process.exitCode = status;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function runTests(children) {
  const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
  const args = ["run", "--coverage", "--coverage.reporter=json", `--coverage.reportsDirectory=${folder}`, "--coverage.clean=false"];
  const env = { ...process.env, ENTS_TEST_COVERAGE: children };
  return spawnSync(process.execPath, [vitest, ...args, ...process.argv.slice(2)], { cwd: ROOT, env, stdio: "inherit" }).status ?? 1;
}

/** The coverage of child processes, by source file. */
async function readChildren(children) {
  const processes = readdirSync(children).map((name) => JSON.parse(readFileSync(join(children, name), "utf8")));
  const maps = new Set(readdirSync(BUNDLE).filter((name) => name.endsWith(".map")));
  const isOurs = ({ url }) => dirname(pathOf(url)) === BUNDLE && maps.has(`${basename(url)}.map`);
  const chunks = processes.map(({ result }) => ({ result: result.filter(isOurs) }));
  const map = coverageLibrary.createCoverageMap({});
  for (const script of mergeProcessCovs(chunks).result) {
    const code = readFileSync(pathOf(script.url), "utf8");
    const sourceMap = JSON.parse(readFileSync(`${pathOf(script.url)}.map`, "utf8"));
    sourceMap.sources = sourceMap.sources.map((source) => resolve(BUNDLE, source));
    map.merge(await convert({ ast: parseAst(code), code, coverage: script, sourceMap, wrapperLength: 0 }));
  }
  map.filter((path) => path.startsWith(SOURCE));
  return map;
}

function pathOf(url) {
  return url.startsWith("file:") ? fileURLToPath(url) : url;
}

/** Adds the coverage of child processes to `map`, that of vitest's process. A file that only ran in children gets their coverage. */
function addChildren(map, children) {
  for (const path of children.files()) {
    const own = map.files().includes(path) ? map.fileCoverageFor(path) : undefined;
    const child = children.fileCoverageFor(path);
    if (own === undefined || Object.values(own.s).every((count) => count === 0)) {
      map.data[path] = child;
      continue;
    }
    const lines = child.getLineCoverage();
    for (const [id, { start }] of Object.entries(own.statementMap)) own.s[id] ||= lines[start.line] ?? 0;
    for (const [id, { decl }] of Object.entries(own.fnMap)) own.f[id] ||= countOf(child, decl.start.line);
  }
}

/** The highest run count of the functions that start on a line. */
function countOf({ fnMap, f }, line) {
  const ids = Object.keys(fnMap).filter((id) => fnMap[id].decl.start.line === line);
  return Math.max(0, ...ids.map((id) => f[id]));
}
