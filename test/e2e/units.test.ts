/**
 * What a service may send that one header, one comparison or one sum cannot have; and seasons, whose stamps are no
 * times.
 */
import { describe, expect, test } from "vitest";
import { startService } from "../support/scripted-service.ts";
import { createHome } from "../support/run-ents.ts";
import { FACILITIES, type ListedFacility, POWER as UNITS, startUnitService } from "../facilities/unit-service.ts";
import { envelope, TOKEN } from "./envelopes.ts";

const at = (hour: number, value: number | null) => [`2025-01-01T0${hour}:00:00+10:00`, value] as const;

describe("a unit that changes within the window", async () => {
  const items = [
    { unit: "MW", series: [{ labels: { region: "NSW1" }, points: [at(0, 5)] }] },
    { unit: "kW", series: [{ labels: { region: "NSW1" }, points: [at(1, 5000)] }] },
  ];
  const service = await startService(() => ({ body: envelope(items) }));
  const run = (...flags: string[]) =>
    createHome().run("network NEM -m power -i 1h -s 2025-01-01 -e 2025-01-01 -g region".split(" ").concat(flags), {
      env: { ENTS_BASE_URL: service.url, ENTS_TOKEN: TOKEN },
    });

  test.each([
    "--above 100",
    "--top 1",
    "--bottom 1",
    "--shape wide",
    "--pivot region",
    "-f table",
    "-f xlsx -o a.xlsx",
  ])("%s is exit 4", async (flags) => {
    const { code, stdout, stderr } = await run(...flags.split(" "));
    expect({ code, stdout, stderr }).toMatchObject({
      code: 4,
      stdout: "",
      stderr: expect.stringMatching(
        /^ents: .*the service sent power in (?:MW and in kW|kW and in MW)\n {6}ask for the time before the change and after it apart; or .*--shape long\n$/m,
      ) as string,
    });
  });

  test.each(["-f csv", "-f csv --summary-only", "--top 1 --each -f csv"])(
    "%s has each with its unit",
    async (flags) => {
      const { code, stdout } = await run(...flags.split(" "));
      expect(code).toBe(0);
      for (const unit of ["MW", "kW"]) expect(stdout).toContain(`,power,${unit},NSW1,`);
    },
  );
});

test("a label named period beside --per", async () => {
  const items = [{ unit: "MW", series: [{ labels: { period: "peak" }, points: [at(0, 5)] }] }];
  const service = await startService(() => ({ body: envelope(items) }));
  const query = "network NEM -m power -i 1h -s 2025-01-01 -e 2025-01-01 --profile day --per month -q".split(" ");
  for (const [format, head] of [
    ["csv", /^period,time,.*period_label.*\n2025-01,00:00,.*,peak,/],
    ["table", /peak[^]*2025-01|2025-01[^]*peak/],
  ] as const) {
    const { code, stdout } = await createHome().run([...query, "-f", format], {
      env: { ENTS_BASE_URL: service.url, ENTS_TOKEN: TOKEN },
    });
    expect({ format, code, stdout }).toMatchObject({ code: 0, stdout: expect.stringMatching(head) as string });
  }
});

test.each<readonly [interval: string, days: readonly string[], row: string, today: string]>([
  // On 10 March autumn, stamped in January, is newer than summer, whose January and February are over.
  ["season", ["2025-01-01", "2025-10-01"], "2025-01-01T00:00:00+10:00,0,", "2025-03-10"],
  ["season", ["2025-01-01", "2025-10-01"], "2025-10-01T00:00:00+10:00,777600,", "2026-01-10"],
  ["fy", ["2024-01-01", "2025-01-01"], "2025-01-01T00:00:00+10:00,0,", "2025-03-10"],
  ["fy", ["2024-01-01", "2025-01-01"], "2025-01-01T00:00:00+10:00,777600,", "2025-07-10"],
  ["1h", ["2025-03-09"], "2025-03-09T00:00:00+10:00,82800,", "2025-03-10"],
])(
  "--latest -i %s: the interval that began last, and its age from its end",
  async (...[interval, days, row, today]) => {
    const points = days.map((day) => [`${day}T00:00:00+10:00`, 7] as const);
    const now = Date.parse(`${today}T00:00:00+10:00`);
    const service = await startService(() => ({
      body: JSON.stringify(envelope([{ metric: "price", unit: "$/MWh", series: [{ points }] }])).replaceAll(
        "1h",
        interval,
      ),
    }));
    const run = await createHome().run(
      ["market", "NEM", "-m", "price", "-i", interval, "--latest", "-f", "csv", "-q"],
      {
        env: { ENTS_BASE_URL: service.url, ENTS_TOKEN: TOKEN },
        clock: { now: () => now },
      },
    );
    expect(run.stdout.split("\n")[1]).toContain(row);
  },
);

test("a unit that the list has in two facilities counts in one sum, which is said", async () => {
  const [first, second] = FACILITIES as readonly [ListedFacility, ListedFacility];
  const list = [first, { ...second, units: [...second.units, ...first.units.slice(0, 1)] }];
  const service = await startUnitService(list);
  const run = (...flags: string[]) => service.run(createHome(), [...UNITS, "-f", "csv", ...flags]);
  const { code, stdout, stderr } = await run("-g", "facility", "--facility-code", "HORNSDALE", "HPR");
  expect(code).toBe(0);
  expect(stderr).toContain("warning: the list has HDWF2 in HORNSDALE and HPR; it counts in HPR alone\n");
  expect(stdout).toMatch(/,HORNSDALE,40760.3952\n.*,HPR,40760.3952\n/);
  expect(await run("--facility-code", "HORNSDALE")).toMatchObject({ code: 0, stderr: "" });
});
