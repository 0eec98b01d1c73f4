/**
 * Reads the main figures from the tables of docs/benchmarks.md, for the first lines of that page, its chart and
 * docs/compare.md.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { drawBars } from "./chart.mjs";

const PAGE = "docs/benchmarks.md";

/** The name of each way in docs/benchmarks.md, and in docs/compare.md. */
const WAYS = /** @type {const} */ ([
  ["ents, csv", "ents"],
  ["hand-written script", "a hand-written script"],
  ["curl | jq -r @csv", "curl and jq"],
  ["the official SDK", "the official SDK"],
]);

const CHART = /!\[[^\]]*\]\(benchmarks\.svg\)/;
const LEAD = /(?<=^# Benchmarks\n\n<!--.*-->\n\n)(?:- .*\n)+\n|(?<=^# Benchmarks\n\n<!--.*-->\n\n)/;

/** @typedef {{ name: string, seconds: number, memory: string }} Way @typedef {{ points: number, ways: Way[] }} Comparison */

/**
 * The files that show figures of the page, including the page itself.
 * @param {string} root @param {string} [page] default: the page on disk
 * @returns {[path: string, text: string][]}
 */
export function listFiles(root, page = readFileSync(join(root, PAGE), "utf8")) {
  const comparison = join(root, "docs/compare.md");
  return [
    [join(root, PAGE), writeLead(page)],
    [join(root, "docs/benchmarks.svg"), drawChart(page)],
    [comparison, describeChart(readFileSync(comparison, "utf8"), page)],
  ];
}

/** Replaces the first lines of the page. @param {string} page */
function writeLead(page) {
  const { points, ways } = readComparison(page, 0);
  const one = readComparison(page, 1);
  const [ents, ...others] = ways;
  const start = findRow(page, "one small request, csv, token from the environment");
  const lead = [
    `**${formatCount(points)} points to CSV take \`ents\` ${formatSeconds(ents?.seconds)}**; ${others.map(({ name, seconds }) => `${name} ${formatSeconds(seconds)}`).join(", ")}.`,
    `**One small request takes ${median(start[2])} ms**, of which Node itself takes ${median(start[4])} ms.`,
    `**Memory is ${ents?.memory}** for ${formatCount(points)} points, and ${one.ways[0]?.memory} for ${one.points.toLocaleString("en-US")}.`,
  ];
  return page.replace(LEAD, `${lead.map((line) => `- ${line}\n`).join("")}\n`);
}

/** @param {string} page */
function drawChart(page) {
  const { points, ways } = readComparison(page, 0);
  const [node, processor] = [findRow(page, "Node")[1], findRow(page, "processor")[1]];
  return drawBars({
    title: `${formatCount(points)} points to CSV`,
    note: `seconds, less is better; Node ${node}, ${processor}`,
    bars: ways.map(({ name, seconds }) => ({ name, value: seconds, text: formatSeconds(seconds) })),
  });
}

/** Puts the chart's figures into its alternative text in docs/compare.md. @param {string} comparison @param {string} page */
function describeChart(comparison, page) {
  const { points, ways } = readComparison(page, 0);
  const words = ways.map(({ name, seconds }) => `${name} ${formatSeconds(seconds)}`).join(", ");
  if (!CHART.test(comparison)) throw new Error("docs/compare.md does not show docs/benchmarks.svg");
  return comparison.replace(CHART, `![${formatCount(points)} points to CSV: ${words}](benchmarks.svg)`);
}

/**
 * Reads the ways of a section such as `## 10,137,600 points in 44 responses`; the page has two.
 * @param {string} page @param {0 | 1} index @returns {Comparison}
 */
function readComparison(page, index) {
  const section = page.split(/^## /m).filter((text) => /^[\d,]+ points in /.test(text))[index] ?? "";
  const ways = WAYS.map(([way, name]) => {
    const [, , time, , memory] = findRow(section, way);
    return { name, seconds: Number.parseFloat(median(time)), memory: median(memory) };
  });
  return { points: Number.parseInt(section.replaceAll(",", ""), 10), ways };
}

/**
 * The cells of the first row with this title, or with `title: note`, without Markdown marks.
 * @param {string} text @param {string} title
 */
function findRow(text, title) {
  const rows = text.split("\n").map((line) => line.split(/(?<!\\)\|/).slice(1, -1));
  const cells = rows.map((row) => row.map((cell) => cell.replaceAll(/\*\*|[`\\]/g, "").trim()));
  const found = cells.find(([first]) => first === title || first?.startsWith(`${title}: `));
  if (found === undefined) throw new Error(`docs/benchmarks.md has no row "${title}"`);
  return found;
}

/** Removes the spread from `2.85 s (2.31 s to 3.62 s)`. @param {string | undefined} cell */
function median(cell = "") {
  return cell.replace(/ \(.*/, "");
}

/** @param {number | undefined} seconds */
function formatSeconds(seconds = Number.NaN) {
  return `${seconds.toFixed(seconds < 100 ? 1 : 0)} s`;
}

/** @param {number} points */
function formatCount(points) {
  return `${Math.round(points / 1_000_000)} million`;
}
