/**
 * Measures complete processes that print a large table or a chart, and the time to format a short excerpt of a large
 * result.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { ENTS } from "./contestants.mjs";
import { run, spread } from "./measure.mjs";
import { askIntervals, windowOfIntervals } from "./work.mjs";

const ROWS = 100_000;
const CHART_POINTS = 100_000;
const REGIONS = 5;
/** Price and demand of each region. */
const SERIES = 2 * REGIONS;
const EXCERPT = fileURLToPath(new URL("excerpt.mjs", import.meta.url));

/** @param {number} rounds @param {{ env: Record<string, string>, baseUrl: string }} setting */
export function measureTables(rounds, { env, baseUrl }) {
  process.stderr.write("tables\n");
  const args = [...askIntervals(baseUrl, ROWS / REGIONS), "-f", "table", "--limit", "0"];
  const table = { name: "table", command: [process.execPath, ENTS, ...args], env };
  const drawing = [...askIntervals(baseUrl, CHART_POINTS / SERIES), "-f", "chart", "--width", "200", "--height", "60"];
  const chart = { name: "chart", command: [process.execPath, ENTS, ...drawing], env: { ...env, FORCE_COLOR: "3" } };
  const repeat = (/** @type {() => number} */ take) => spread(Array.from({ length: rounds }, take));
  return {
    whole: repeat(() => run(table)),
    chart: repeat(() => run(chart)),
    excerpt: repeat(() => timeExcerpt(env, baseUrl)),
  };
}

/** @param {Record<string, string>} env @param {string} baseUrl */
function timeExcerpt(env, baseUrl) {
  const args = [EXCERPT, baseUrl, ...windowOfIntervals(ROWS / REGIONS)];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: "utf8" });
  if (status !== 0) throw new Error(`the excerpt failed: ${stderr}`);
  return Number(stdout);
}
