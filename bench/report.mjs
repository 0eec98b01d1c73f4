/** Formats the figures as docs/benchmarks.md. */
import { EXPLANATIONS } from "./explanations.mjs";
import { isMet, listGoals } from "./goals.mjs";

/**
 * @typedef {import("./goals.mjs").Figures} Figures
 * @typedef {import("./goals.mjs").Goal} Goal
 * @typedef {import("./exports.mjs").Comparison} Comparison
 * @typedef {import("./measure.mjs").Spread} Spread
 */

const INTRODUCTION = `# Benchmarks

<!-- Written by \`npm run bench\`: change bench/ instead. -->

How fast \`ents\` is and how much memory it takes, compared with other ways to get the same data.

\`\`\`sh
npm run bench             # builds, measures for a quarter of an hour, and writes this page
npm run bench -- --quick  # fewer runs with less data, under a minute; only prints
\`\`\`

It needs \`curl\`, \`jq\`, \`bash\` and GNU time (Debian's packages of these names). \`ENTS_BENCH_NODES\` names binaries of
other versions of Node to measure, separated by colons.

A local service in a separate process sends bodies that were prepared and compressed (gzip, level 6) beforehand: price
and demand of the NEM's five regions every 5 minutes, 80 days or 230,400 points a response, in the form of the public service.
Each way is a complete child process with an empty environment, and writes to the null device. Runs alternate between \`ents\`
and one other way; each goes first equally often, and ratios compare the two runs of a pair. Figures are medians, with the
lowest and the highest in parentheses; the ratios below the goals are those of medians. Before anything is measured, the CSV
of \`ents\` and of the hand-written script (\`bench/by-hand.mjs\`) is compared: the bytes are the same.
`;

const NOTES = `- The hand-written script keeps its connection, parses with \`JSON.parse\`, joins, and handles backpressure. It assumes that
  all series have the same timestamps, and never retries; \`ents\` assumes nothing and retries.
- "Download only" is one \`curl\` for all addresses over one connection, with decompression (\`--compressed\`), as in all ways.
- \`curl | jq\` writes rows in the service's order, series after series, with quotes around text.
- The official SDK writes the rows of its own table: one column per metric, timestamps in UTC.
- \`-o\` stores the finished responses beside the file until it is complete, and waits for the disk.
- Memory is the peak resident memory of the largest process.
`;

const UPDATES = `- A night requests what is missing or open and a recheck, compares, and makes the output again from the stored responses. Each
  night of the dataset has one more day, and makes the files of the newest request alone.
- The service answers immediately, so an export takes no longer than its own work.
`;

/** @param {Figures} figures @param {readonly [name: string, value: string][]} machine */
export function formatReport(figures, machine) {
  const goals = listGoals(figures);
  const sections = [
    INTRODUCTION,
    `## Where this was measured\n\n${formatTable(["", ""], machine)}`,
    `## Goals\n\n${formatTable(["what", "goal", "measured", ""], goals.map(formatGoal))}`,
    ...[figures.large, figures.small].map(formatComparison),
    NOTES,
    formatUpdates(figures.updates),
    `## A year at five minutes\n\nA million points, 105,120 intervals of ten series, with each of the [words of analysts](analysis.md).\n\n${formatWays(figures.views, figures.views[0])}`,
    `## Start-up\n\n${formatTable(["what", "Node", "time, ms", "beside", "its time, ms"], figures.startUps.map(formatStartUp))}`,
    ...explainMissed(goals),
  ];
  return sections.join("\n");
}

/** @param {Goal} goal */
function formatGoal(goal) {
  const { what, limit, unit, measured } = goal;
  const bound = unit === "bytes" ? formatMegabytes(limit) : unit === "seconds" ? `${limit} s` : String(limit);
  return [what, `≤ ${bound}`, formatSpread(measured, FORMATS[unit]), isMet(goal) ? "met" : "**missed**"];
}

/** @param {Comparison} comparison */
function formatComparison({ work, ways }) {
  const title = `${work.points.toLocaleString("en-US")} points in ${work.responses} ${work.responses === 1 ? "response" : "responses"}`;
  return `## ${title}\n\n${formatWays([...ways.values()], ways.get("byHand"))}`;
}

/** @param {Figures["updates"]} updates */
function formatUpdates({ bytes, update, baseline, dataset, datasetBaseline }) {
  const ways = [update, baseline, dataset, datasetBaseline];
  return `## A night of an output of ${formatMegabytes(bytes)}\n\n${formatWays(ways, baseline)}\n${UPDATES}`;
}

/** @param {readonly import("./exports.mjs").Way[]} ways @param {import("./exports.mjs").Way | undefined} baseline */
function formatWays(ways, baseline) {
  const rows = ways.map(({ name, wall, cpu, peak }) => [
    name,
    FORMATS.ratio(wall.median / (baseline?.wall.median ?? Number.NaN)),
    formatSpread(wall, FORMATS.seconds),
    `${cpu.median.toFixed(2)} s`,
    formatSpread(peak, FORMATS.bytes),
    String(wall.runs),
  ]);
  return formatTable(["way", "ratio", "time", "processor", "memory", "runs"], rows);
}

/** @param {import("./start-up.mjs").StartUp} startUp */
function formatStartUp({ what, other, version, wall, bare }) {
  const toMs = (/** @type {number} */ seconds) => (seconds * 1000).toFixed(0);
  return [what, version, formatSpread(wall, toMs), other, formatSpread(bare, toMs)];
}

/** @param {readonly Goal[]} goals */
function explainMissed(goals) {
  const keys = new Set(goals.filter((goal) => !isMet(goal)).map(({ key }) => key));
  const texts = [...keys].map((key) => EXPLANATIONS[key]).filter((text) => text !== undefined);
  return texts.length === 0 ? [] : [`## Why goals are missed\n\n${texts.join("\n\n")}\n`];
}

const FORMATS = {
  ratio: (/** @type {number} */ value) => value.toFixed(value < 0.1 ? 3 : 2),
  seconds: (/** @type {number} */ value) => `${value.toFixed(2)} s`,
  bytes: formatMegabytes,
};

/** @param {number} bytes */
function formatMegabytes(bytes) {
  return `${(bytes / 1_000_000).toFixed(0)} MB`;
}

/** @param {Spread} spread @param {(value: number) => string} format */
function formatSpread({ median, min, max, runs }, format) {
  return runs === 1 ? format(median) : `${format(median)} (${format(min)} to ${format(max)})`;
}

/** @param {readonly string[]} titles @param {readonly (readonly string[])[]} rows */
function formatTable(titles, rows) {
  return [titles, titles.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}
