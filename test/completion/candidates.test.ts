/** What TAB offers after each kind of word. */
import { describe, expect, test } from "vitest";
import { ALL_METRICS } from "../../src/base/computed-metrics.ts";
import { type CommandSpec, defineCommand } from "../../src/cli/command.ts";
import { loadCommands } from "../../src/cli/explain.ts";
import { COMMANDS } from "../../src/commands/all.ts";
import { findFormats, FORMAT_NAMES, LIST_FORMATS } from "../../src/format/registry.ts";
import { flagOf } from "../../src/options/spec.ts";
import { answer, tab } from "./tab.ts";
import { INTERVAL_NAMES } from "../support/intervals.ts";

const NAMES = COMMANDS.map(({ name }) => name);
const DATASET_FORMATS = findFormats(({ dataset }) => dataset);

test.each<[line: string, offered: readonly string[]]>([
  // Commands
  ["ents ", [...NAMES, "help"]],
  ["ents ma", ["market"]],
  ["ents -q ma", ["market"]],
  ["ents --no-progress -v ma", ["market"]],
  ["ents nowhere ", []],
  ["ents help ", NAMES],
  ["ents help config ", ["get", "set", "unset", "list", "path"]],
  ["ents help network ", []],
  ["ents config ", ["get", "set", "unset", "list", "path", "help"]],
  ["ents config help u", ["unset"]],
  ["ents completion ", ["bash", "zsh", "fish", "powershell", "help"]],
  ["ents -", ["--quiet", "--no-progress", "--verbose", "--errors", "--help", "--version"]],
  ["ents -q -", ["--no-progress", "--verbose", "--errors", "--help", "--version"]],
  // Arguments
  ["ents network ", ["NEM", "WEM", "AU"]],
  ["ents network NEM W", []],
  ["ents network -- ", ["NEM", "WEM", "AU"]],
  ["ents config get ", ["max-window", "rate", "concurrency", "cache", "base-url", "token-command"]],
  ["ents config set cache ", ["off", "12h"]],
  ["ents config set rate ", []],
  ["ents config set constructor ", []],
  ["ents list regions S", ["SA1"]],
  ["ents list regions SA1 ", ["NSW1", "QLD1", "TAS1", "VIC1", "WEM"]],
  ["ents list fueltechs coal", ["coal_black", "coal_brown"]],
  ["ents logout ", ["--base-url", "--quiet", "--no-progress", "--verbose", "--errors", "--help"]],
  // Required flags come first
  ["ents network NEM ", ["--metrics"]],
  ["ents network NEM -- ", []],
  ["ents network NEM -- --", []],
  // Flags
  ["ents network NEM --fuel", ["--fueltech", "--fueltech-group"]],
  ["ents facilities NEM --fueltech-g", []],
  ["ents market NEM --met", ["--metrics"]],
  ["ents market NEM -m price --met", ["--metrics"]],
  ["ents market NEM -i 1d --int", ["--interval-end"]],
  ["ents market NEM -qi 1d --int", ["--interval-end"]],
  ["ents market NEM -i1d --int", ["--interval-end"]],
  ["ents market NEM --interval=1d --int", ["--interval-end"]],
  ["ents network NEM --no-h --no-", ["--no-header", "--no-resume", "--no-progress"]],
  ["ents network NEM --no-header --no-", ["--no-resume", "--no-progress"]],
  ["ents network NEM --last 7d --date", []],
  ["ents network NEM -s 2025 --last", []],
  ["ents network NEM --start 2025 --last", []],
  ["ents network NEM --sta", []],
  ["ents network NEM --dur", ["--during", "--duration"]],
  ["ents network NEM --last 7d --dur", ["--duration"]],
  ["ents market NEM --during l", ["last-week", "last-month", "last-quarter", "last-year", "last-fy"]],
  ["ents market NEM --region T", ["TAS1"]],
  ["ents network NEM --sandbox --base", []],
  ["ents network NEM --base-url x --sand", []],
  ["ents network NEM -m", ["-m"]],
  ["ents network NEM -qv", ["-qv"]],
  ["ents network NEM -qy", []],
  ["ents network NEM --nowhere=", []],
  ["ents network NEM --quiet=", []],
  // Values
  ["ents network NEM -i ", INTERVAL_NAMES],
  ["ents network NEM -i 1", ["1h", "1d", "1M", "1y"]],
  ["ents network NEM --interval=1", ["--interval=1h", "--interval=1d", "--interval=1M", "--interval=1y"]],
  ["ents network NEM -i1", ["-i1h", "-i1d", "-i1M", "-i1y"]],
  ["ents network NEM -qi1", ["-qi1h", "-qi1d", "-qi1M", "-qi1y"]],
  ["ents network NEM -i --", []],
  ["ents network NEM -f ", FORMAT_NAMES],
  ["ents metrics -f ", LIST_FORMATS],
  ["ents network NEM --shape ", ["long", "wide"]],
  // Formats and the flags of some of them
  ["ents network NEM -f csv --lim", []],
  ["ents network NEM -f table --lim", ["--limit"]],
  ["ents network NEM -fparquet --no-h", []],
  ["ents network NEM -f svg --follow", []],
  ["ents network NEM -f parquet --partition month --up", ["--update"]],
  ["ents network NEM -f csv --limit 3 --head", []],
  ["ents network NEM -f nowhere --lim", ["--limit"]],
  ["ents network NEM --partition month -f ", DATASET_FORMATS],
  ["ents network NEM --update --partition month -f ", DATASET_FORMATS],
  [
    "ents network NEM --follow --format=",
    findFormats(({ grows, redrawn }) => grows || redrawn).map((name) => `--format=${name}`),
  ],
  ["ents network NEM --limit 3 -f ", ["table", "markdown"]],
  ["ents facilities NEM --with capacity -f ", FORMAT_NAMES.filter((name) => name !== "json")],
  ["ents metrics --no-header -f ", findFormats(({ flags }) => "header" in flags)],
  ["ents network NEM -r ", ["NSW1", "QLD1", "SA1", "TAS1", "VIC1"]],
  ["ents network nem -r S", ["SA1"]],
  ["ents network WEM -r ", ["WEM"]],
  ["ents network AU -r ", ["NSW1", "QLD1", "SA1", "TAS1", "VIC1", "WEM"]],
  ["ents network XYZ -r ", []],
  ["ents network -r S", ["SA1"]],
  ["ents network NEM --fueltech wind_", ["wind_offshore"]],
  ["ents network NEM --fueltech sol", ["solar_rooftop", "solar_thermal", "solar_utility"]],
  ["ents network NEM --fueltech agg", []],
  [
    "ents network NEM --fueltech-group ",
    [
      "battery",
      "battery_charging",
      "battery_discharging",
      "bioenergy",
      "coal",
      "distillate",
      "gas",
      "hydro",
      "pumps",
      "solar",
      "wind",
    ],
  ],
  ["ents network NEM -g ", ["network", "region", "fueltech", "fueltech_group", "status", "renewable"]],
  ["ents market NEM -g ", ["network", "region"]],
  ["ents network NEM --primary-grouping ", ["network", "network_region"]],
  ["ents network NEM --secondary-grouping f", ["fueltech", "fueltech_group"]],
  ["ents market NEM --pivot ", ["network", "region"]],
  ["ents facilities NEM --pivot ", ["unit_code"]],
  ["ents facilities NEM -g facility --pivot ", ["facility_code"]],
  ["ents facilities NEM -g f", ["facility", "fueltech"]],
  ["ents facilities NEM -m c", ["capacity_factor"]],
  ["ents network NEM -s ", ["today", "yesterday", "now"]],
  ["ents network NEM --time-zone ", ["network", "utc", ...Intl.supportedValuesOf("timeZone")]],
  ["ents network NEM --time-zone Australia/Sy", ["Australia/Sydney"]],
  ["ents network NEM --limit ", []],
  ["ents list facilities --network ", ["NEM", "WEM", "AU"]],
  ["ents list facilities --network WEM -r ", ["WEM"]],
  ["ents list facilities --network WEM,NEM -r ", ["NSW1", "QLD1", "SA1", "TAS1", "VIC1", "WEM"]],
  ["ents list facilities --network AU,NEM -r T", ["TAS1"]],
  ["ents list units --status c", ["commissioning", "committed"]],
  ["ents sandbox --plan ", ["none", "community", "academic"]],
  // Lists
  ["ents network NEM -m power e", ["energy", "emissions", "emissions_intensity"]],
  ["ents network NEM -m power,e", ["power,energy", "power,emissions", "power,emissions_intensity"]],
  ["ents network NEM -m power,energy -i 1d -m e", ["emissions", "emissions_intensity"]],
  ["ents network NEM -m power,energy,e", ["power,energy,emissions", "power,energy,emissions_intensity"]],
  ["ents network NEM --metrics=power,em", ["--metrics=power,emissions", "--metrics=power,emissions_intensity"]],
  ["ents network NEM -mpower,em", ["-mpower,emissions", "-mpower,emissions_intensity"]],
  ["ents network -m power N", []],
  ["ents network -m=power N", ["NEM"]],
  ["ents network --metrics=power N", ["NEM"]],
  ["ents network -m power -q N", ["NEM"]],
  ["ents network -m power -- N", ["NEM"]],
  ["ents market NEM -g region n", ["network"]],
])("%s", async (line, offered) => {
  expect(await tab(line)).toEqual(offered);
});

test("metrics are those that the public service offers for the command, with meaning and unit", async () => {
  const lines = await answer(["fish", "", "market", "NEM", "-m"]);
  expect(lines).toContain("price\tSpot price ($/MWh)");
  expect(lines.map((line) => line.split("\t")[0])).toEqual(
    Object.entries(ALL_METRICS).flatMap(([name, { offeredBy }]) => (offeredBy.includes("market") ? [name] : [])),
  );
});

test("regions of several networks come with their network", async () => {
  expect(await answer(["fish", "", "list", "regions"])).toEqual(expect.arrayContaining(["TAS1\tNEM", "WEM\tWEM"]));
  expect(await answer(["fish", "", "network", "AU", "-r"])).toContain("TAS1\tNEM");
  expect(await answer(["fish", "", "network", "NEM", "-r"])).toContain("TAS1");
});

test.each([
  ["ents network NEM --format=", ["--format=table", "--format=csv"]],
  ["ents facilities NEM --metrics=", ["--metrics=power", "--metrics=energy"]],
])("%s: all values if nothing is typed yet", async (line, first) => {
  expect((await tab(line)).slice(0, 2)).toEqual(first);
});

test("TAB leads from `ents ` to the data of the wind farms of South Australia, without a stored list", async () => {
  const typed = "ents list facilities --network-region SA1 --fueltech wind".split(" ");
  for (let words = 1; words < typed.length; words++)
    expect(await tab(`${typed.slice(0, words).join(" ")} ${typed[words]?.startsWith("-") ? "-" : ""}`)).toContain(
      typed[words],
    );
  const line =
    "ents facilities NEM --metrics energy --interval 1d --last 7d --network-region SA1 --fueltech wind --with facility_name";
  const words = line.split(" ");
  for (let end = 1; end < words.length; end++) {
    const [word = "", start] = [words[end], words.slice(0, end).join(" ")];
    expect(await tab(`${start} ${word.startsWith("-") ? "-" : ""}`)).toContain(word);
  }
});

const ALL = await loadCommands(COMMANDS);

test.each(ALL)("$name: every flag of its tables, and its choices", async ({ name, table, arguments: args }) => {
  const line = [name, ...args.filter(({ rest }) => !rest).map(() => "x")].join(" ");
  const offered = await tab(`${line} -`);
  expect(
    offered.filter((flag) => !["--help", "--quiet", "--verbose", "--no-progress", "--errors"].includes(flag)),
  ).toEqual(Object.entries(table).map(([key, spec]) => flagOf(key, spec)));
  for (const [key, spec] of Object.entries(table).filter(
    ([, { kind, choices }]) => kind === undefined && choices !== undefined,
  )) {
    expect(await tab(`${line} ${flagOf(key, spec)} `)).toEqual(spec.offered ?? spec.choices);
  }
});

describe("a new flag in a table needs nothing else", () => {
  const dish: CommandSpec = defineCommand({
    arguments: [{ name: "course", choices: ["starter", "main"], hint: "name a course" }],
    options: {
      Taste: {
        flavour: {
          short: "-x",
          argument: "flavour",
          list: true,
          choices: ["sweet", "sour", "salty"],
          help: "taste of the dish",
          schema: "list",
        },
        from: { argument: "code", kind: "region", help: "where it is from", conflicts: ["hot"], schema: "text" },
        serveBy: { argument: "when", suggestions: ["noon"], help: "when it is served", schema: "text" },
        hot: { help: "not cold", schema: "flag" },
        salt: { negated: true, help: "without salt", schema: "flag" },
      },
    },
    run: async () => {},
  });
  const place = { commands: [{ name: "dish", summary: "a dish", load: async () => dish }] };

  test.each<[line: string, offered: readonly string[]]>([
    ["ents ", ["dish", "help"]],
    ["ents dish ", ["starter", "main"]],
    [
      "ents dish main ",
      [
        "--flavour",
        "--from",
        "--serve-by",
        "--hot",
        "--no-salt",
        "--quiet",
        "--no-progress",
        "--verbose",
        "--errors",
        "--help",
      ],
    ],
    ["ents dish main --hot --f", ["--flavour"]],
    ["ents dish main --from SA1 --h", ["--help"]],
    ["ents dish main -x sweet s", ["sour", "salty"]],
    ["ents dish main -x sweet,so", ["sweet,sour"]],
    ["ents dish main --from W", ["WEM"]],
    ["ents dish main --serve-by ", ["noon"]],
  ])("%s", async (line, offered) => {
    expect(await tab(line, place)).toEqual(offered);
  });

  test("with its help", async () => {
    expect(await answer(["fish", "--fl", "dish", "main"], place)).toContain("--flavour\ttaste of the dish");
    expect(await answer(["zsh", "", "--fl", "dish", "main"], place)).toContain("--flavour:taste of the dish");
  });
});
