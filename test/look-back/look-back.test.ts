/** `ents show` and `ents log`: other outputs of what is stored, without a request, and what has changed since. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { STEP } from "../merge/model-intervals.ts";
import { some } from "../support/extent.ts";
import { createChance } from "../support/chance.ts";
import { createNights, createSeries, FILE, type Nights, REGIONS, START } from "../update/nights.ts";
import { add } from "../update/world.ts";
import { expectError } from "../e2e/old-file.ts";
import { DAY, formatLocalTime, HOUR } from "../../src/time/local-time.ts";

const FLAGS = ["--max-window", "4d", "--revise", "1d"];

/** Halves the value of an hour, or leaves none: `2026-01-03T05:00:00+10:00 NSW1`. */
function restate({ world }: Nights, place: string, share = 1 / 2): void {
  const [timestamp = "", region] = place.split(" ");
  const from = Date.parse(`${timestamp.slice(0, "2026-01-03T05:00:00".length)}Z`) / STEP;
  const gone = (HOUR / STEP) * (1 - share);
  const series = world.model.series.map((one) =>
    one.labels["region"] === region ? { ...one, nulls: add(one.nulls, [from, from + gone]) } : one,
  );
  world.model = { ...world.model, series };
}

interface Change {
  readonly seen: string;
  readonly timestamp: string;
  readonly region: string;
  readonly old: number | null;
  readonly new: number | null;
}

async function readLog({ home }: Nights, file: string): Promise<Change[]> {
  const { stdout } = await home.run(["log", file, "--changes", "-f", "ndjson"]);
  return stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Change);
}

test.each(some(1, ["power.parquet", "power.csv"]))(
  "a service that restates old days at random: the log of %s has each value once, and each night is shown again, byte for byte",
  async (file) => {
    const chance = createChance(26);
    const nights = await createNights([...FLAGS, "--history", "--recheck", "2"], REGIONS, { file });
    const restated = new Set<string>();
    const written = new Map<string, Buffer>();
    for (let day = 11; day < 20; day++) {
      const place = `${formatLocalTime(START + chance.below(day - 1) * DAY + chance.below(24) * HOUR)}+10:00 ${chance.pick(["NSW1", "VIC1"])}`;
      if (day < 16) restate(nights, place);
      if (day < 16) restated.add(place);
      await nights.night(day);
      written.set(new Date(nights.world.now).toISOString(), readFileSync(nights.home.path(file)));
    }
    const log = await readLog(nights, file);
    expect(log.map(({ timestamp, region }) => `${timestamp} ${region}`).toSorted()).toEqual([...restated].toSorted());
    for (const { old, new: now } of log) expect(now).toBeLessThan(old ?? 0);
    for (const [when, bytes] of written) {
      const run = await nights.home.run(["show", file, "--as-of", when.replace(/\.\d+/, ""), "-o", `past.${file}`]);
      expect({
        when,
        stderr: run.stderr,
        isSame: readFileSync(nights.home.path(`past.${file}`)).equals(bytes),
      }).toEqual({
        when,
        stderr: "",
        isSame: true,
      });
    }
  },
);

/** Nights 10 and 11, with a value that is restated on night 12. */
async function createRestated(...flags: readonly string[]): Promise<Nights> {
  const nights = await createNights([...FLAGS, "--recheck", "all", ...flags]);
  await nights.night(11);
  restate(nights, "2026-01-03T05:00:00+10:00 NSW1");
  await nights.night(12);
  return nights;
}

test("what is stored is shown in other formats, in part and pivoted, without a request, a token or an address", async () => {
  const nights = await createRestated();
  const { home, service, read } = nights;
  const sent = service.requests.length;
  const show = async (...flags: readonly string[]) => (await home.run(["show", FILE, ...flags])).stdout;
  expect(await show()).toBe(read());
  expect(await show("-s", "2026-01-03", "-e", "2026-01-04")).toBe(
    read()
      .split("\n")
      .filter((line) => /^(?:timestamp|2026-01-0[34])/.test(line))
      .join("\n") + "\n",
  );
  // The last night was at midnight.
  expect((await show("--last", "2h", "--pivot", "region")).split("\n")).toEqual([
    "timestamp,network,NSW1,VIC1",
    expect.stringMatching(/^2026-01-12T22:00:00\+10:00,NEM,\d+\.\d+,\d+\.\d+$/),
    expect.stringMatching(/^2026-01-12T23:00:00\+10:00,NEM,\d+\.\d+,\d+\.\d+$/),
    "",
  ]);
  expect(JSON.parse(await show("-f", "json"))).toMatchObject({ success: true });
  expect(await show("-f", "chart", "--during", "2026-01-02")).toContain("New South Wales");
  expect(service.requests).toHaveLength(sent);
});

test("the real binary shows and lists with every socket refused", async () => {
  const { home, read } = await createRestated();
  writeFileSync(home.path("refuse.cjs"), 'require("node:net").Socket.prototype.connect = () => process.exit(99);');
  const env = { NODE_OPTIONS: `--require ${home.path("refuse.cjs")}` };
  expect(await home.spawn(["show", FILE], { env })).toMatchObject({ code: 0, stderr: "", stdout: read() });
  expect(await home.spawn(["log", FILE, "--changes"], { env })).toMatchObject({ code: 0, stderr: "" });
  // It would be noticed.
  expect((await home.spawn(["market", "NEM", "-m", "price"], { env })).code).toBe(99);
});

test("a pivoted file is shown as it is, also in other formats; -f long formats are asked for by --shape", async () => {
  const nights = await createRestated("--pivot", "region");
  const { home, read } = nights;
  expect((await home.run(["show", FILE])).stdout).toBe(read());
  expect((await home.run(["show", FILE, "-f", "tsv"])).stdout).toBe(read().replaceAll(",", "\t"));
  expect((await home.run(["show", FILE, "--shape", "long"])).stdout).toMatch(
    /^timestamp,network,metric,unit,region,value\n/,
  );
});

test("log: each update with what it did, the newest first; what changed; and which request each row is from", async () => {
  const { home } = await createRestated();
  const log = async (...flags: readonly string[]) => (await home.run(["log", `${FILE}.ents/`, ...flags])).stdout;
  expect(await log()).toBe(
    [
      "when,until,added,restated,withdrawn,rechecked,requests,version",
      "2026-01-13T00:00:00+10:00,2026-01-12T23:00:00+10:00,48,1,0,3,4,4.5.0",
      "2026-01-12T00:00:00+10:00,2026-01-11T23:00:00+10:00,48,0,0,2,4,4.5.0",
      "2026-01-11T00:00:00+10:00,2026-01-10T23:00:00+10:00,480,0,0,0,3,4.5.0",
      "",
    ].join("\n"),
  );
  expect((await log("--changes")).split("\n")).toEqual([
    "seen,timestamp,network,metric,region,old,new",
    expect.stringMatching(/^2026-01-13T00:00:00\+10:00,2026-01-03T05:00:00\+10:00,NEM,power,NSW1,\d+\.\d+,\d+\.\d+$/),
    "",
  ]);
  expect((await log("--requests")).split("\n").slice(0, 2)).toEqual([
    "start,end,received,reason,version,values,file,url",
    expect.stringMatching(
      /^2026-01-01T00:00:00\+10:00,2026-01-03T00:00:00\+10:00,2026-01-13T00:00:00\+10:00,recheck,4\.5\.0,\d+,2026-01-01T0000_2026-01-03T0000\.[0-9a-f]{8}\.\d+\.json\.gz,http:.*date_start=2026-01-01/,
    ),
  ]);
});

test("an interval that starts at -e belongs to it: in a plain export, an update and another output of it", async () => {
  const nights = await createNights([], REGIONS, { inclusiveEnd: true });
  const window = ["-s", "2026-01-03", "-e", "2026-01-05T12:00"];
  const query = ["network", "NEM", "-m", "power", "-i", "1h", "-g", "region", ...window];
  const listTimes = (text: string) => text.split("\n").map((line) => line.split(",")[0]);
  const whole = (await nights.run(...query.with(-1, "2026-01-05T12:59:59"))).stdout;
  // The service's last interval has begun, no more.
  expect(listTimes((await nights.run(...query)).stdout)).toEqual(listTimes(whole));
  expect(listTimes(whole)).toContain("2026-01-05T12:00:00+10:00");
  expect(await nights.run(...query, "--update", "-o", "cut.csv")).toMatchObject({ code: 0 });
  expect(nights.read("cut.csv")).toBe(whole);
  expect((await nights.home.run(["show", "cut.csv", "-f", "csv"])).stdout).toBe(whole);
  expect((await nights.home.run(["show", FILE, ...window])).stdout).toBe(whole);
  const one = await nights.home.run(["show", FILE, "-s", "2026-01-05T12:00", "-e", "2026-01-05T12:00"]);
  expect(one.stdout.split("\n")).toHaveLength(1 + REGIONS.length + 1);
});

test("a window in which nothing is stored: no word of the service, which nobody asked", async () => {
  const series = ["NSW1", "VIC1"].map((region) => createSeries(region, [3, 5]));
  const nights = await createNights([], series, { fillsGaps: false });
  const none = await nights.home.run(["show", FILE, "--during", "2026-01-04"]);
  expect(none).toMatchObject({ code: 0, stderr: "ents: note: nothing is stored for this query\n" });
});

test("what cannot be shown is named, with what can", async () => {
  const nights = await createRestated();
  const { home, read } = nights;
  const show = (...flags: readonly string[]) => home.run(["show", FILE, ...flags]);
  expectError(
    await show("-s", "2025"),
    2,
    /has stored data from 2026-01-01 to 2026-01-12T23:59:59, not from 2025-01-01/,
  );
  expectError(await show("-e", "2026-02"), 2, /has stored data from 2026-01-01 to/);
  expectError(
    await show("--as-of", "2026-01-10"),
    2,
    /did not exist at 2026-01-10\n +it was first made at 2026-01-11T00:00:00\+10:00/,
  );
  // Without --history, what was superseded is deleted.
  expectError(
    await show("--as-of", "2026-01-11T12:00"),
    2,
    /responses of that time were not kept\n +use --as-of 2026-01-13T00:00:00\+10:00 or later\n +.*--history/,
  );
  expect((await show("--as-of", "2026-01-14")).stdout).toBe(read());
  expectError(await show("-o", FILE), 2, /is kept current by --update/);
  expectError(await show("--with", "capacity"), 2, /--with only works with outputs of 'ents facilities'/);
  expectError(await home.run(["show", "other.csv"]), 2, /there is no output other\.csv/);
  writeFileSync(home.path("other.csv"), "x\n");
  expectError(
    await home.run(["show", "other.csv"]),
    2,
    /other\.csv has no stored responses: it was not made with --update/,
  );
  expectError(await home.run(["log", "other.csv"]), 2, /other\.csv has no stored responses/);
  rmSync(`${nights.kept}/journal.ndjson`);
  expectError(
    await show(),
    2,
    /no update of power\.csv has finished, or its journal is lost\n +run 'ents update power\.csv' first/,
  );
});

test("an older response does not stand in for a newer one that is lost, though it has as many values", async () => {
  const nights = await createNights([...FLAGS, "--recheck", "all"]);
  await nights.night(11);
  restate(nights, "2026-01-03T05:00:00+10:00 NSW1");
  restate(nights, "2026-01-03T06:00:00+10:00 NSW1", 0);
  expect((await nights.night(12)).stderr).toMatch(/1 restated .* 1 held back/);
  const stored = readdirSync(nights.kept).filter((name) => name.startsWith("2026-01-03"));
  expect(stored).toHaveLength(2);
  rmSync(`${nights.kept}/${stored.toSorted().at(-1)}`);
  expectError(await nights.home.run(["show", FILE]), 6, /some have been changed or deleted since/);
});

test("a new version of the service, and a change that a recheck finds, are said once, with what it costs to recheck all", async () => {
  const service = { version: "4.5.0" };
  const nights = await createNights([...FLAGS, "--recheck", "0"], REGIONS, {
    mark: (text) => text.replace('"4.5.0"', `"${service.version}"`),
  });
  const readNotes = async (day: number, ...flags: readonly string[]) =>
    (await nights.night(day, ...flags)).stderr.split("\n").slice(1, -1);
  expect(await readNotes(11)).toEqual([]);
  service.version = "4.6.0";
  const cost =
    "      to recheck all older responses now, add --recheck all once (3 requests, less than 1 % of a community key's 500 requests a day)";
  expect(await readNotes(12)).toEqual(["ents: note: the service's version is now 4.6.0 (it was 4.5.0)", cost]);
  expect(await readNotes(13)).toEqual([]);
  const fine = await createNights(["--max-window", "3h", "--revise", "1d"]);
  restate(fine, "2026-01-01T01:00:00+10:00 NSW1");
  expect((await fine.night(11)).stderr.split("\n").slice(1, -1)).toEqual([
    "ents: note: a recheck found restated values, so the next updates recheck 50 older responses each",
    expect.stringMatching(
      /^ {6}to recheck all older responses now, add --recheck all once \(\d+ requests, \d+ % of a community key's/,
    ),
  ]);
  expect((await fine.night(12)).stderr.split("\n").slice(1, -1)).toEqual([]);
});
