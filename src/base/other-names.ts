/** What people type who know other tools, and what it is called here: messages suggest it, and nothing else takes it. */

const DATA_VERBS = ["get", "fetch", "download", "export", "query", "data", "plot", "chart", "graph"];

export const OTHER_NAMES = {
  commands: {
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
  },
  /** In the singular. */
  lists: {
    regions: ["state", "zone"],
    fueltechs: ["fuel", "technology"],
    facilities: ["station", "plant", "generator"],
    units: ["duid", "generator"],
    "'ents metrics'": ["metric"],
  },
  /** Without hyphens. A name that one command alone has stands with the command. */
  flags: {
    "--interval": ["granularity", "resolution", "step", "freq", "frequency", "period", "bucket"],
    "--date-start": ["from", "since", "after", "begin", "start-date", "start-time", "from-date", "date-from"],
    "--date-end": ["to", "until", "before", "stop", "end-date", "end-time", "to-date", "date-to"],
    "--last": ["days", "hours", "recent", "duration", "period", "past"],
    "--during": ["date", "day", "month", "year"],
    "--network-region": ["regions", "state", "zone"],
    "--fueltech": ["fuel", "fuels", "fueltechs", "fuel-tech", "fuel-type", "technology", "tech"],
    "--unit-code": ["unit", "units", "duid", "duids"],
    "--group-by": ["by", "group", "groups", "groupby", "grouping", "split", "split-by"],
    "--max-window": ["chunk", "chunk-size", "max-range"],
    "--concurrency": ["parallel", "jobs", "threads", "workers"],
    "--cache": ["cache-ttl", "cache-for"],
    "--dry-run": ["explain"],
    "--base-url": ["url", "host", "server", "endpoint"],
    "--sandbox": ["demo", "mock", "fake", "test"],
    "--quiet": ["silent"],
    "--verbose": ["debug", "trace"],
    "--errors": ["error-format", "log-format"],
    "--network": ["networks"],
    "--facility": ["name", "facility-name", "station", "stations", "plant", "search", "facilities"],
    "--list": ["rules", "checks"],
    "--partition": ["partition-by", "partition-cols"],
    "--datapackage": ["metadata", "provenance"],
    "--changes": ["points", "values", "diff", "restated"],
    "--requests": ["responses", "provenance", "sources", "source"],
    "--as-of": ["at", "known-at", "version", "asof"],
    "--update": ["append", "incremental", "sync"],
    "--revise": ["lookback", "overlap"],
    "--history": ["versions", "keep-history", "archive"],
    "--require-fresh": ["max-age"],
    "--follow": ["watch", "tail", "live"],
    "--format": ["output-format", "out-format"],
    "--output": ["out", "outfile", "out-file", "output-file", "file", "save"],
    "--time-zone": ["timezone", "zone"],
    "--summary": ["stats", "describe", "info"],
    "--above": ["over", "gt", "min", "where", "filter", "having", "query", "threshold"],
    "--below": ["under", "lt", "max", "where", "filter", "having", "query"],
    "--top": ["largest", "highest", "nlargest", "sort", "sort-by", "order", "order-by", "orderby", "desc", "rank"],
    "--bottom": ["smallest", "lowest", "nsmallest", "asc"],
    "--minus": ["spread", "diff", "difference", "subtract", "basis", "less"],
    "--rolling": ["rolling-mean", "rolling-sum", "rolling-average", "moving-average", "ma", "smooth", "window"],
    "--compare": ["yoy", "vs", "versus", "year-on-year", "change", "pct-change", "shift", "lag"],
    "--per": ["per-month", "per-year", "by-month", "each-month"],
    "--require-none": ["fail-if-any", "alert", "alarm"],
    "--columns": ["fields", "select", "cols"],
    "--latest": ["newest", "current", "most-recent"],
    "--profile": ["time-of-day", "hourly-profile", "average-day", "duck"],
    "--duration": ["duration-curve", "load-duration", "ldc", "exceedance"],
    "--summary-only": ["statistics", "stats-only", "aggregate"],
    "--time-format": ["timestamp-format", "datetime-format", "date-format"],
    "--with": ["join", "columns", "fields"],
    "--interval-end": ["end-column", "period-end", "with-end"],
    "--null": ["null-value", "na", "na-rep"],
    "--limit": ["n", "rows", "head", "max-rows"],
    "--raw-names": ["codes", "raw", "no-names"],
    "--y-scale": ["scale", "logy", "log", "y-axis"],
    "--palette": ["colours", "colors", "color-scheme", "theme"],
    "--title": ["heading", "caption"],
    "ents update --list": ["dry-run"],
    "ents log --last": ["since", "days", "recent"],
    "--folder": ["dir", "directory", "root"],
    "--dir": ["directory", "path", "to"],
  },
  /** Arguments for which people try a flag. */
  arguments: {
    text: ["search", "find", "query", "name", "code", "station", "facility", "facilities", "unit", "units", "duid"],
  },
  /** In lower case, by the key of the flag. */
  values: {
    metrics: {
      emissions_intensity: [
        "intensity",
        "carbon_intensity",
        "emission_intensity",
        "emissions_factor",
        "emission_factor",
      ],
      average_price: [
        "avg_price",
        "capture_price",
        "price_received",
        "volume_weighted_price",
        "volume_weighted_average_price",
        "vwap",
      ],
      demand_weighted_price: ["load_weighted_price", "volume_weighted_price", "volume_weighted_average_price", "vwap"],
      capacity_factor: ["capacity_factors", "capacityfactor", "cf", "load_factor"],
    },
    interval: {
      "30m": ["30min", "half-hour", "half_hour", "half-hourly", "half_hourly"],
      "1h": ["hour", "hourly"],
      "1d": ["day", "daily"],
      "7d": ["week", "weekly"],
      "1M": ["month", "monthly"],
      "3M": ["quarter", "quarterly"],
      "1y": ["year", "yearly", "annual"],
    },
    groupBy: {
      region: ["network_region", "regions", "state"],
      fueltech: ["fuel", "fuels", "fueltechs"],
      facility: ["facility_code", "facilities", "station", "plant"],
    },
    primaryGrouping: {
      network_region: ["region", "regions"],
    },
    secondaryGrouping: {
      fueltech: ["fuel", "fuels", "fueltechs"],
    },
    format: {
      table: ["txt"],
      json: ["yaml", "yml"],
      ndjson: ["jsonl"],
      chart: ["plot", "graph"],
      svg: ["jpg", "jpeg", "gif", "pdf"],
      png: ["jpg", "jpeg", "gif", "pdf"],
      html: ["htm", "jpg", "jpeg", "gif", "pdf"],
      parquet: ["pq", "sql", "sqlite", "db", "duckdb", "database"],
      arrow: ["feather", "ipc"],
      openmetrics: ["prom", "prometheus"],
      xlsx: ["xls", "excel", "exel"],
      markdown: ["md", "gfm"],
    },
    with: {
      facility_name: ["name", "facility", "station"],
      region: ["network_region", "state"],
      fueltech: ["fuel", "technology", "fueltech_id"],
      status: ["status_id"],
      capacity: ["capacity_registered", "mw"],
      capacity_maximum: ["maximum_capacity", "max_capacity", "capacity_max"],
      capacity_storage: ["storage", "storage_capacity", "mwh"],
      first_data: ["data_first_seen", "first_seen"],
      last_data: ["data_last_seen", "last_seen"],
      emissions_factor: ["emissions_factor_co2", "emission_factor", "intensity"],
      latitude: ["lat", "location"],
      longitude: ["lng", "lon", "location"],
      commenced: ["commencement_date", "commissioned", "start"],
      closed: ["closure_date", "retired"],
      expected_closure: ["expected_closure_date"],
    },
    palette: {
      colour: ["color"],
      grey: ["gray", "greyscale", "grayscale", "mono", "bw"],
    },
  },
} as const satisfies Record<string, Readonly<Record<string, unknown>>>;

/** The names in a part of the table that a word stands for. */
export function findNamesLike(word: string, part: Readonly<Record<string, readonly string[]>> | undefined): string[] {
  return Object.entries(part ?? {}).flatMap(([name, others]) => (others.includes(word) ? name : []));
}

/** The names in use for the values of a flag, by value. */
export function listValueNames(key: string): Readonly<Record<string, readonly string[]>> | undefined {
  const values: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = OTHER_NAMES.values;
  return Object.hasOwn(values, key) ? values[key] : undefined;
}

/** What no flag or service has under a name, and how to get it. */
interface Equivalent {
  /** In lower case. */
  readonly names: readonly string[];
  /** Says what to do, with a command that works. */
  readonly hint: string;
  /** The value with which the caller's own command works, which follows the hint. */
  readonly use?: string;
}

function composeIntervals(names: readonly string[], of: string): Equivalent {
  return { names, hint: `compute it as the mean (MW, $/MWh) or the sum (MWh, $, t) of ${of}, starting with`, use: of };
}

export const VERSION_HINT = "for the version, use 'ents --version'";

/** By the key of the flag whose values they are; without one, of flags. */
const EQUIVALENTS: Readonly<Record<"metrics" | "interval" | "groupBy" | "flags", readonly Equivalent[]>> = {
  groupBy: [
    {
      names: ["unit", "units", "unit_code", "duid"],
      hint: "leave it out: the rows of 'ents facilities' are by unit, and --pivot unit_code has a column for each",
    },
  ],
  interval: [
    composeIntervals(["10m", "15m", "10min", "15min"], "5m"),
    composeIntervals(["2h", "3h", "4h", "6h", "8h", "12h"], "1h"),
  ],
  metrics: [
    {
      names: ["generation", "gen", "output", "production"],
      hint: "it is power (MW) or energy (MWh): ents network NEM -m power energy -i 1h --last 1d",
    },
    {
      names: ["revenue", "revenues", "income", "cost"],
      hint: "it is market_value: ents network NEM -m market_value -g fueltech -i 1d --last 7d",
    },
    {
      names: ["vwap", "volume_weighted_price", "volume_weighted_average_price"],
      hint: [
        "weighted by demand, as in market reports: ents market NEM -m demand_weighted_price -g region -i 5m --last 7d --summary-only",
        "weighted by generation: ents network NEM -m average_price -g region -i 1d --last 7d",
      ].join("\n"),
    },
    {
      names: ["curtailment_proportion", "curtailment_rate", "curtailment_share"],
      hint: "divide by what wind and solar generated and curtailed: ents market NEM -m curtailment_energy -g region -i 1d --last 7d",
    },
  ],
  flags: [
    {
      names: ["percent", "percentage", "pct"],
      hint: "for percentages: ents network NEM -m share -g fueltech -i 1M --last 1y",
    },
    {
      names: ["sum-by", "mean-by", "resample", "aggregate-by"],
      hint: "-i 1d or -i 1M has sums and means of each day or month; --summary-only --per month has their statistics",
    },
    {
      names: ["mean", "average", "avg", "median", "total", "sum", "percentile", "percentiles"],
      hint: "--summary prints the least, mean, median and largest value of each series, percentiles and sums; --summary-only prints them as rows",
    },
    {
      names: ["token", "api-key", "apikey", "key"],
      hint: "run 'ents login', which asks for the token, or set ENTS_TOKEN",
    },
    { names: ["V"], hint: VERSION_HINT },
    { names: ["no-cache"], hint: "use --cache off" },
    { names: ["proxy"], hint: "set HTTPS_PROXY" },
    { names: ["color"], hint: "set FORCE_COLOR=1" },
    { names: ["no-color"], hint: "set NO_COLOR=1" },
  ],
};

export function findEquivalent(word: string, key: string): Equivalent | undefined {
  const known: readonly Equivalent[] = Object.hasOwn(EQUIVALENTS, key) ? EQUIVALENTS[key as "flags"] : [];
  return known.find(({ names }) => names.includes(word));
}
