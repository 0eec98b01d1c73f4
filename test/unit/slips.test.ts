/**
 * Mistakes of people who know other tools or are in a hurry: each is exit 2, and the message has the right spelling.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { runInProcess } from "../support/run-in-process.ts";
import { QUOTE } from "../support/platform.ts";

const cwd = mkdtempSync(join(tmpdir(), "ents-slips-"));
afterAll(() => rmSync(cwd, { recursive: true }));

/** The lines of the message; there is no service, so nothing can have been sent. */
async function refusal(line: string): Promise<string[]> {
  const { code, stdout, stderr } = await runInProcess(line.split(" "), {
    cwd,
    env: { ENTS_BASE_URL: "http://127.0.0.1:1" },
  });
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  return stderr.trimEnd().split(/\n {6}/);
}

describe("a flag of another tool", () => {
  test.each([
    ["network", "from since start-date begin", "--date-start"],
    ["network", "to until end-date before", "--date-end"],
    ["market", "regions", "--network-region"],
    ["network", "fuel fuel-tech", "--fueltech"],
    ["network", "by group split groupby", "--group-by"],
    ["market", "by", "--group-by"],
    ["network", "timezone", "--time-zone"],
    ["network", "zone", "--network-region or --time-zone"],
    ["network", "granularity resolution freq", "--interval"],
    ["facilities", "station plant name", "--facility"],
    ["facilities", "state", "--network-region"],
    ["facilities", "duid unit", "--unit-code"],
    ["network", "days hours", "--last"],
    ["network", "out file", "--output"],
    ["market", "url host", "--base-url"],
    ["market", "wide", "--shape wide"],
    ["market", "network_region", "--group-by region"],
    ["network", "power", "--metrics power"],
    ["network", "silent", "--quiet"],
    ["network", "metric", "--metrics"],
  ])("'ents %s' names the right one for %s", async (command, names, meant) => {
    for (const name of names.split(" ")) {
      expect(await refusal(`${command} NEM -m power --${name} x`)).toEqual([
        `ents: unknown flag --${name}; did you mean ${meant}?`,
        `see 'ents ${command} --help'`,
      ]);
    }
  });

  test.each([
    ["network NEM -m power -last 7d", "ents: unknown flag -last; did you mean --last?"],
    ["network NEM -power", "ents: unknown flag -power; did you mean --metrics power?"],
    ["network NEM -m power -n 5", "ents: unknown flag -n; did you mean --limit?"],
    ["market NEM -m price --fuel wind", "ents: unknown flag --fuel; 'ents network' has --fueltech"],
    ["market NEM -m price --update=7d", "ents: --update takes no value"],
    ["market NEM -m price --no-header=1", "ents: --no-header takes no value"],
    ["metrics --quiet=1", "ents: --quiet takes no value"],
    [
      "list regions --region SA1",
      "ents: 'ents list regions' has no --region; 'ents list facilities' and 'ents list units' have it",
    ],
    ["market NEM -m price --start", "ents: --start needs a value"],
    ["market NEM -m price --start 2025 -s 2024", "ents: --date-start is given twice: 2025 and 2024"],
    ["market NEM -m price --end=2025 --last 7d", "ents: --last cannot be used with -e"],
    ["market NEM -m price --start 2025-01-01 05:00", "ents: --date-start takes date and time as one word"],
    ["market --network NEM -m price", "ents: unknown flag --network; the network code has no flag"],
  ])("%s", async (line, message) => {
    expect((await refusal(line))[0]).toBe(message);
  });

  test("--no-cache is --cache off", async () => {
    expect(await refusal("market NEM -m price --no-cache")).toEqual([
      "ents: unknown flag --no-cache",
      "use --cache off",
    ]);
  });

  test.each(["network NEM -m power --token secret-of-mine", "login --token=secret-of-mine", "login secret-of-mine"])(
    "%s does not show the token",
    async (line) => {
      expect((await refusal(line)).join("\n")).not.toContain("secret-of-mine");
    },
  );
});

describe("a word processor's dash", () => {
  test.each([
    ["market NEM \u2014metrics price", "\u2014metrics", "--metrics"],
    ["market NEM -m price \u2014last 1h", "\u2014last", "--last"],
    ["market NEM -m price \u2013last=1h", "\u2013last", "--last"],
    ["market NEM \u2013m price", "\u2013m", "-m"],
    ["market NEM -m price -s \u22127d", "\u22127d", "-7d"],
    ["market NEM -m price \u2014-i 1h", "\u2014-i", "-i"],
    ["network NEM -m power \u2014token=secret-of-mine", "\u2014token", "--token"],
    ["\u2014help", "\u2014help", "--help"],
  ])("%s", async (line, word, meant) => {
    expect(await refusal(line)).toEqual([
      `ents: "${word}" begins with a dash that is not a hyphen (${word.charAt(0)}); did you mean ${meant}?`,
    ]);
  });

  test("alone it is a value", async () => {
    const line = "network NEM -m power -i 1h --null \u2013 -f csv --dry-run";
    expect((await runInProcess(line.split(" "), { cwd, env: {} })).code).toBe(0);
  });
});

describe("a network, region or metric without its command or flag", () => {
  const BEFORE = { network: "a command", region: "-r", metric: "-m", date: "--during", name: "--facility" };

  test.each<[line: string, word: string, kind: keyof typeof BEFORE, meant: string]>([
    ["nem --last 1d", "nem", "network", "network NEM -m power --last 1d"],
    ["-q NEM -m energy", "NEM", "network", "network NEM -q -m energy"],
    ["NEM power", "power", "metric", "network NEM -m power"],
    ["price NSW WA", "price", "metric", "market NEM -r NSW1 -m price"],
    ["price NSW --last 1d -f csv", "price", "metric", "market NEM -r NSW1 -m price --last 1d -f csv"],
    ["NSW", "NSW", "region", "network NEM -r NSW1 -m power"],
    ["market NSW1", "NSW1", "region", "market NEM -r NSW1 -m price"],
    ["market NSW1 -m demand -i 1h -o x.csv", "NSW1", "region", "market NEM -r NSW1 -m demand -i 1h -o x.csv"],
    ["market Queensland --metrics=price", "Queensland", "region", "market NEM -r QLD1 --metrics=price"],
    ["facilities sa --fueltech wind", "sa", "region", "facilities NEM -r SA1 -m power --fueltech wind"],
    ["market NEM NSW1 -m price", "NSW1", "region", "market NEM -r NSW1 -m price"],
    ["market AU VIC -m price", "VIC", "region", "market AU -r VIC1 -m price"],
    ["network NEM power", "power", "metric", "network NEM -m power"],
    ["market price", "price", "metric", "market NEM -m price"],
    ["market XYZ price", "price", "metric", "market XYZ -m price"],
    ["market price demand NEM -i 5m", "price", "metric", "market NEM -m price demand -i 5m"],
    ["market VIC price", "VIC", "region", "market NEM -r VIC1 -m price"],
    ["price yesterday", "price", "metric", "market NEM -m price --during yesterday"],
    ["Prices NSW 2025-01", "Prices", "metric", "market NEM -r NSW1 -m price --during 2025-01"],
    ["market NEM 2025 -i 1d", "2025", "date", "market NEM -m price --during 2025 -i 1d"],
    ["market NEM price -s yesterday", "price", "metric", "market NEM -m price -s yesterday"],
    ["NEM -m price", "NEM", "network", "market NEM -m price"],
    ["NEM -f csv secret-of-mine", "NEM", "network", "network NEM -m power -f csv"],
    ["prices above 300", "prices", "metric", "market NEM -m price"],
    ["market NEM price hourly NSW", "price", "metric", "market NEM -r NSW1 -m price --interval 1h"],
    [
      "facilities NEM energy daily lincoln gap",
      "energy",
      "metric",
      `facilities NEM --facility ${QUOTE}lincoln gap${QUOTE} -m energy --interval 1d`,
    ],
    ["facilities NEM bayswater -m energy", "bayswater", "name", "facilities NEM --facility bayswater -m energy"],
    // The other command has it.
    ["network NEM price -i 1h", "price", "metric", "market NEM -m price -i 1h"],
  ])("%s", async (line, ...told) => {
    const [word, kind, meant] = told;
    expect(await refusal(line)).toEqual([
      `ents: "${word}" is a ${kind}: put ${BEFORE[kind]} before it`,
      `ents ${meant}`,
    ]);
    // Picking units needs a list of them.
    const how = meant.startsWith("facilities") ? "--sandbox" : "--dry-run";
    expect((await runInProcess([...meant.split(" "), how], { cwd, env: {} })).code).toBe(0);
  });

  test.each([
    ["bogus", 'ents: unknown command "bogus"'],
    ["bogus NEM", 'ents: unknown command "bogus"'],
    ["market NEM bayswater -m price", "ents: too many arguments: expected 1, got 2"],
    ["market NEM WEM price", "ents: too many arguments: expected 1, got 3"],
    ["network NEM power hourly daily", "ents: too many arguments: expected 1, got 4"],
    ["facilities NEM price hornsdale", "ents: too many arguments: expected 1, got 3"],
  ])("no line is suggested for %s", async (line, message) => {
    expect((await refusal(line))[0]).toBe(message);
  });

  test("a flag that no command has is left out with its value, which may be a token", async () => {
    expect((await refusal("NEM --token secret-of-mine"))[1]).toBe("ents network NEM -m power");
  });

  test("a value with spaces is quoted", async () => {
    const { stderr } = await runInProcess(["price", "NSW", "-s", "2025-01-01 10:00"], { cwd, env: {} });
    expect(stderr).toContain(`      ents market NEM -r NSW1 -m price -s ${QUOTE}2025-01-01 10:00${QUOTE}\n`);
  });

  test("--allow-unknown sends such a network code", async () => {
    const line = "market NSW1 -m price --allow-unknown --dry-run";
    const { code, stdout } = await runInProcess(line.split(" "), { cwd, env: {} });
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining("/network/NSW1?metrics=price") as string,
    });
  });
});

test("a wrong date and a wrong region are reported together", async () => {
  expect(await refusal("market NEM -m price -r NSW -s someday")).toEqual([
    'ents: cannot read "someday" as a date; use 2025-01-31, 2025-01-31T14:05, 2025-01, FY2025, yesterday, -7d or +2d',
    'unknown region "NSW"; did you mean NSW1?',
  ]);
});

describe("what ents does not do", () => {
  test.each(["where", "filter"])("--%s: --above or --below", async (name) => {
    expect(await refusal(`market NEM -m price --${name} 300`)).toEqual([
      `ents: unknown flag --${name}; did you mean --above or --below?`,
      "see 'ents market --help'",
    ]);
  });

  test("a list is not filtered by value", async () => {
    expect(await refusal("list facilities --above 300")).toEqual([
      "ents: 'ents list facilities' has no --above; 'ents network', 'ents facilities' and 'ents market' have it",
      "see 'ents list facilities --help'",
    ]);
  });

  test.each([
    ["facilities", "cf", "capacity_factor"],
    ["network", "intensity", "emissions_intensity"],
    ["network", "Carbon-Intensity", "emissions_intensity"],
    ["network", "capture_price", "average_price"],
  ])("%s -m %s is %s, also for 'ents metrics'", async (command, metric, meant) => {
    expect(await refusal(`${command} NEM -m ${metric}`)).toEqual([
      `ents: unknown metric "${metric}"; did you mean ${meant}?`,
      "see 'ents metrics' for all",
    ]);
    const found = await runInProcess(["metrics", metric.replaceAll("-", "_"), "--codes"], { cwd, env: {} });
    expect(found.stdout).toBe(`${meant}\n`);
  });

  test.each(["revenue", "curtailment_proportion"])(
    "-m %s leads to a command that works as it stands",
    async (metric) => {
      const [problem, way = ""] = await refusal(`network NEM -m ${metric}`);
      expect(problem).toBe(`ents: unknown metric "${metric}"`);
      const line = way.slice(way.indexOf("ents ") + "ents ".length);
      const { code, stdout } = await runInProcess([...line.split(" "), "--sandbox", "-q", "-f", "csv"], {
        cwd,
        env: {},
      });
      expect(code).toBe(0);
      expect(stdout.split("\n").length).toBeGreaterThan(7);
    },
  );

  test.each([
    ["market NEM -m share", "'ents market' has no share", "use 'ents network'"],
    ["network NEM -m capacity_factor", "'ents network' has no capacity_factor", "use 'ents facilities'"],
    [
      "network NEM -m share",
      "share needs series that can be compared",
      "add --group-by fueltech, fueltech_group or renewable",
    ],
    [
      "network NEM -m average_price energy",
      "average_price of a whole network or region is computed from its fueltechs, and energy would come by fueltech",
      "add --group-by fueltech, or ask for energy in another command",
    ],
    [
      "facilities NEM -m energy -g region",
      "--group-by region needs units to be chosen",
      "use --facility, -r, --fueltech, --status or --facility-code",
    ],
    [
      "facilities NEM -m price -g region -r SA1",
      "price of several units cannot be added up",
      "leave out price, or --group-by",
    ],
    [
      "facilities NEM -m energy -g facility -r SA1 --with first_data",
      "--with first_data is about single units, and --group-by adds them up",
      "leave it out; sums have capacity, units, and what all of their units share",
    ],
    [
      "facilities NEM -m energy -r SA1 --capacity registered",
      "--capacity only works with the metric capacity_factor",
      "add it to -m",
    ],
  ])("%s is refused", async (line, problem, way) => {
    expect(await refusal(line)).toEqual([`ents: ${problem}`, way]);
  });

  test.each([
    ["15m", "5m"],
    ["2h", "1h"],
  ])("-i %s is computed from %s, by the same command", async (interval, shorter) => {
    expect(await refusal(`market NEM -m demand -i ${interval} -r NSW1 --sandbox`)).toEqual([
      `ents: unknown interval "${interval}"`,
      `compute it as the mean (MW, $/MWh) or the sum (MWh, $, t) of ${shorter}, starting with`,
      `ents market NEM --metrics demand --interval ${shorter} --network-region NSW1 --sandbox`,
    ]);
  });
});

describe("a list in place of another word", () => {
  test.each([
    ["units", ["ents: unknown command \"units\"; did you mean 'ents list units'?", "see 'ents --help'"]],
    ["clear", ["ents: unknown command \"clear\"; did you mean 'ents cache clear'?", "see 'ents --help'"]],
    [
      "list wind",
      ['ents: unknown list "wind"', "name a list first: 'ents list facilities wind' or 'ents list units wind'"],
    ],
    ["facilities list", ["ents: unknown network code \"list\"; did you mean 'ents list facilities'?"]],
    ["network list", ["ents: unknown network code \"list\"; did you mean 'ents list networks'?"]],
  ])("%s", async (line, message) => {
    expect(await refusal(line)).toEqual(message);
  });
});

describe("the version by another name", () => {
  test.each([
    ["version", ['ents: unknown command "version"; did you mean ents --version?', "see 'ents --help'"]],
    ["-V", ["ents: unknown flag -V", "for the version, use 'ents --version'"]],
    ["network -V", ["ents: unknown flag -V", "for the version, use 'ents --version'"]],
  ])("%s", async (line, message) => {
    expect(await refusal(line)).toEqual(message);
  });

  test("-v", async () => {
    expect((await refusal("-v")).join("\n")).toMatch(
      /ents: 'ents' needs a command\nfor the version, use 'ents --version'$/,
    );
  });
});

describe("a value in another spelling", () => {
  const MEANT: readonly [flag: string, values: string, meant: string][] = [
    ["interval", "30min half-hour half_hourly", "30m"],
    ["interval", "hour hourly 60m 1H 60min 1hr", "1h"],
    ["interval", "day daily 24h 1D 1day", "1d"],
    ["interval", "week weekly 1w", "7d"],
    ["interval", "month monthly 1month", "1M"],
    ["interval", "quarter quarterly", "3M"],
    ["interval", "year yearly annual 12M 1Y", "1y"],
    ["interval", "2100s", "30m or 1h"],
    ["interval", "13h", "1h or 1d"],
    ["interval", "14d 2w 2weeks", "7d or 1M"],
    ["interval", "2M", "1M or 3M"],
    ["interval", "10y", "1y"],
    ["interval", "1m", "1M or 5m"],
    ["interval", "seasn", "season"],
    ["interval", "fueltech", "--group-by fueltech"],
    ["format", "jsonl JSONL", "ndjson"],
    ["format", "txt", "table"],
    ["format", "wide", "--shape wide"],
    ["format", "plot graph", "chart"],
    ["format", "gif pdf jpg", "svg, png or html"],
    ["format", "excel xls", "xlsx"],
    ["format", "pq", "parquet"],
    ["format", "feather ipc", "arrow"],
    ["primary-grouping", "region", "network_region"],
    ["primary-grouping", "fueltech fuel", "--group-by fueltech"],
    ["secondary-grouping", "network_region region", "--group-by region"],
    ["metrics", "daily", "--interval 1d"],
  ];

  test.each(MEANT)("--%s %s: did you mean %s?", async (flag, values, meant) => {
    for (const value of values.split(" ")) {
      const [message = "", ...steps] = await refusal(
        `network NEM ${flag === "metrics" ? "" : "-m power "}--${flag} ${value}`,
      );
      expect(message).toBe(
        `ents: unknown ${flag.replace("metrics", "metric").replace("-", " ")} "${value}"; did you mean ${meant}?`,
      );
      expect(steps.join()).not.toContain("--allow-unknown");
    }
  });

  test("an unknown partition period is not explained by another flag", async () => {
    for (const period of ["week", "7d", "1M", "hour"]) {
      expect(await refusal(`network NEM -m power -o d --partition ${period}`)).toEqual([
        `ents: unknown partition "${period}"`,
        "use year, month or day",
      ]);
    }
  });

  test.each([
    ["daily", "--interval 1d"],
    ["jsonl", "--format ndjson"],
    ["plot", "--format chart"],
    ["graph", "--format chart"],
    ["excel", "--format xlsx"],
  ])("--%s is %s", async (name, meant) => {
    expect((await refusal(`network NEM -m power --${name}`))[0]).toBe(
      `ents: unknown flag --${name}; did you mean ${meant}?`,
    );
  });
});

describe("a word too many", () => {
  const LOGIN = [
    "run 'ents login', which asks for the token; or use standard input: ents login < token.txt",
    "a token on the command line stays in the shell's history",
  ];

  test.each<[string, string[]]>([
    [
      "market -r NSW1 VIC1 NEM -m price",
      [
        'ents: the network code is missing: --network-region took "NEM" as a value',
        "put the network code first: ents market NEM --network-region ...",
      ],
    ],
    ["market NEM -m price -i 1h --interval 1d", ["ents: --interval is given twice: 1h and 1d", "use one of them"]],
    [
      "network NEM -m power -o my file.csv",
      ["ents: --output takes one value", "put quotes around a value with spaces"],
    ],
    [
      "network NEM -m power -s 2025-01-31 14:05",
      ["ents: --date-start takes date and time as one word", "use --date-start 2025-01-31T14:05"],
    ],
    [
      "network --date-end=2025-01-31 14:05 NEM -m power",
      ["ents: --date-end takes date and time as one word", "use --date-end 2025-01-31T14:05"],
    ],
    ["network NEM WEM -m power", ["ents: too many arguments: expected 1, got 2", "one network at a time"]],
    [
      "facilities NEM BAYSW -m power",
      [
        "ents: too many arguments: expected 1, got 2",
        "put -m before metrics, --during before a date, --facility before a name, and --facility-code or --unit-code before codes",
      ],
    ],
    ["login some-token-of-mine", ["ents: 'ents login' takes no arguments", ...LOGIN]],
    ["logout now", ["ents: 'ents logout' takes no arguments", "see 'ents logout --help'"]],
    [
      "network NEM -m power --last -i 1h",
      ["ents: --last needs a value, but the flag -i follows it", "put the value right after --last"],
    ],
    [
      "network NEM -m power -s -i 1h",
      ["ents: --date-start needs a value, but the flag -i follows it", "put the value right after --date-start"],
    ],
    [
      "network NEM -m power -o -f csv",
      ["ents: --output needs a value, but the flag -f follows it", "put the value right after --output"],
    ],
    [
      "network NEM -m power --last -q",
      ["ents: --last needs a value, but the flag -q follows it", "put the value right after --last"],
    ],
    [
      "network --metrics power nem",
      [
        'ents: the network code is missing: --metrics took "nem" as a value',
        "put the network code first: ents network NEM --metrics ...",
      ],
    ],
    [
      "facilities --facility hornsdale -m power --sandbox",
      [
        "ents: the network code is missing",
        "put the network code first: ents facilities NEM --metrics power --facility hornsdale --sandbox",
      ],
    ],
    [
      "network NEM -m energy --during last-mnth",
      [
        'ents: --during: cannot read "last-mnth" as a period; did you mean last-month?',
        "for other windows, use -s and -e, or --last",
      ],
    ],
    [
      "network NEM -m power -r WA1",
      ["ents: WA1 is not a region of NEM; did you mean 'ents network WEM'?", "see 'ents list regions' for all"],
    ],
    ["sandbox --port 99999", ['ents: --port: "99999" is not a whole number from 0 to 65535']],
    [
      "network NEM -m power -o x.xyz",
      [
        "ents: unknown file extension .xyz",
        expect.stringMatching(/^use \.txt, \.csv, .* or \.\w+, or choose the format with --format$/) as string,
      ],
    ],
  ])("%s", async (line, message) => {
    expect(await refusal(line)).toEqual(message);
  });

  test.each([
    ["chart.gif", ".gif; did you mean .svg, .png or .html?"],
    ["chart.JPG", ".JPG; did you mean .svg, .png or .html?"],
    ["x.xls", ".xls; did you mean .xlsx?"],
    ["x.pq", ".pq; did you mean .parquet?"],
    ["x.gif.gz", ".gif.gz"],
    ["x.plot", ".plot"],
  ])("-o %s", async (file, unknown) => {
    const [message, next] = await refusal(`network NEM -m power -o ${file}`);
    expect([message, next]).toEqual([`ents: unknown file extension ${unknown}`, expect.stringMatching(/^use \.\w+/)]);
  });

  test("a flag that is repeated with the same value, or a switch, is taken", async () => {
    const line = "network NEM -m power -i 1h -i 1h -q -q --dry-run --dry-run";
    expect((await runInProcess(line.split(" "), { cwd, env: {} })).code).toBe(0);
  });
});

describe("a name of another format is noted, if one of the two is binary", () => {
  test.each<[string, string, string[]]>([
    ["csv", "x.parquet", ["ents: note: x.parquet is written as csv (--format), though its name says parquet"]],
    ["xlsx", "x.csv", ["ents: note: x.csv is written as xlsx (--format), though its name says csv"]],
    ["csv", "x.txt", []],
    ["parquet", "x.pq", []],
    ["csv", "x.csv", []],
  ])("-f %s -o %s", async (format, file, note) => {
    const line = `network NEM -m power -i 1h -s 2025-01-01 -e 2025-01-02 --dry-run -f ${format} -o ${file}`;
    const { code, stderr } = await runInProcess(line.split(" "), { cwd, env: {} });
    expect(code).toBe(0);
    expect(stderr.split("\n").filter((one) => one.includes("is written as"))).toEqual(note);
  });
});
