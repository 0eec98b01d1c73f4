/**
 * `--summary`, `--pivot` and `--interval-end` of exports in several requests: the same figures and bytes as from one
 * request.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createHome } from "../support/run-ents.ts";
import { hours, type World } from "./world.ts";
import { CUT, fetchWhole, OUT, PIECES, type Play, QUERY, runIn, startWorldService, WHOLE } from "./world-service.ts";

const LATE: Partial<World> = {
  series: [
    { labels: { region: "NSW1" } },
    { labels: { region: "VIC1", fueltech: "wind" }, from: hours(2.5) },
    { labels: { region: "QLD1" }, from: hours(5) },
    { labels: {}, from: hours(6) },
  ],
};

const PIVOT = ["--pivot", "region", "-g", "region"];

test.concurrent("values that appear late have their columns from the first line on, in a file and on standard output", async () => {
  const whole = await fetchWhole([...QUERY, ...PIVOT], ["-f", "csv"], LATE);
  expect(whole).toMatch(/^timestamp,network,fueltech,power_\(none\),power_NSW1,power_QLD1,power_VIC1,energy_\(none\),/);
  const service = await startWorldService({ world: LATE });
  expect(await runIn({ service }, [...QUERY, ...PIVOT, ...CUT, "-f", "csv"])).toEqual({
    code: 0,
    signal: null,
    stdout: whole,
    stderr: "",
  });
  const home = createHome();
  const run = await runIn({ home, service }, [...QUERY, ...PIVOT, ...CUT, "-o", OUT]);
  expect(run).toEqual({ code: 0, signal: null, stdout: "", stderr: "" });
  expect(readFileSync(home.path(OUT), "utf8")).toBe(whole);
});

test.concurrent("--no-resume stores no responses: rows are held until the columns are known", async () => {
  const service = await startWorldService({ world: LATE });
  const home = createHome();
  expect(await runIn({ home, service }, [...QUERY, ...PIVOT, ...CUT, "-o", OUT, "--no-resume"])).toMatchObject({
    code: 0,
    stderr: "",
  });
  expect(readFileSync(home.path(OUT), "utf8")).toBe(await fetchWhole([...QUERY, ...PIVOT], ["-f", "csv"], LATE));
});

const OUTPUTS = [
  ["-f", "ndjson", "--shape", "wide", "-o", OUT],
  ["-f", "json"],
  ["-f", "table"],
  ["-f", "csv", ...PIVOT],
  ["-f", "xlsx", "-o", "out.xlsx"],
  ["-o", OUT],
  ["-o", OUT, ...PIVOT],
  ["-o", OUT, "--quiet"],
];

async function summarize(...flags: readonly string[]): Promise<string> {
  const service = await startWorldService({ world: LATE });
  const { code, stderr } = await runIn({ service }, [...QUERY, ...flags, "--summary"]);
  expect(code).toBe(0);
  return stderr;
}

const whole = summarize("-f", "json", ...WHOLE);

test.concurrent("the summary of one request", async () => {
  expect(await whole).toMatch(
    /^summary: 8 series, \d+ points, no gaps in 84 intervals; times in network time\n[^]*\npower \(MW\)\n/,
  );
});

test.concurrent.for(OUTPUTS.map((flags) => [flags.join(" "), flags] as const))(
  "%s: the summary is that of one request",
  async ([, flags]) => {
    expect(await summarize(...flags, ...CUT)).toBe(await whole);
  },
);

test.concurrent("one warning if the ends of intervals are unknown, and empty cells", async () => {
  const odd: Play = ({ good }) => ({
    ...good,
    body: String(good.body).replaceAll('"interval":"5m"', '"interval":"2M"'),
  });
  const service = await startWorldService({ play: odd });
  const unasked = QUERY.filter((word) => word !== "-i" && word !== "5m");
  const run = await runIn({ service }, [...unasked, "--interval-end", "-f", "csv"]);
  expect(run).toMatchObject({ code: 0, stderr: 'ents: warning: interval_end is empty: unknown interval "2M"\n' });
  const [header = "", ...lines] = run.stdout.trimEnd().split("\n");
  expect(header).toMatch(/^timestamp,interval_end,network,/);
  expect(lines.filter((line) => !/^2025-01-01T\d\d:\d\d:00\+10:00,,NEM,/.test(line))).toEqual([]);
  const asked = await runIn({ service }, [...QUERY, "--interval-end", "-f", "csv", ...WHOLE]);
  expect(asked).toMatchObject({
    code: 0,
    stderr: "",
    stdout: expect.stringContaining(",2025-01-01T00:05:00+10:00,NEM,") as string,
  });
});

test.concurrent("the command to resume says the same, and so does the plan", async () => {
  const service = await startWorldService({
    play: ({ piece }) => (piece === 3 ? { status: 400, body: "no" } : undefined),
  });
  const flags = [...PIVOT, ...CUT, "--interval-end", "--summary", "-o", OUT];
  const { code, stderr } = await runIn({ home: createHome(), service }, [...QUERY, ...flags]);
  expect(code).toBe(4);
  const again = /to resume, run:\n +(.*)/.exec(stderr)?.[1];
  for (const flag of [" --group-by region", " --pivot region", " --interval-end", " --summary"])
    expect(again).toContain(flag);
  expect(stderr).not.toMatch(/^summary:/m);
  const plan = await runIn({ service }, [...QUERY, ...PIVOT, ...CUT, "--summary", "--dry-run", "-f", "csv"]);
  expect(plan.stdout.match(/primary_grouping=network_region/g)).toHaveLength(PIECES);
  expect(plan.stderr).not.toContain("summary");
});

test.concurrent("no data, and a response of unknown shape", async () => {
  const empty = await startWorldService({ world: { series: [] } });
  expect((await runIn({ service: empty }, [...QUERY, ...WHOLE, "--summary"])).stderr).toMatch(
    /^ents: note: [^]*\nsummary: 0 series, 0 points,\n84 of 84 intervals without data; times in network time\n$/,
  );
  const odd = await startWorldService({
    play: ({ good }) => ({ ...good, body: JSON.stringify({ version: "5", success: true, data: [1] }) }),
  });
  expect(await runIn({ service: odd }, [...QUERY, ...WHOLE, "-f", "json", "--summary"])).toMatchObject({
    code: 0,
    stderr: "no summary: the response has series of an unknown shape\n",
  });
});

test.concurrent("one warning if battery appears beside its charging and discharging", async () => {
  const fueltechs = ["battery", "battery_charging", "battery_discharging", "wind"];
  const fetch = async (names: readonly string[]) => {
    const service = await startWorldService({ world: { series: names.map((fueltech) => ({ labels: { fueltech } })) } });
    const { stderr } = await runIn({ service }, [...QUERY, ...CUT, "--summary"]);
    return stderr.match(/warning: battery is the net of/g)?.length ?? 0;
  };
  expect(await fetch(fueltechs)).toBe(1);
  expect(await fetch(fueltechs.slice(1))).toBe(0);
});

test.concurrent("the same is reported once for a file, with a summary or without", async () => {
  const series = ["battery", "battery_charging", "battery_discharging"].map((fueltech) => ({ labels: { fueltech } }));
  const service = await startWorldService({ world: { series } });
  const fetch = async (...flags: readonly string[]) =>
    (await runIn({ service }, [...QUERY, ...WHOLE, ...flags])).stderr.match(/battery is the net of/g);
  expect(await fetch("-o", "f.csv")).toHaveLength(1);
  expect(await fetch("-o", "f.csv", "--summary")).toHaveLength(1);
  expect(await fetch("-f", "csv")).toBeNull();
});
