/** What other tools call commands and flags that ents names otherwise, or does not have. */
import { findFlagWithChoice } from "../options/check.ts";
import { COMMON_OPTIONS } from "../options/fetch-options.ts";
import { flagOf, type OptionTable } from "../options/spec.ts";

const DATA_VERBS = ["get", "fetch", "download", "export", "query", "data", "plot", "chart", "graph"];

/** Names that users may try for a command. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  network: DATA_VERBS,
  facilities: [...DATA_VERBS, "stations", "station", "generators", "plants"],
  market: DATA_VERBS,
  list: ["find", "search", "ls", "codes", "lookup", "stations", "station", "generators", "plants"],
  update: ["sync", "refresh", "schedule", "cron", "nightly", "daily", "watch"],
  log: ["history", "changes", "changelog", "diff", "journal"],
  login: ["auth", "authenticate", "signin", "token", "key"],
  whoami: ["status", "account", "me", "info", "usage", "quota"],
  config: ["settings", "configure"],
  sandbox: ["serve", "server", "mock", "demo"],
};

export function findCommandsLike(word: string): string[] {
  return Object.keys(COMMANDS).filter((name) => COMMANDS[name]?.includes(word));
}

/** What others call the lists, in the singular. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  regions: ["state", "zone"],
  fueltechs: ["fuel", "technology"],
  facilities: ["station", "plant", "generator"],
  units: ["duid", "generator"],
  "'ents metrics'": ["metric"],
};

export function findListsLike(word: string): string[] {
  return Object.keys(LISTS).filter((name) => LISTS[name]?.includes(word.replace(/s$/, "")));
}

export const VERSION_HINT = "for the version, use 'ents --version'";
const TOKEN_HINT = "run 'ents login', which asks for the token, or set ENTS_TOKEN";

const SHARE_HINT = "for percentages: ents network NEM -m share -g fueltech -i 1M --last 1y";
const SUMMARY_HINT =
  "--summary prints the least, mean, median and largest value of each series, percentiles and sums; --summary-only prints them as rows";

/** Hints for flags of other tools that ents does not have. */
const FLAG_HINTS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(["percent", "percentage", "pct"].map((name) => [name, SHARE_HINT])),
  ...Object.fromEntries(
    ["mean", "average", "avg", "median", "total", "sum", "percentile", "percentiles"].map((name) => [
      name,
      SUMMARY_HINT,
    ]),
  ),
  token: TOKEN_HINT,
  "api-key": TOKEN_HINT,
  apikey: TOKEN_HINT,
  key: TOKEN_HINT,
  V: VERSION_HINT,
  "no-cache": "use --cache off",
  proxy: "set HTTPS_PROXY",
  color: "set FORCE_COLOR=1",
  "no-color": "set NO_COLOR=1",
};

/** `name`: of the flag, without hyphens. */
export function findFlagHint(name: string): string | undefined {
  return Object.hasOwn(FLAG_HINTS, name) ? FLAG_HINTS[name] : undefined;
}

/** Flags that other tools call by this name, else flags with a value of this name: `--json` is `--format json`. */
export function findMeantFlags(name: string, table: OptionTable): string[] {
  const same = findOtherNames(name, table);
  return same.length > 0 ? same : findFlagWithChoice(name, table);
}

export function findOtherNames(name: string, table: OptionTable): string[] {
  const all: OptionTable = { ...table, ...COMMON_OPTIONS };
  return Object.entries(all).flatMap(([key, spec]) => (spec.otherNames?.includes(name) ? flagOf(key, spec) : []));
}
