/** Describes the values of flags in Markdown, for the reference and the man page. */

export const LISTS =
  "**Lists** (`<metric...>`, `<code...>`) take several values, separated by spaces or commas, or repeated: `-m power energy`, `-m power,energy` and `-m power -m energy` are the same. `@file` reads them from a file, one per line, `@-` from standard input; `#` starts a comment at the start of a line or after white space (`W/HOE#1` is a code). Duplicates are sent once.";

export const WHEN = {
  intro: "**`<when>`** is network time, without daylight saving:",
  header: ["form", "as a start", "as an end"],
  forms: [
    ["`2025-01-31T14:05`, `2025-01-31T14:05:30`", "that second", "that second"],
    ["`2025-01-31`, `2025-01`, `2025`", "its first instant", "its last second"],
    ["`today`, `yesterday`", "its first instant", "its last second"],
    ["`now`, `-7d`", "the start of its interval", "that instant"],
    ["`2025-01-31T14:05Z`, `…+11:00`", "converted to network time", "converted to network time"],
  ],
};

export const UNITS = [
  "**`<duration>`** is a whole number above 0 and a unit: `s`, `m`, `h`, `d`, `w`, `M` (months), `y`, such as `30s`, `90m`, `7d` or `6M`. Months and years are calendar months and years.",
  "**`<size>`** is a number and a unit, such as `500MB`, `1GiB` or `500M`; `K`, `M` and `G` are `KiB`, `MiB` and `GiB`.",
];

/** Describes where intervals start. */
export function describeRule(rule) {
  if ("months" in rule) {
    if (rule.months === 1) return "on the first of each month";
    const starts = Array.from({ length: 12 / rule.months }, (_, index) => (rule.phase + index * rule.months) % 12);
    return `on the first of ${starts
      .toSorted((a, b) => a - b)
      .map((month) => MONTHS[month])
      .join(", ")}`;
  }
  const minutes = rule.ms / 60_000;
  if (minutes === 7 * 24 * 60) return "on Sunday";
  if (minutes === 24 * 60) return "at midnight";
  return minutes === 60 ? "on the hour" : `every ${minutes} minutes`;
}

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** `+10:00` */
export function formatOffset({ offsetMinutes }) {
  return `+${String(offsetMinutes / 60).padStart(2, "0")}:00`;
}

/** The fueltechs of each group, in the order of the groups; those without one under "". */
export function groupFueltechs(groups) {
  const found = {};
  for (const [fueltech, group] of Object.entries(groups)) (found[group ?? ""] ??= []).push(fueltech);
  return found;
}

export const GROUPS =
  "The public service leaves out the data of fueltechs without a group. Its group `biomass` is empty: the fueltechs of biomass are in `bioenergy`. Hardly any unit has the fueltech `solar`: the group has the finer ones.";

export const ENDPOINTS = {
  network: "GET {base}/v4/data/network/{network_code}",
  facilities: "GET {base}/v4/data/facilities/{network_code}",
  market: "GET {base}/v4/market/network/{network_code}",
};
