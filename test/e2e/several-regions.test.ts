/** `-r` with several regions: one request for all, and only the requested ones in the output. */
import { describe, expect, test } from "vitest";
import { add } from "../update/world.ts";
import { at, createNights, createSeries, expectWhole, QUERY } from "../update/nights.ts";
import { createHome } from "../support/run-ents.ts";
import { startService } from "../support/scripted-service.ts";
import { createVirtualClock } from "../support/virtual-clock.ts";
import { envelope, POWER, TOKEN } from "./envelopes.ts";

const NOW = Date.UTC(2026, 0, 15, 2, 30);
const HOURS = ["-i", "1h", "-e", "2026-01-14", "--sandbox"];
const DAYS = [...HOURS, "-s", "2026-01-11"];

async function run(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await createHome().run(args, { clock: { ...createVirtualClock(), now: () => NOW } });
  expect([code, stderr]).toEqual([0, expect.not.stringMatching(/warning/)]);
  return stdout;
}

const isOther = (line: string) => /\b(?:QLD1|SA1|TAS1)\b/.test(line);

describe.each([
  ["network", ["network", "NEM", "-m", "energy", "emissions", ...DAYS]],
  ["network by fueltech", ["network", "NEM", "-m", "power", "-g", "fueltech", ...DAYS]],
  ["market", ["market", "NEM", "-m", "price", "demand", ...DAYS]],
] as const)("%s", (_, command) => {
  const grouped = command.includes("-g") ? command.with(command.indexOf("-g"), "-g region") : [...command, "-g region"];
  const byRegion = grouped.flatMap((word) => word.split(" "));

  test.each(["csv", "ndjson"])("%s has the rows of these regions only", async (format) => {
    const all = (await run(...byRegion, "-f", format)).split("\n");
    const some = (await run(...command, "-r", "vic1", "NSW1", "-f", format)).split("\n");
    expect(some.length).toBeGreaterThan(100);
    expect(all.some(isOther)).toBe(true);
    expect(some).toEqual(all.filter((line) => !isOther(line)));
  });

  test("json has only their series, and counts no others", async () => {
    const { data, total_records: total } = JSON.parse(await run(...command, "-r", "NSW1,VIC1", "-f", "json")) as Answer;
    const regions = data.flatMap(({ results }) => results.map(({ columns }) => columns.region));
    expect({ regions: [...new Set(regions)].toSorted(), total }).toEqual({ regions: ["NSW1", "VIC1"], total: null });
  });
});

interface Answer {
  readonly data: readonly { readonly results: readonly { readonly columns: { readonly region: string } }[] }[];
  readonly total_records: unknown;
}

test("a pivot, a chart and a summary have these regions, with one request per window", async () => {
  const command = ["market", "NEM", "-m", "price", "-r", "NSW1", "VIC1", ...DAYS];
  const [header = ""] = (await run(...command, "--pivot", "region", "-f", "csv")).split("\n");
  expect(header).toBe("timestamp,network,NSW1,VIC1");
  expect(await run(...command, "-f", "svg")).not.toMatch(/QLD1|SA1|TAS1/);
  const month = ["market", "NEM", "-m", "price", "-r", "NSW1", "VIC1", ...HOURS, "-s", "2025-12-01"];
  const plan = (await run(...month, "-f", "csv", "--dry-run")).trim().split("\n").slice(1);
  expect(plan).toHaveLength(2);
  for (const line of plan) expect(line).toMatch(/primary_grouping=network_region,/);
});

test("labels in another case count as these regions", async () => {
  const service = await startService(() => ({
    body: envelope([
      {
        series: ["nsw1", "sa1"].map((region) => ({
          labels: { region },
          points: [["2025-01-01T00:00:00+10:00", 1]] as const,
        })),
      },
    ]),
  }));
  const { code, stdout } = await createHome().run(
    ["network", "NEM", "-m", "power", "-r", "NSW1", "VIC1", "-f", "csv"],
    {
      env: { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url },
    },
  );
  expect([code, stdout.match(/nsw1|sa1/g)]).toEqual([0, ["nsw1"]]);
});

test("if no series names its region, they are refused, not dropped", async () => {
  const service = await startService(() => POWER);
  const { code, stdout, stderr } = await createHome().run(["network", "NEM", "-m", "power", "-r", "NSW1", "VIC1"], {
    env: { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url },
  });
  expect([code, stdout]).toEqual([4, ""]);
  expect(stderr).toContain(
    "the response does not say which region each series is for\n      ask for one region at a time",
  );
});

describe("kept current", () => {
  const query = [...QUERY.filter((word) => !["-g", "region"].includes(word)), "-r", "NSW1", "VIC1"];
  const series = ["NSW1", "SA1", "VIC1"].map((region) => createSeries(region));

  test("every night it has the bytes of a new export, and ignores other regions", async () => {
    const nights = await createNights([], series, { query });
    expect(nights.read()).not.toContain("SA1");
    nights.change({ series: series.map((one) => ({ ...one, nulls: add(one.nulls, [at(8), at(8.25)]) })) });
    const { stderr } = await nights.night(11);
    expect(stderr).toContain("48 values added");
    expect(stderr).toMatch(/ 12 held back/);
    expect((await nights.night(12)).stderr).toMatch(/ 12 withdrawn/);
    await expectWhole(nights);
  });
});
