/** A service that fills gaps with null between the first and the last point of a series, as the public one does since August 2026. */
import { readFileSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { createHomeWithFile } from "../e2e/old-file.ts";
import { MINUTE } from "../../src/time/local-time.ts";
import { HOUR, hours, JANUARY, moment, type World } from "./world.ts";
import { CUT, fetchWhole, OUT, QUERY, runIn, startWorldService } from "./world-service.ts";

const ROOFTOP: Partial<World> = {
  series: [
    { labels: { region: "NSW1", fueltech: "wind" } },
    { labels: { region: "NSW1", fueltech: "solar_rooftop" }, every: 30 * MINUTE },
    { labels: { region: "WEM", fueltech: "solar_rooftop" }, every: 30 * MINUTE, from: hours(5), to: hours(40) },
  ],
};
const DAYS = ["network", "NEM", "-m", "power", "-i", "5m", "-s", moment(JANUARY), "-e", moment(JANUARY + 72 * HOUR - 1000)];
const AT_MIDNIGHT = ["--max-window", "1d", "--rate", "1000"];

test.concurrent.for([
  ["csv", "long"],
  ["csv", "wide"],
  ["ndjson", "long"],
  ["json", undefined],
] as const)("rooftop solar, half-hourly at five minutes, cut at midnight: %s %s", async ([format, shape]) => {
  const flags = ["-f", format, ...(shape ? ["--shape", shape] : [])];
  const whole = await fetchWhole(DAYS, flags, ROOFTOP);
  for (const inclusive of [true, false]) {
    const service = await startWorldService({ world: { ...ROOFTOP, inclusive } });
    expect(await runIn({ service }, [...DAYS, ...flags, ...AT_MIDNIGHT])).toEqual({ code: 0, signal: null, stdout: whole, stderr: "" });
    expect(service.requests).toHaveLength(3);
  }
});

test.concurrent("five nulls after each value, over midnight too", async () => {
  const service = await startWorldService({ world: ROOFTOP });
  const { stdout } = await runIn({ service }, [...DAYS, "-f", "csv", ...AT_MIDNIGHT]);
  const rows = stdout.split("\n").filter((line) => line.includes("NSW1,solar_rooftop"));
  expect(rows).toHaveLength(72 * 12 - 5);
  expect(
    rows.filter((row) => /T23:[345]/.test(row) && row.startsWith("2025-01-01")).map((row) => /T(23:..).*,(.*)$/.exec(row)?.slice(1)),
  ).toEqual([
    ["23:30", expect.stringMatching(/^\d+\.\d\d$/)],
    ...["23:35", "23:40", "23:45", "23:50", "23:55"].map((clock) => [clock, ""]),
  ]);
});

/** VIC1 comes back after two windows without it. */
const OUTAGE: Partial<World> = {
  series: [{ labels: { region: "NSW1" } }, { labels: { region: "VIC1" }, away: [hours(1.5), hours(4.25)] }],
};

test.concurrent("a unit that is away for whole windows: a file is written again, from the answers that it keeps", async () => {
  const whole = await fetchWhole(QUERY, ["-f", "csv"], OUTAGE);
  const service = await startWorldService({ world: OUTAGE });
  const home = createHomeWithFile();
  const run = await runIn({ home, service }, [...QUERY, ...CUT, "-o", OUT]);
  expect(run).toEqual({ code: 0, signal: null, stdout: "", stderr: "" });
  expect(readFileSync(home.path(OUT), "utf8")).toBe(whole);
  expect(readdirSync(home.folder)).toEqual([OUT]);
  expect(service.requests).toHaveLength(7);
  const piped = await runIn({ service }, [...QUERY, ...CUT, "-f", "csv"]);
  expect(piped).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^ents: warning: rows without a value are missing .*\n$/) as string,
  });
  expect(piped.stdout.length).toBeLessThan(whole.length);
});
