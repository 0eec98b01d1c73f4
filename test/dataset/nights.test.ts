/** A dataset that is updated every night is the one that a new export would write, and only the last partitions are fetched. */
import { appendFileSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { createPlace, day, HOURLY, joinCsv, type Place, readData, readDescription, readFiles, readParquet } from "./datasets.ts";
import type { Query } from "../../src/query/query.ts";
import { LONG, runs } from "../support/extent.ts";
import { findExtent } from "../../src/job/destination/dataset/extent.ts";
import type { Descriptor } from "../../src/job/package/descriptor.ts";
import { refusal } from "../e2e/envelopes.ts";
import { DAY, formatLocalTime, HOUR } from "../../src/time/local-time.ts";
import { bucketsOf, type World } from "../faults/world.ts";
import { type DescribedRequest, expectAllOrigins, markAnswer } from "../update/origins.ts";

const QUERY = ["network", "NEM", "-m", "power", "-i", "1h", "-s", "2025-01-05", "--complete", "-g", "region"];
const UPDATE = ["-o", "nightly", "--partition", "month", "--update", "-q"];

async function update({ run }: Place, flags: readonly string[] = ["-f", "csv"], query = QUERY) {
  const done = await run([...query, ...flags, ...UPDATE]);
  expect(done).toMatchObject({ code: 0, stderr: "" });
}

/** A new export of the same. */
async function exportAnew({ run, home }: Place, flags: readonly string[] = ["-f", "csv"], query = QUERY): Promise<string> {
  rmSync(home.path("anew"), { recursive: true, force: true });
  expect(await run([...query, ...flags, "-o", "anew", "--partition", "month", "-q"])).toMatchObject({ code: 0, stderr: "" });
  return home.path("anew");
}

/** The windows of the requests since it was last called. */
function listStarts(place: Place): string[] {
  const { requests } = place.service;
  const starts = requests.slice(place.seen).map(({ url }) => new URL(url, "http://localhost").searchParams.get("date_start") ?? "");
  place.seen = requests.length;
  return starts;
}

describe("night by night", () => {
  test.each([[["-f", "csv", "--pivot", "region"]], [["-f", "csv"]], [["-f", "ndjson", "--shape", "wide"]]].slice(0, runs(1, 3)))(
    "%j",
    async (flags) => {
      const place = await createPlace(HOURLY, day(18));
      for (const now of [day(18), day(20) + 1, day(29), day(31), day(31.5), day(36), day(63)]) {
        place.now = now;
        await update(place, flags);
        expect(readData(place.home.path("nightly"))).toEqual(readData(await exportAnew(place, flags)));
      }
    },
  );

  test("parquet", async () => {
    const place = await createPlace(HOURLY, day(30));
    for (const now of [day(30), day(33), day(61)]) {
      place.now = now;
      await update(place, []);
      expect(await readParquet(place.home.path("nightly"))).toEqual(await readParquet(await exportAnew(place, [])));
    }
  });

  test.runIf(LONG)("weeks", async () => {
    const weeks: World = { ...HOURLY, interval: "7d", step: DAY, bucketOf: bucketsOf(7 * DAY, Date.UTC(2025, 0, 5)) };
    const query = QUERY.with(5, "7d").with(7, "2024-12-01");
    const place = await createPlace(weeks, day(30));
    for (const now of [day(30), day(40), day(61), day(75)]) {
      place.now = now;
      await update(place, ["-f", "csv"], query);
      expect(readData(place.home.path("nightly"))).toEqual(readData(await exportAnew(place, ["-f", "csv"], query)));
    }
  });

  test.runIf(LONG)("an unknown network", async () => {
    const query = QUERY.with(1, "XYZ").filter((one) => one !== "--complete");
    const place = await createPlace(HOURLY, day(30));
    for (const now of [day(30), day(33), day(45)]) {
      place.now = now;
      await update(place, ["-f", "csv"], query);
      expect(readData(place.home.path("nightly"))).toEqual(readData(await exportAnew(place, ["-f", "csv"], query)));
    }
  });

  test("a gap that the window begins in, of a service that fills gaps", async () => {
    const away: World = {
      ...HOURLY,
      fills: true,
      series: [{ labels: { region: "NSW1" } }, { labels: { region: "VIC1" }, away: [day(25), day(36)] }],
    };
    const place = await createPlace(away, day(38));
    for (const now of [day(38), day(40), day(43)]) {
      place.now = now;
      await update(place);
      expect(readData(place.home.path("nightly"))).toEqual(readData(await exportAnew(place)));
    }
  });
});

/** Every value from an instant on is another one from now on. */
function restate(place: Place, from: number): void {
  const { play } = place;
  const start = formatLocalTime(from);
  place.play = (url, answer) => {
    const before = play?.(url, answer) ?? answer;
    if (typeof before.body !== "string") return before;
    const body = before.body.replaceAll(/\["([^"+]+)[^"]+",(?=\d)/g, (point, stamp: string) => (stamp < start ? point : `${point}9`));
    return { ...before, body };
  };
}

test("what is fetched begins a bucket before the partition that may be restated, and older files are not touched", async () => {
  const place = await createPlace(HOURLY, day(70));
  await update(place);
  listStarts(place);
  const before = readFiles(place.home.path("nightly"));
  place.now = day(71);
  restate(place, day(0));
  await update(place);
  expect(listStarts(place)).toEqual(["2025-02-28T23:00:00"]);
  const after = readFiles(place.home.path("nightly"));
  const changed = Object.keys(after).filter((path) => !after[path]?.equals(before[path] ?? Buffer.of()));
  expect(changed).toEqual(["datapackage.json", "year=2025/month=03/data.csv"]);
  place.now = day(72);
  expect(await place.run([...QUERY, "-f", "csv", ...UPDATE, "--revise", "30d"])).toMatchObject({ code: 0 });
  expect(listStarts(place)[0]).toBe("2025-01-31T23:00:00");
});

test("the description keeps the files, the requests and the start of earlier nights", async () => {
  const place = await createPlace(HOURLY, day(34));
  await update(place);
  place.now = day(70);
  await update(place, ["-f", "csv"], QUERY.with(7, "2025-02-05"));
  const { resources, ents } = readDescription(place.home.path("nightly"));
  const anew = readDescription(await exportAnew(place));
  expect(resources).toEqual(anew.resources);
  expect(ents["window"]).toMatchObject({ start: "2025-01-05T00:00:00" });
  expect(ents["series"]).toEqual(anew.ents["series"]);
  expect((ents["requests"] as unknown[]).length).toBeGreaterThan(1);
});

test("a request is listed once, and with the time from which on rows are from it", async () => {
  const place = await createPlace(HOURLY, day(45));
  for (const now of [45, 46, 46, 47]) {
    place.now = day(now);
    await update(place);
  }
  const requests = readDescription(place.home.path("nightly")).ents["requests"] as { path: string; rows_from?: string }[];
  const facts = requests.map(({ path, rows_from }) => [new URL(path, "http://localhost").searchParams.get("date_start"), rows_from]);
  expect(facts).toEqual([
    ["2025-01-05T00:00:00", "2025-01-04T14:00:00Z"],
    ["2025-01-08T00:00:00", "2025-01-07T14:00:00Z"],
    ["2025-01-31T23:00:00", "2025-01-31T14:00:00Z"],
  ]);
});

test("every row is from the answer that the description names for it", async () => {
  const place = await createPlace(HOURLY, day(30));
  place.play = (_url, answer) => {
    const body = typeof answer.body === "string" ? answer.body.replaceAll(",0]", ",0.00]") : answer.body;
    return { ...answer, body: typeof body === "string" ? markAnswer(body, place.service.requests.length - 1) : body };
  };
  const listRequests = () => readDescription(place.home.path("nightly")).ents["requests"] as DescribedRequest[];
  for (const now of [30, 33, 34, 45, 61, 62]) {
    place.now = day(now);
    await update(place);
    expectAllOrigins(listRequests(), joinCsv(place.home.path("nightly")), place.service);
  }
  expect(listRequests().length).toBeGreaterThan(2);
});

test("one line says what was written", async () => {
  const place = await createPlace(HOURLY, day(30));
  const command = [...QUERY, "-f", "csv", "-o", "d/", "--partition", "month", "--update"];
  expect((await place.run(command)).stderr).toBe("ents: d: a new dataset of 1 partition, year=2025/month=01: 864 rows\n");
  place.now = day(33);
  expect((await place.run(command)).stderr).toBe(
    "ents: d: wrote 2 partitions, year=2025/month=01 to year=2025/month=02: 1,008 rows (864 before)\n",
  );
  place.now = day(34);
  place.world = { ...place.world, gaps: [[day(31), day(60)]] };
  expect((await place.run(command)).stderr).toBe(
    "ents: d: wrote 1 partition, year=2025/month=01: 912 rows (912 before); removed year=2025/month=02 (no rows left)\n",
  );
  expect(Object.keys(readData(place.home.path("d")))).toEqual(["year=2025/month=01/data.csv"]);
});

test("a night without any data leaves all as it is, and is exit 5", async () => {
  const place = await createPlace(HOURLY, day(33));
  await update(place);
  const before = readFiles(place.home.path("nightly"));
  place.play = () => ({ status: 404, body: { success: false, error: "No data available for the given parameters" } });
  expect(await place.run([...QUERY, "-f", "csv", ...UPDATE.slice(0, -1)])).toMatchObject({
    code: 5,
    stderr: expect.stringContaining(
      "nightly is unchanged: the service has no data for the period that is fetched again, where the folder has 1,008 rows\n",
    ) as string,
  });
  expect(readFiles(place.home.path("nightly"))).toEqual(before);
});

describe("columns that change", () => {
  const PIVOT = ["-f", "csv", "--pivot", "region"];

  test("a new one: all is fetched again, and all files have it", async () => {
    const place = await createPlace(
      { ...HOURLY, series: [{ labels: { region: "NSW1" } }, { labels: { region: "VIC1" }, from: day(65) }] },
      day(64),
    );
    await update(place, PIVOT);
    listStarts(place);
    place.now = day(67);
    const { code, stderr } = await place.run([...QUERY, ...PIVOT, ...UPDATE.slice(0, -1)]);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/^ents: note: older files (?:lack|have) .*; fetching all of it again\n/) as string,
    });
    expect(readData(place.home.path("nightly"))).toEqual(readData(await exportAnew(place, PIVOT)));
  });

  test("where the service refuses what is old, the new files have it, and the others are told of once", async () => {
    const place = await createPlace(
      { ...HOURLY, series: [{ labels: { region: "NSW1" } }, { labels: { region: "VIC1" }, from: day(65) }] },
      day(64),
    );
    await update(place, PIVOT);
    place.now = day(67);
    const refused = place.service.requests.length + 2;
    place.play = (_, answer) =>
      place.service.requests.length > refused ? refusal(400, "Your plan allows data from the last 30 days") : answer;
    const command = [...QUERY, ...PIVOT, ...UPDATE.slice(0, -1)];
    expect(await place.run(command)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("older files lack VIC1, because the service did not send earlier data\n") as string,
    });
    place.play = undefined;
    place.now = day(68);
    expect((await place.run(command)).stderr).not.toMatch(/warning|again/);
  });

  test("one that only older files have stays, without a request for it", async () => {
    const place = await createPlace(
      { ...HOURLY, series: [{ labels: { region: "NSW1" } }, { labels: { region: "VIC1" }, to: day(20) }] },
      day(64),
    );
    await update(place, PIVOT);
    listStarts(place);
    place.now = day(67);
    await update(place, PIVOT);
    expect(listStarts(place)[0]).toBe("2025-01-31T23:00:00");
    expect(readData(place.home.path("nightly"))).toEqual(readData(await exportAnew(place, PIVOT)));
    expect(joinCsv(place.home.path("nightly"))).toContain("timestamp,network,NSW1,VIC1\n");
  });
});

describe("another dataset is refused before any request", () => {
  let place: Place;
  beforeAll(async () => {
    place = await createPlace(HOURLY, day(33));
    await update(place);
  });

  test.each([
    ["with -m power; this command has -m energy", QUERY.with(3, "energy"), "month"],
    ["with --group-by region", QUERY.slice(0, -2), "month"],
    ["with -i 1h; this command has -i 1d", QUERY.with(5, "1d"), "month"],
    ["partition", QUERY, "day"],
    ["starts at", QUERY.with(7, "2025-01-04"), "month"],
    ["with -f csv; this command has -f ndjson", [...QUERY, "-f", "ndjson"], "month"],
  ])("%s", async (what, query, period) => {
    const before = readFiles(place.home.path("nightly"));
    listStarts(place);
    const format = query.includes("-f") ? [] : ["-f", "csv"];
    const { code, stderr } = await place.run([...query, ...format, "-o", "nightly", "--partition", period, "--update"]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(what) as string });
    expect(listStarts(place)).toEqual([]);
    expect(readFiles(place.home.path("nightly"))).toEqual(before);
  });

  test("without an interval", async () => {
    const query = QUERY.toSpliced(4, 2).filter((one) => one !== "--complete");
    expect(await place.run([...query, ...UPDATE])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--update only works with -i") as string,
    });
  });
});

test.each([10 / 24, 3].slice(-runs(1, 2)))("a clock %d days behind is told, and nothing is removed", async (days) => {
  const place = await createPlace(HOURLY, day(32) + 3 * HOUR);
  await update(place);
  const before = readFiles(place.home.path("nightly"));
  place.now -= days * DAY;
  const { code, stderr } = await place.run([...QUERY, "-f", "csv", ...UPDATE]);
  expect(readFiles(place.home.path("nightly"))).toEqual(before);
  expect({ code, stderr }).toEqual({
    code: 6,
    stderr: expect.stringMatching(
      /^ents: cannot update nightly: its last row, 2025-02-01T16:00:00Z, is after now, .*\n      check the clock of this machine\n      if it is right, .*\n$/,
    ) as string,
  });
});

test("of a season, all that a service may count with it is written again", () => {
  const query = { window: {}, parameters: [] } as unknown as Query;
  const descriptor = {
    series: [{ first: Date.UTC(2010, 0, 1), last: Date.UTC(2026, 8, 1) }],
    start: Date.UTC(2010, 0, 1),
  } as unknown as Descriptor;
  const upkeep = {
    period: "month",
    revise: { amount: 7, unit: "days" },
    interval: "season",
    since: undefined,
    now: Date.UTC(2026, 8, 2),
  } as const;
  expect(findExtent(query, descriptor, upkeep).from).toBeLessThanOrEqual(Date.UTC(2026, 0, 1));
});

describe("files that somebody else has changed", () => {
  test.each([
    ["removed", (path: string) => rmSync(path)],
    ["added to", (path: string) => appendFileSync(path, "2025-02-28T23:00:00+10:00,NEM,power,MW,NSW1,1\n")],
  ])("%s: all from there on is written again", async (_, change) => {
    const place = await createPlace(HOURLY, day(100));
    await update(place);
    listStarts(place);
    change(place.home.path("nightly/year=2025/month=02/data.csv"));
    place.now = day(101);
    const { code, stderr } = await place.run([...QUERY, "-f", "csv", ...UPDATE.slice(0, -1)]);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(
        /^ents: note: nightly\/year=2025\/month=02\/data.csv does not match datapackage.json; rewriting it and all later files\n.*wrote 3 partitions, year=2025\/month=02 to year=2025\/month=04: /,
      ) as string,
    });
    expect(listStarts(place)[0]).toBe("2025-01-31T23:00:00");
    expect(readData(place.home.path("nightly"))).toEqual(readData(await exportAnew(place)));
  });

  test("not before the start that is asked for", async () => {
    const place = await createPlace(HOURLY, day(100));
    await update(place);
    listStarts(place);
    rmSync(place.home.path("nightly/year=2025/month=01"), { recursive: true });
    await update(place, ["-f", "csv"], QUERY.with(7, "2025-02-01"));
    expect(listStarts(place)).toEqual(["2025-03-31T23:00:00"]);
  });
});

test("a description that lists a file outside of the folder is refused, and the file stays", async () => {
  const place = await createPlace(HOURLY, day(33));
  await update(place);
  writeFileSync(place.home.path("mine.csv"), "mine");
  const description = place.home.path("nightly/datapackage.json");
  writeFileSync(description, readFileSync(description, "utf8").replace("year=2025/month=02/data.csv", "../mine.csv"));
  const { code, stderr } = await place.run([...QUERY, "-f", "csv", ...UPDATE]);
  expect(readFileSync(place.home.path("mine.csv"), "utf8")).toBe("mine");
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining("nightly has a datapackage.json that ents cannot continue") as string,
  });
});

test("the folder may be a link", async () => {
  const place = await createPlace(HOURLY, day(33));
  mkdirSync(place.home.path("disk"));
  symlinkSync("disk", place.home.path("nightly"));
  await update(place);
  place.now = day(40);
  await update(place);
  expect(lstatSync(place.home.path("nightly")).isSymbolicLink()).toBe(true);
  expect(readFileSync(place.home.path("disk/year=2025/month=02/data.csv"), "utf8")).toContain("\n2025-02-09T");
});
