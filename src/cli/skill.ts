/**
 * The page of `ents skill`: what an assistant needs to know to write commands. Lists come from the tables of the
 * program.
 */
import { createHash } from "node:crypto";
import { ALL_METRICS, listMetricsOf } from "../base/computed-metrics.ts";
import { EXIT_CODES } from "../base/exit-codes.ts";
import { FUELTECH_GROUPS } from "../base/fueltechs.ts";
import { INTERVALS } from "../base/intervals.ts";
import {
  COMMAND_NAMES,
  LABELS,
  MAX_CODES,
  type NetworkFacts,
  NETWORKS,
  QUOTAS,
  UNIT_GROUPS,
} from "../base/vocabulary.ts";
import { FORMATS } from "../format/registry.ts";

/** Markdown with the front matter of a SKILL.md, and a mark by which ents knows its own page. */
export function formatSkill(version: string): string {
  const lines = [...FRONT, ...listChoices(version), ...listConstraints(), ...RUN, ...listErrors(), ...CARE];
  const page = `${lines.join("\n")}\n`;
  return `${page}\n${formatMark(version, page)}`;
}

/** True for the page of any version, unless somebody has edited it. */
export function isOwnSkill(text: string): boolean {
  const [page = "", version] = text.split(/\n<!-- ents (\S+) /);
  return version !== undefined && text === `${page}\n${formatMark(version, page)}`;
}

function formatMark(version: string, page: string): string {
  return `<!-- ents ${version} ${createHash("sha256").update(page).digest("hex").slice(0, 16)} -->\n`;
}

const FRONT = [
  "---",
  "name: ents",
  // In one line: some readers take a folded one for ">-".
  "description: Fetch Australian electricity data (price, demand, power, energy, emissions, capacity factor, curtailment, flows; NEM and WEM; networks, regions, fueltechs, power stations, units) with the command-line tool ents, as CSV, JSON, Parquet, a table or a chart. Use it for questions about electricity prices, generation, renewables or emissions in Australia.",
  "---",
];

function listChoices(version: string): string[] {
  const offers = COMMAND_NAMES.map((command) => {
    const metrics = listMetricsOf(command).map((name) => `${name} (${ALL_METRICS[name]?.unit})`);
    return `- \`ents ${command} <network>\` (${SUBJECTS[command]}): ${metrics.join(", ")}`;
  });
  const networks = Object.entries<NetworkFacts>(NETWORKS).map(
    ([code, { offsetMinutes, regions }]) =>
      `${code} (UTC+${offsetMinutes / 60}, no daylight saving; ${regions.join(" ")})`,
  );
  const { perDay, historyDays } = QUOTAS.community;
  return [
    "",
    `# ents ${version}`,
    "",
    "One command answers one question: it splits long windows, waits for rate limits, tries again, and prints rows that are complete",
    "and exact. Standard output has data only. `ents help --json [command]` has every flag; `ents help <command>` is for people.",
    "",
    "## 1. Choose command, metric, network",
    "",
    ...offers,
    `- Networks: ${networks.join("; ")}.`,
    "- Search, without a request: `ents metrics price`, `ents list regions`, `ents list fueltechs`. Stations and units:",
    "  `ents list facilities wind south australia -f json`, `ents list units bayswater -f json`.",
    `- Stations need a key (\`ENTS_TOKEN\` or \`ents login\`); network and market do not. Without a paid key: the last ${historyDays} days, ${perDay} requests a day.`,
    "- No account? `--sandbox` gives synthetic data: never present them as real.",
    "",
  ];
}

function listConstraints(): string[] {
  return [
    "## 2. Constrain",
    "",
    "- Time: `--during today|yesterday|2025-01-31|2025-01|2025-Q1|2025|FY2025`, `this-` or `last-` with `week|month|quarter|year|fy`;",
    "  or `--last 7d`; or `-s 2025-01 -e 2025-03` (the end is included). Network time; an offset is converted: `-s 2025-01-31T14:00+11:00`.",
    `- Interval: \`-i ${Object.keys(INTERVALS).join("|")}\`. Always give one. \`--complete\` leaves out an interval that is not over.`,
    "  OpenElectricity refuses `fy` for more than 7 days: take `-i 1M --during FY2025`, and add up MWh, $ and t.",
    `- Regions \`-r NSW1 VIC1\`; \`--fueltech wind\`, \`--fueltech-group ${FUELTECH_GROUPS.filter((group) => !group.startsWith("battery")).join("|")}\` (network).`,
    `- One series for each: \`-g\` ${Object.keys(LABELS).join(", ")}; of facilities, units are added up by \`-g\` ${Object.keys(UNIT_GROUPS).join(", ")}.`,
    `- Stations by name: \`--facility hornsdale\`; by place and kind: \`-r SA1 --fueltech wind --status operating\`; by code: \`--facility-code\`, \`--unit-code\` (at most ${MAX_CODES} a request).`,
    "  Rows are by unit, named by code: `--with facility_name fueltech capacity` adds columns; `-g facility` adds the units up.",
    `- Formats: \`-f ${Object.keys(FORMATS).join("|")}\`, or by the name of \`-o file.parquet\`. For rows to parse take \`-f ndjson\` or csv;`,
    "  `-f json` is the service's envelope for series, and rows for lists and what is computed. `-f table` and charts round.",
    "- Analysis: `--summary-only` (min, max, percentiles, mean, sum), `--above 300`, `--below 0`, `--top 10` with `--each`, `--latest`,",
    "  `--profile day|week|year` (intervals shorter than it), `--duration`; `--per quarter` with these two, `--summary-only`, `--top` or",
    "  `--bottom` (of values themselves, `-i` makes periods); `--rolling 12M`, `--compare 1y` (change), `--minus VIC1` (spread),",
    "  `--pivot region`. Use these; do not compute them again. The cheapest three hours of each day: `-i 1h --rolling 3h --bottom 1 --per day`.",
    "",
  ];
}

const RUN = [
  "## 3. Look before a long run, then run",
  "",
  "```sh",
  "ents market NEM -m price -i 5m --during last-month -g region --dry-run",
  "ents market NEM -m price -i 1h --during yesterday -g region -f ndjson",
  "ents network NEM -m energy -i 1M --during last-quarter -g fueltech -f csv",
  "ents network NEM -m emissions_intensity -i 1d --last 7d --complete -g region -f csv",
  "ents facilities NEM -m capacity_factor -i 1M --during last-quarter --facility hornsdale -g facility -f csv",
  "ents market NEM -m price -i 5m --during last-month -g region --summary-only --above 300 -f csv",
  "ents market NEM -m price -i 1h --last 2d -r NSW1 -o price.png",
  "ents market NEM -m price -i 1h -s -90d -g region --update --complete -o price.csv",
  "ents update price.csv",
  "```",
  "",
  "Parquet for databases: `-o prices.parquet`, or a folder of files with `--partition month -o prices/`.",
  "Long tables: write to a file (`-o`) and read parts of it. A file is replaced when the new one is complete, never before. If a run",
  "stops, the same command resumes it. `--update` keeps the answers: then `ents show price.csv -f table --last 7d` asks for nothing,",
  "`ents log price.csv --changes` says what was restated, and `ents check price.csv` finds what cannot be right.",
  "",
];

const CODE_KINDS = ["usage", "authentication", "refused", "unavailable", "output", "incomplete"] as const;

function listErrors(): string[] {
  return [
    "## 4. Read what went wrong",
    "",
    "`--errors json` (or `ENTS_ERRORS=json`) prints errors, warnings and notes on standard error, an object a line: `kind`, `message`,",
    "`value`, `allowed`, `did_you_mean`, `next_step`, `resume`. Warnings and notes matter: tell the user. By kind:",
    "",
    ...CODE_KINDS.map((kind) => `- ${kind} (exit ${EXIT_CODES[kind].code}): ${WHAT_TO_DO[kind]}`),
    "",
    "No data is exit 0 with a note: say that there are none; do not invent any.",
    "",
  ];
}

const CARE = [
  "## 5. Traps",
  "",
  "- Timestamps are the beginning of an interval, with the network's offset. `--time-zone Australia/Sydney` converts; never add hours.",
  "- `-i fy` is stamped 1 January of the year it ends in, `-i season` with a quarter's first day; `--time-format name` says `FY2025`.",
  "- The last interval may be incomplete, and its value will change: `--complete` for anything that is compared or summed.",
  "- Batteries come twice by fueltech: `battery` is `battery_discharging` minus `battery_charging`. Never add all three.",
  "- Two renewable shares: `renewable_proportion` (market) is of demand, with rooftop solar; `-m share -g renewable` (network) is of what generates.",
  "- MW are means of an interval, MWh are sums: add MWh, never MW over time. Ratios (prices, intensities) are never averaged: ask for `-i 1M`.",
  "- `price` is the spot price; what a technology earned for a MWh is `average_price` (network, facilities).",
  "- `null` or an empty cell is a value that the service does not have, not zero.",
  "- The data belong to the service: give its name and the plan's licence (`--datapackage` writes it beside the file; community keys: non-commercial).",
  "",
  "## 6. Check before you answer",
  "",
  "Count the rows (`--summary` says series, points, gaps and missing values), name unit, time zone and window, and give the command.",
];

const SUBJECTS = {
  network: "a network's generation",
  facilities: "power stations, by unit",
  market: "prices and demand",
} as const;

const WHAT_TO_DO: Readonly<Record<(typeof CODE_KINDS)[number], string>> = {
  usage: "fix the command with `did_you_mean` or `next_step`; nothing was sent.",
  authentication: "ask the user for a key; never print one.",
  refused: "the service said no; read `message`, and change the query.",
  unavailable: "wait, then run the same command again, or the one in `resume`.",
  output: "the file could not be written; the old one is unchanged.",
  incomplete: "the output is not as complete or fresh as `--require-complete` or `--require-fresh` asked.",
};
