/**
 * Measures processes that print something else in place of a year at five minutes, alternating with the export of its
 * rows.
 */
import { ENTS } from "./contestants.mjs";
import { summarize } from "./exports.mjs";
import { alternate, measure } from "./measure.mjs";
import { askIntervals } from "./work.mjs";

/** Of a year; with prices and demand of five regions, about a million points. */
const INTERVALS = 365 * 288;
const WORDS = [
  "--above price:300",
  "--top price:10 --each",
  "--summary-only",
  "--profile day",
  "--profile day --per month",
  "--duration",
  "--summary",
];

/**
 * @param {number} rounds @param {{ env: Record<string, string>, folder: string, baseUrl: string }} setting
 * @returns {import("./exports.mjs").Way[]}
 */
export function measureViews(rounds, { env, folder, baseUrl }) {
  process.stderr.write("views\n");
  const args = [...askIntervals(baseUrl, INTERVALS, "80d"), "-f", "csv"];
  const take = (/** @type {readonly string[]} */ words) =>
    measure({ name: words.join(" "), command: [process.execPath, ENTS, ...args, ...words], env }, folder);
  const rows = () => take([]);
  rows();
  const pairs = WORDS.map((word) => alternate([() => take(word.split(" ")), rows], { rounds, warmUp: false }));
  const all = pairs.flatMap((pair) => pair.map(([, plain]) => plain));
  return [
    summarize("all rows", all),
    ...WORDS.map((word, index) =>
      summarize(
        `\`${word}\``,
        (pairs[index] ?? []).map(([viewed]) => viewed),
      ),
    ),
  ];
}
