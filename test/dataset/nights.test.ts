/** A dataset that is updated every night equals a new export, and files whose rows are unchanged are left alone. */
import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { describe, expect, test } from "vitest";
import { createPlace, day, HOURLY, joinCsv, type Place, readData, readFiles } from "./datasets.ts";
import { runs } from "../support/extent.ts";
import { DAY, formatLocalTime, HOUR } from "../../src/time/local-time.ts";
import { readChanges } from "../update/nights.ts";
import { HAS_LINKS } from "../support/platform.ts";

const QUERY = ["network", "NEM", "-m", "power", "-i", "1h", "-s", "2025-01-05", "--complete", "-g", "region"];
const UPDATE = ["-o", "nightly", "--partition", "month", "--update", "-q"];

async function update({ run }: Place, flags: readonly string[] = ["-f", "csv"]) {
  const done = await run([...QUERY, ...flags, ...UPDATE]);
  expect(done).toMatchObject({ code: 0, stderr: "" });
}

/** A new export of the same query. */
async function exportAnew({ run, home }: Place, flags: readonly string[] = ["-f", "csv"]): Promise<string> {
  rmSync(home.path("anew"), { recursive: true, force: true });
  expect(await run([...QUERY, ...flags, "-o", "anew", "--partition", "month", "-q"])).toMatchObject({
    code: 0,
    stderr: "",
  });
  return home.path("anew");
}

describe("night by night", () => {
  test.each(
    [[["-f", "csv", "--pivot", "region"]], [["-f", "csv"]], [["-f", "ndjson", "--shape", "wide"]]].slice(0, runs(1, 3)),
  )("%j", async (flags) => {
    const place = await createPlace(HOURLY, day(18));
    for (const now of [day(18), day(20) + 1, day(29), day(31), day(31.5), day(36), day(63)]) {
      place.now = now;
      await update(place, flags);
      expect(readData(place.home.path("nightly"))).toEqual(readData(await exportAnew(place, flags)));
    }
  });

  test("parquet", async () => {
    const place = await createPlace(HOURLY, day(30));
    for (const now of [day(30), day(33), day(61)]) {
      place.now = now;
      await update(place, []);
      expect(readData(place.home.path("nightly"))).toEqual(readData(await exportAnew(place, [])));
    }
  });
});

/** Changes every value from an instant on. */
function restate(place: Place, from: number): void {
  const { play } = place;
  const start = formatLocalTime(from);
  place.play = (url, answer) => {
    const before = play?.(url, answer) ?? answer;
    if (typeof before.body !== "string") return before;
    const body = before.body.replaceAll(/\["([^"+]+)[^"]+",(?=\d)/g, (point, timestamp: string) =>
      timestamp < start ? point : `${point}9`,
    );
    return { ...before, body };
  };
}

test("only files whose rows have changed are written, and only what is new or due is asked for", async () => {
  const place = await createPlace(HOURLY, day(70));
  await update(place);
  const paths = ["01", "02", "03"].map((month) => `nightly/year=2025/month=${month}/data.csv`);
  const look = () => paths.map((path) => statSync(place.home.path(path)).ino);
  const [before, requests] = [look(), place.service.requests.length];
  place.now = day(71);
  restate(place, day(60));
  await update(place, ["-f", "csv", "--recheck", "0"]);
  expect(look().map((inode, index) => inode === before[index])).toEqual([true, true, false]);
  expect(place.service.requests.length - requests).toBeLessThanOrEqual(2);
});

test("one line says what was done, and what was restated is stored", async () => {
  const place = await createPlace(HOURLY, day(38));
  const night = [...QUERY, "-f", "csv", ...UPDATE.slice(0, -1)];
  expect((await place.run(night)).stderr).toMatch(
    /^ents: nightly: new, [^\n]*; wrote 2 partitions \(year=2025\/month=01 to year=2025\/month=02\): [^\n]*\n$/,
  );
  restate(place, day(37));
  place.now = day(39);
  expect((await place.run(night)).stderr).toMatch(
    /^ents: nightly: 48 values added, 48 restated \(largest change: [^\n]*, 2 requests, up to [^\n]*; wrote 1 partition \(year=2025\/month=02\), 1 unchanged: [^\n]*\n$/,
  );
  expect(readChanges(place.home.path("nightly/.ents"))).toHaveLength(48);
});

test("a column that comes is in all files, without a request for what is kept", async () => {
  const pivot = ["-f", "csv", "--pivot", "region", "--recheck", "0"];
  const place = await createPlace(
    { ...HOURLY, series: [{ labels: { region: "NSW1" } }, { labels: { region: "VIC1" }, from: day(65) }] },
    day(64),
  );
  await update(place, pivot);
  const requests = place.service.requests.length;
  place.now = day(67);
  await update(place, pivot);
  expect(place.service.requests.length - requests).toBeLessThanOrEqual(2);
  expect(readData(place.home.path("nightly"))).toEqual(readData(await exportAnew(place, pivot.slice(0, -2))));
  expect(joinCsv(place.home.path("nightly"))).toContain("timestamp,network,NSW1,VIC1\n");
});

test("other flags of the output make other files of the same responses, in the place of those of before", async () => {
  const place = await createPlace(HOURLY, day(33));
  await update(place);
  const flags = ["-f", "ndjson", "-o", "nightly", "--partition", "day"];
  expect(await place.run([...QUERY, ...flags, "--update", "-q"])).toMatchObject({ code: 0 });
  expect(await place.run([...QUERY, ...flags.with(3, "anew"), "-q"])).toMatchObject({ code: 0 });
  expect(readData(place.home.path("nightly"))).toEqual(readData(place.home.path("anew")));
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
      /^ents: cannot update nightly: a stored response is from the future \(received 2025-02-01T17:00:00Z; now it is .*\n/,
    ) as string,
  });
});

test.each([
  ["removed", (path: string) => rmSync(path)],
  ["added to", (path: string) => appendFileSync(path, "2025-02-28T23:00:00+10:00,NEM,power,MW,NSW1,1\n")],
  [
    "changed in as many bytes",
    (path: string) => writeFileSync(path, readFileSync(path, "utf8").replace("VIC1", "XXX1")),
  ],
])("a file that somebody else has %s is written again, without a request", async (_, change) => {
  const place = await createPlace(HOURLY, day(100));
  await update(place);
  const requests = place.service.requests.length;
  change(place.home.path("nightly/year=2025/month=02/data.csv"));
  place.now = day(101);
  await update(place, ["-f", "csv", "--recheck", "0"]);
  expect(place.service.requests.length - requests).toBeLessThanOrEqual(2);
  expect(readData(place.home.path("nightly"))).toEqual(readData(await exportAnew(place)));
});

test("a description that lists a file outside of the folder is written again, and the file stays", async () => {
  const place = await createPlace(HOURLY, day(33));
  await update(place);
  writeFileSync(place.home.path("mine.csv"), "mine");
  const description = place.home.path("nightly/_datapackage.json");
  writeFileSync(description, readFileSync(description, "utf8").replace("year=2025/month=02/data.csv", "../mine.csv"));
  expect(await place.run([...QUERY, "-f", "csv", ...UPDATE])).toMatchObject({ code: 0 });
  expect(readFileSync(place.home.path("mine.csv"), "utf8")).toBe("mine");
  expect(readFileSync(description, "utf8")).not.toContain("mine.csv");
});

test.skipIf(!HAS_LINKS)("the folder may be a link", async () => {
  const place = await createPlace(HOURLY, day(33));
  mkdirSync(place.home.path("disk"));
  symlinkSync("disk", place.home.path("nightly"));
  await update(place);
  place.now = day(40);
  await update(place);
  expect(lstatSync(place.home.path("nightly")).isSymbolicLink()).toBe(true);
  expect(readFileSync(place.home.path("disk/year=2025/month=02/data.csv"), "utf8")).toContain("\n2025-02-09T");
});
