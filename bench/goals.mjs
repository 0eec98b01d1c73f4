/** The goals, and what was measured of each. */

/**
 * @typedef {import("./measure.mjs").Spread} Spread
 * @typedef {import("./exports.mjs").Comparison} Comparison
 * @typedef {import("./start-up.mjs").StartUp} StartUp
 *
 * @typedef {object} Goal
 * @property {string} key
 * @property {string} what
 * @property {number} limit
 * @property {"ratio" | "seconds" | "bytes"} unit
 * @property {Spread} measured
 *
 * @typedef {object} Figures
 * @property {Comparison} small   one response
 * @property {Comparison} large   many responses
 * @property {readonly StartUp[]} startUps
 * @property {{ whole: Spread, excerpt: Spread }} tables
 */

const MB = 1_000_000;

/** @param {Figures} figures @returns {Goal[]} */
export function listGoals({ small, large, startUps, tables }) {
  const ratioGoal = (/** @type {string} */ key, /** @type {string} */ what, /** @type {number} */ limit, /** @type {Spread} */ measured) =>
    /** @type {Goal} */ ({ key, what, limit, unit: "ratio", measured });
  const count = (/** @type {Comparison} */ { work }) => `${Math.round(work.points / 1000).toLocaleString("en-US")} thousand points`;
  const against = (/** @type {string} */ way) => (large.ways.has(way) ? large : small);
  const peak = /** @type {import("./exports.mjs").Way} */ (large.ways.get("ents")).peak;
  const one = small.ways.get("ents")?.peak.median ?? Number.NaN;
  return [
    ...startUps.map(({ what, version, limit, ratio }) => ratioGoal("start-up", `${what} / bare node, Node ${version}`, limit, ratio)),
    ratioGoal("small", `${count(small)} to CSV / hand-written script`, 0.7, small.ratio("byHand")),
    ratioGoal("large", `${count(large)} to CSV / hand-written script`, 0.45, large.ratio("byHand")),
    ratioGoal("download", `${count(large)} to CSV / download only`, 2.2, large.ratio("download")),
    ratioGoal("jq", `${count(against("jq"))} to CSV / \`curl \\| jq\``, 0.06, against("jq").ratio("jq")),
    ratioGoal("sdk", `${count(against("sdk"))} to CSV / the official SDK`, 0.01, against("sdk").ratio("sdk")),
    { key: "memory", what: `peak memory, ${count(large)}`, limit: 130 * MB, unit: "bytes", measured: peak },
    ratioGoal("growth", `peak memory, ${count(large)} / ${count(small)}`, 1.4, scale(peak, 1 / one)),
    ratioGoal("ndjson", `${count(large)}, ndjson / csv`, 1.3, invert(large.ratio("ndjson"))),
    { key: "table", what: "a table of 100,000 rows, `--limit 0`", limit: 1, unit: "seconds", measured: tables.whole },
    { key: "excerpt", what: "formatting the default table of 100,000 rows", limit: 0.1, unit: "seconds", measured: tables.excerpt },
  ];
}

/** As good as the two digits that are shown. @param {Goal} goal */
export function isMet({ measured, limit, unit }) {
  const step = unit === "bytes" ? MB : 0.01;
  return Math.round(measured.median / step) <= Math.round(limit / step);
}

/** @param {Spread} of @param {number} factor @returns {Spread} */
function scale({ median, min, max, runs }, factor) {
  return { median: median * factor, min: min * factor, max: max * factor, runs };
}

/** @param {Spread} of @returns {Spread} */
function invert({ median, min, max, runs }) {
  return { median: 1 / median, min: 1 / max, max: 1 / min, runs };
}
