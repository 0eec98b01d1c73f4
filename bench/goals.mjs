/** The goals and their measured values. */

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
 * @property {{ whole: Spread, chart: Spread, excerpt: Spread }} tables
 * @property {{ wall: Spread, peak: Spread }} workbooks
 * @property {import("./updates.mjs").Updates} updates
 * @property {readonly import("./exports.mjs").Way[]} views
 */

const MB = 1_000_000;
const RATIO = /** @type {const} */ ("ratio");

/** @param {Figures} figures @returns {Goal[]} */
export function listGoals({ small, large, startUps, tables, workbooks, updates }) {
  const count = (/** @type {Comparison} */ { work }) =>
    `${Math.round(work.points / 1000).toLocaleString("en-US")} thousand points`;
  const against = (/** @type {string} */ way) => (large.ways.has(way) ? large : small);
  const wayOf = (/** @type {string} */ way) => /** @type {import("./exports.mjs").Way} */ (large.ways.get(way));
  const [file, pivot, parquet] = [wayOf("file"), wayOf("pivot"), wayOf("parquet")];
  const { peak } = wayOf("ents");
  const one = small.ways.get("ents")?.peak.median ?? Number.NaN;
  return [
    ...startUps.map(({ what, other, version, limit, ratio }) => ({
      key: "start-up",
      what: `${what} / ${other}, Node ${version}`,
      limit,
      unit: RATIO,
      measured: ratio,
    })),
    {
      key: "small",
      what: `${count(small)} to CSV / hand-written script`,
      limit: 0.7,
      unit: RATIO,
      measured: small.ratio("byHand"),
    },
    {
      key: "large",
      what: `${count(large)} to CSV / hand-written script`,
      limit: 0.45,
      unit: RATIO,
      measured: large.ratio("byHand"),
    },
    {
      key: "download",
      what: `${count(large)} to CSV / download only`,
      limit: 2.2,
      unit: RATIO,
      measured: large.ratio("download"),
    },
    {
      key: "jq",
      what: `${count(against("jq"))} to CSV / \`curl \\| jq\``,
      limit: 0.06,
      unit: RATIO,
      measured: against("jq").ratio("jq"),
    },
    {
      key: "sdk",
      what: `${count(against("sdk"))} to CSV / the official SDK`,
      limit: 0.01,
      unit: RATIO,
      measured: against("sdk").ratio("sdk"),
    },
    { key: "memory", what: `peak memory, ${count(large)}`, limit: 130 * MB, unit: "bytes", measured: peak },
    {
      key: "growth",
      what: `peak memory, ${count(large)} / ${count(small)}`,
      limit: 1.4,
      unit: RATIO,
      measured: scale(peak, 1 / one),
    },
    {
      key: "pivot",
      what: `peak memory, ${count(large)} into a file, pivoted / long`,
      limit: 2,
      unit: RATIO,
      measured: scale(pivot.peak, 1 / file.peak.median),
    },
    {
      key: "ndjson",
      what: `${count(large)}, ndjson / csv`,
      limit: 1.3,
      unit: RATIO,
      measured: invert(large.ratio("ndjson")),
    },
    {
      key: "parquet",
      what: `a million points to Parquet, of ${count(large)}`,
      limit: 1,
      unit: "seconds",
      measured: scale(parquet.wall, 1_000_000 / large.work.points),
    },
    { key: "parquet-memory", what: "its peak memory", limit: 300 * MB, unit: "bytes", measured: parquet.peak },
    {
      key: "arrow",
      what: `${count(large)}, arrow / csv`,
      limit: 1.5,
      unit: RATIO,
      measured: invert(large.ratio("arrow")),
    },
    { key: "table", what: "a table of 100,000 rows, `--limit 0`", limit: 1, unit: "seconds", measured: tables.whole },
    {
      key: "excerpt",
      what: "formatting the default table of 100,000 rows",
      limit: 0.1,
      unit: "seconds",
      measured: tables.excerpt,
    },
    {
      key: "chart",
      what: "a chart of 100,000 points, 200 x 60 cells in 24-bit colours",
      limit: 0.4,
      unit: "seconds",
      measured: tables.chart,
    },
    { key: "xlsx", what: "a workbook of 300,000 rows, `-f xlsx`", limit: 3, unit: "seconds", measured: workbooks.wall },
    { key: "xlsx-memory", what: "its peak memory", limit: 150 * MB, unit: "bytes", measured: workbooks.peak },
    {
      key: "update",
      what: `a night of a file of ${Math.round(updates.bytes / MB)} MB / an export`,
      limit: 1.3,
      unit: RATIO,
      measured: updates.ratio,
    },
    {
      key: "update-memory",
      what: "its peak memory / that of an export",
      limit: 1.2,
      unit: RATIO,
      measured: updates.memory,
    },
    {
      key: "update-dataset",
      what: "a night of a dataset of the same, by month / one of its newest files alone",
      limit: 2,
      unit: RATIO,
      measured: updates.datasetRatio,
    },
  ];
}

/** @param {Goal} goal */
export function isMet({ measured, limit }) {
  return measured.median <= limit;
}

/** @param {Spread} of @param {number} factor @returns {Spread} */
function scale({ median, min, max, runs }, factor) {
  return { median: median * factor, min: min * factor, max: max * factor, runs };
}

/** @param {Spread} of @returns {Spread} */
function invert({ median, min, max, runs }) {
  return { median: 1 / median, min: 1 / max, max: 1 / min, runs };
}
