/**
 * What ents makes of a service's answers is what its reader takes it for: late rooftop solar, shares of a selection,
 * weights, defaults.
 */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { splitWords } from "../../src/cli/stored-command.ts";
import type { RunOptions } from "../support/run-in-process.ts";
import { createHome } from "../support/run-ents.ts";
import { type ReceivedRequest, type ScriptedService, startService } from "../support/scripted-service.ts";
import { envelope, HOUR, type ItemSketch, POWER, TOKEN } from "./envelopes.ts";

const NOW = Date.parse("2026-01-10T12:02:00+10:00");

async function open(answer: (request: ReceivedRequest) => readonly ItemSketch[]) {
  const service = await startService((request) => ({
    body: JSON.stringify(envelope(answer(request))).replaceAll(
      '"interval":"1h"',
      `"interval":"${findParameter(request, "interval")}"`,
    ),
  }));
  const run = (line: string, options: RunOptions = {}) =>
    createHome().run(line.split(" "), {
      env: { ENTS_BASE_URL: service.url, ENTS_TOKEN: TOKEN },
      clock: { now: () => NOW },
      ...options,
    });
  return { service, run };
}

function findParameter({ url }: Pick<ReceivedRequest, "url">, name: string): string | null {
  return new URL(url, "http://service").searchParams.get(name);
}

const listParameters = ({ requests }: ScriptedService, name: string) =>
  requests.map((request) => findParameter(request, name));

/** Five-minute values of energy from one time of the day to another, where `has` says so. */
function createDay(fueltech: string, value: number, has: (minute: number) => boolean) {
  const points = Array.from({ length: 144 }, (_, index) => 5 * index)
    .filter(has)
    .map((minute) => {
      const clock = `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
      return [`2026-01-10T${clock}:00+10:00`, value] as const;
    });
  return { labels: { region: "SA1", fueltech }, points };
}

/** Until noon; rooftop solar has its last value at 11:15. */
const LIVE = [createDay("wind", 30, () => true), createDay("solar_rooftop", 10, (minute) => minute <= 675)];

/** The part of a day that a request asks for. */
function answerFrom(series: readonly ReturnType<typeof createDay>[]) {
  return (request: ReceivedRequest): ItemSketch[] => {
    const [from = "", until = ""] = ["date_start", "date_end"].map(
      (name) => `${findParameter(request, name) ?? ""}+10:00`,
    );
    const isAsked = (timestamp: string) => timestamp >= from && timestamp <= until;
    const within = series.map((one) => ({ ...one, points: one.points.filter(([timestamp]) => isAsked(timestamp)) }));
    return [{ metric: "energy", unit: "MWh", series: within }];
  };
}

describe("rooftop solar that is late", () => {
  const SHARES = "network NEM -m share -i 5m -g fueltech -r SA1 -f csv";

  test("makes shares null, which a note counts; a short window looks two hours further back", async () => {
    const { service, run } = await open(answerFrom(LIVE));
    const { stdout, stderr } = await run(`${SHARES} -s 2026-01-10T11:10 -e 2026-01-10T11:59`);
    expect(listParameters(service, "date_start")).toEqual(["2026-01-10T09:10:00"]);
    const wind = stdout.split("\n").filter((line) => line.includes(",wind,"));
    expect(wind.map((line) => line.slice(11, 16) + line.slice(line.lastIndexOf(",")))).toEqual([
      "11:10,75",
      "11:15,75",
      ...["11:20", "11:25", "11:30", "11:35", "11:40", "11:45", "11:50", "11:55"].map((time) => `${time},`),
    ]);
    expect(stderr).toContain(
      "note: 8 intervals are null in what is added up over fueltechs: rooftop solar, which comes up to an hour late, has no value there\n",
    );
  });

  test("the note counts what is printed, and not the hours before a short window", async () => {
    const { run } = await open(
      answerFrom([createDay("wind", 30, () => true), createDay("solar_rooftop", 10, (minute) => minute % 30 === 0)]),
    );
    const { stdout, stderr } = await run(`${SHARES} -s 2026-01-10T10:00 -e 2026-01-10T10:14`);
    expect(stdout.match(/,wind,$/gm)).toHaveLength(2);
    expect(stderr).toContain("note: 2 intervals are null in what is added up over fueltechs");
  });

  test("with --settled, what is left out is not counted", async () => {
    const { run } = await open(answerFrom(LIVE));
    const { stdout, stderr } = await run(`${SHARES} -s 2026-01-10T09:00 -e 2026-01-10T11:59 --settled`);
    expect(stdout.match(/^.{16}(?=.*,wind,)/gm)?.at(-1)).toBe("2026-01-10T10:25");
    expect(stderr).not.toContain("null");
  });

  test("was half-hourly: the note names -i 30m", async () => {
    const { run } = await open(
      answerFrom([createDay("wind", 30, () => true), createDay("solar_rooftop", 10, (minute) => minute % 30 === 0)]),
    );
    const { stdout, stderr } = await run(`${SHARES} -s 2026-01-10T08:00 -e 2026-01-10T11:00`);
    expect(stdout.match(/,wind,75$/gm)).toHaveLength(7);
    expect(stdout.match(/,wind,$/gm)).toHaveLength(30);
    expect(stderr).toContain("note: 30 intervals are null");
    expect(stderr).toContain("; before March 2025 it is half-hourly: -i 30m has all\n");
  });
});

test("a share of a selection is of all that generates", async () => {
  const { service, run } = await open(
    answerFrom([createDay("wind", 30, () => true), createDay("coal_black", 10, () => true)]),
  );
  const { stdout } = await run(
    "network NEM -m share -i 5m --fueltech wind -r SA1 -s 2026-01-10T08:00 -e 2026-01-10T08:04 -f csv",
  );
  expect(stdout).toBe(
    "timestamp,network,metric,unit,region,fueltech,value\n2026-01-10T08:00:00+10:00,NEM,share,%,SA1,wind,75\n",
  );
  expect([listParameters(service, "fueltech"), listParameters(service, "secondary_grouping")]).toEqual([
    [null],
    ["fueltech"],
  ]);
});

test("the mean of demand_weighted_price is weighted by demand; without demand there is no value", async () => {
  const at = (hour: number, value: number | null) => [`2026-01-10T0${hour}:00:00+10:00`, value] as const;
  const labels = { region: "SA1" };
  const { run } = await open(() => [
    { metric: "price", unit: "$/MWh", series: [{ labels, points: [at(0, 100), at(1, -20), at(2, 7)] }] },
    { metric: "demand", unit: "MW", series: [{ labels, points: [at(0, 300), at(1, 100), at(2, null)] }] },
  ]);
  const line = "market NEM -m demand_weighted_price -i 1h -r SA1 -s 2026-01-10 -e 2026-01-10T02:59:59 -f csv -q";
  expect((await run(line)).stdout.match(/,SA1,.*$/gm)).toEqual([",SA1,100", ",SA1,-20", ",SA1,"]);
  expect((await run(`${line} --summary-only -f ndjson`.replace(" -f csv", ""))).stdout).toContain('"mean":70,');
});

describe("what is left to the service is told", () => {
  test("its window and interval, once, for rows", async () => {
    const service = await startService(() => POWER);
    const env = { ENTS_BASE_URL: service.url, ENTS_TOKEN: TOKEN };
    const note =
      "ents: note: no interval and no window was given: the service sent 1h from 2025-01-01 to 2025-01-01T01:00; --last says how long\n";
    expect(await createHome().run("network NEM -m power -f csv".split(" "), { env })).toMatchObject({
      code: 0,
      stderr: note,
    });
    expect(await createHome().run("network NEM -m power -f table".split(" "), { env })).toMatchObject({
      code: 0,
      stderr: "",
    });
  });

  test("a price of several regions", async () => {
    const { run } = await open(() => [{ metric: "price", unit: "$/MWh", series: [{ points: HOUR }] }]);
    const line = "market NEM -m price -i 1h --last 1d -f csv";
    expect((await run(line)).stderr).toContain(
      "note: NEM has no price of its own: the service makes it of the prices of its regions; --group-by region has those\n",
    );
    expect((await run(`${line} -g region`)).stderr).not.toContain("of its own");
  });

  test.each([
    ["-i 1h --during 1990-01-31", /no data for this query\n {6}on OpenElectricity, data of NEM begin on 1998-12-07\n/],
    ["-i 1h -s 2030-01-01 -e 2030-01-02", /no data for this query: its window is in the future\n/],
    [
      "-i 1h --during 2025-01-31 --facility liddell",
      /no data for this query\n {6}LD01 has data until 2023-04-28\n[^]*and so on for 1 more unit\n/,
    ],
    [
      "-i 1h --during 2025-01-31 --facility-code LIDDELL",
      /no data for this query\n {6}LD03 has data until 2022-04-01\n/,
    ],
  ])("why there is no data: %s", async (flags, reason) => {
    const command = flags.includes("facility") ? "facilities" : "network";
    const { stderr } = await createHome().run(`${command} NEM -m power --sandbox -f csv ${flags}`.split(" "));
    expect(stderr).toMatch(reason);
  });
});

test.each([
  [
    "",
    "capacity_factor is of the maximum capacity, else the registered one",
    "what the maximum capacity (else the registered one) could have",
  ],
  [
    " --capacity registered",
    "capacity_factor is of the registered capacity",
    "what the registered capacity could have",
  ],
])("which capacity a factor is of is said by table, picture and description:%s", async (flag, line, meaning) => {
  const home = createHome();
  const query =
    `facilities NEM -m capacity_factor -i 1d --during 2025-01 --facility-code BAYSW --sandbox -q${flag}`.split(" ");
  for (const format of ["table", "chart", "svg"])
    expect((await home.run([...query, "-f", format])).stdout).toContain(line);
  await home.run([...query, "--datapackage", "-o", home.path("cf.csv")]);
  expect(readFileSync(home.path("cf.csv.datapackage.json"), "utf8")).toContain(meaning);
});

test("a picture has its source: the service and the licence of the plan, its host, or the sandbox", async () => {
  const source = async (args: string, options: RunOptions = {}) =>
    /Source: [^<\n]*/.exec(
      (await createHome().run(`market NEM -m price -i 1h -r SA1 -f svg -q ${args}`.split(" "), options)).stdout,
    )?.[0];
  expect(await source("--sandbox --last 1d")).toBe("Source: the sandbox inside ents: synthetic data");
  const { service } = await open(() => [
    { metric: "price", unit: "$/MWh", series: [{ labels: { region: "SA1" }, points: HOUR }] },
  ]);
  const env = { ENTS_BASE_URL: service.url, ENTS_TOKEN: TOKEN };
  expect(await source("--last 1d", { env })).toBe(`Source: ${new URL(service.url).host}`);
});

test("a status among words to search for filters units, as the flag does", async () => {
  const list = async (words: string) =>
    (await createHome().run(`list facilities ${words} --sandbox -q -f csv`.split(" "))).stdout
      .split("\n")
      .filter((line) => line.startsWith("MUJA,"));
  expect(await list("muja operating")).toEqual(await list("muja --status operating"));
  expect(await list("muja operating")).not.toEqual(await list("muja"));
});

test("the command that an output is described with asks for the same window, whatever its zone", async () => {
  const home = createHome();
  const line =
    "market NEM -m price -i 1h -r SA1 --during 2025-01-01 --time-zone Australia/Sydney --sandbox -q --datapackage -o";
  await home.run([...line.split(" "), home.path("one.csv")]);
  const described = readFileSync(home.path("one.csv.datapackage.json"), "utf8");
  const { command } = (JSON.parse(described) as { ents: { command: string } }).ents;
  await home.run(splitWords(command.replace("one.csv", "two.csv")).slice(1));
  const text = readFileSync(home.path("one.csv"), "utf8");
  expect(text.split("\n")[1]).toMatch(/^2025-01-01T00:00:00\+11:00,/);
  expect(readFileSync(home.path("two.csv"), "utf8")).toBe(text);
});
