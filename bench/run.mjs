/**
 * `npm run bench`: measures, prints the tables, and writes docs/benchmarks.md with its chart. `--quick`: measures less;
 * only prints.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, release, tmpdir, totalmem, type } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compareExports } from "./exports.mjs";
import { cleanEnv, requireTime } from "./measure.mjs";
import { listFiles } from "./figures.mjs";
import { formatReport } from "./report.mjs";
import { measureStartUps } from "./start-up.mjs";
import { measureTables } from "./tables.mjs";
import { measureUpdates } from "./updates.mjs";
import { measureViews } from "./views.mjs";
import { createWork } from "./work.mjs";
import { measureWorkbooks } from "./workbooks.mjs";

const SERVICE = fileURLToPath(new URL("service.mjs", import.meta.url));
const ROOT = fileURLToPath(new URL("..", import.meta.url));

const FULL = {
  responses: 44,
  small: { byHand: 11, download: 5, ndjson: 5, columnar: 5, file: 5, slow: 3, slowest: 1 },
  large: { byHand: 7, download: 7, ndjson: 5, columnar: 5, file: 3, slow: 2, slowest: 1 },
  startUps: 21,
  tables: 5,
  updates: 7,
  views: 5,
};

/** Slow ways only run with a single response. */
const QUICK = {
  responses: 6,
  small: { byHand: 3, download: 1, ndjson: 1, columnar: 1, file: 1, slow: 1, slowest: 1 },
  large: { byHand: 2, download: 2, ndjson: 1, columnar: 1, file: 1, slow: 0, slowest: 0 },
  startUps: 5,
  tables: 1,
  updates: 1,
  views: 1,
};

/** @param {typeof FULL} amount @param {{ folder: string, baseUrl: string }} setting */
async function measureAll(amount, { folder, baseUrl }) {
  const env = { ...cleanEnv(folder), ENTS_TOKEN: "a-token-for-the-benchmark" };
  const setting = { env, folder, baseUrl };
  const nodes = [process.execPath, ...(process.env["ENTS_BENCH_NODES"] ?? "").split(":").filter(Boolean)];
  const startUps = nodes.flatMap((node) => measureStartUps(node, amount.startUps, setting));
  const tables = measureTables(amount.tables, setting);
  const workbooks = measureWorkbooks(amount.tables, setting);
  const small = await compareExports(await createWork(1, setting), amount.small, setting);
  const work = await createWork(amount.responses, setting);
  const large = await compareExports(work, amount.large, setting);
  const updates = measureUpdates(work, amount.updates, setting);
  const views = measureViews(amount.views, setting);
  return { startUps, tables, workbooks, small, large, updates, views };
}

/** @returns {[string, string][]} */
function describeMachine() {
  const processors = cpus();
  const version = (/** @type {string} */ file) =>
    JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), "utf8")).version;
  const ask = (/** @type {string} */ tool) =>
    execFileSync(tool, ["--version"], { encoding: "utf8" }).split("\n")[0]?.split(" (")[0] ?? "";
  return [
    ["date", new Date().toISOString().slice(0, 10)],
    ["processor", `${processors.length} cores of ${processors[0]?.model.trim()}`],
    ["memory", `${Math.round(totalmem() / 2 ** 30)} GiB`],
    ["system", `${type()} ${release()}`],
    ["Node", process.version],
    ["ents", version("package.json")],
    [
      "others",
      [ask("curl"), ask("jq"), `openelectricity ${version("node_modules/openelectricity/package.json")}`].join(", "),
    ],
  ];
}

/** @template T @param {(baseUrl: string) => Promise<T>} use @returns {Promise<T>} */
async function withService(use) {
  const service = spawn(process.execPath, [SERVICE], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const [line] = await once(service.stdout, "data");
    return await use(String(line).trim());
  } finally {
    service.kill();
  }
}

requireTime();
const quick = process.argv.includes("--quick");
const folder = mkdtempSync(join(tmpdir(), "ents-bench-"));
try {
  const figures = await withService((baseUrl) => measureAll(quick ? QUICK : FULL, { folder, baseUrl }));
  const page = formatReport(figures, describeMachine());
  process.stdout.write(page);
  if (!quick) for (const [path, text] of listFiles(ROOT, page)) writeFileSync(path, text);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
