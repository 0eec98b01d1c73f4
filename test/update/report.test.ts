/** What an update reports: one line, and the log of changes. */
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { DAY, HOUR } from "../../src/time/local-time.ts";
import { refusal } from "../e2e/envelopes.ts";
import { expectError } from "../e2e/old-file.ts";
import { STEP } from "../merge/buckets.ts";
import type { ModelSeries } from "../merge/fake-service.ts";
import { createNights, FILE, QUERY, REGIONS, START } from "./nights.ts";
import { add, SERIES, subtract, type World } from "./world.ts";

const at = (days: number, hours: number) => (START + days * DAY + hours * HOUR) / STEP;

/** NSW1: the value of hour 5 on the ninth day is halved. VIC1: the value of hour 7 is withdrawn. */
function change(world: World): void {
  const [one, other] = REGIONS as [(typeof REGIONS)[0], (typeof REGIONS)[0]];
  const series = [
    { ...one, nulls: add(one.nulls, [at(8, 5), at(8, 5.5)]) },
    { ...other, present: subtract(other.present, [at(8, 7), at(8, 8)]) },
  ];
  world.model = { ...world.model, fillsGaps: false, series };
}

test("one line: what is new, restated and withdrawn, what it took, and until when", async () => {
  const nights = await createNights();
  change(nights.world);
  const { stderr } = await nights.update();
  const [, old, now] = /from (\S+) to (\S+) at/.exec(stderr) ?? [];
  expect(stderr).toBe(
    "ents: power.csv: 48 values added, 1 restated " +
      `(largest change: power NSW1 from ${old} to ${now} at 2026-01-09T05:00:00+10:00), 1 withdrawn, 1 request, ` +
      "up to 2026-01-11T23:00:00+10:00\n",
  );
  expect(nights.read()).toBe(await nights.readWhole());
});

test("with --quiet it tells nothing", async () => {
  const nights = await createNights();
  expect(await nights.update("-q")).toMatchObject({ code: 0, stderr: "", stdout: "" });
});

test("nothing new is a success", async () => {
  const nights = await createNights();
  nights.goTo(10);
  const { code, stderr } = await nights.update();
  expect({ code, stderr }).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/: 0 values added, 0 restated, 0 withdrawn, 1 request, up to/) as string,
  });
});

test.each([
  [[], "region", "NSW1", "VIC1"],
  [["--shape", "wide"], "region", "NSW1", "VIC1"],
  [["--pivot", "region"], "region", "NSW1", "VIC1"],
])("--changes logs each of them once, with %j", async (flags, ...labels) => {
  const nights = await createNights(flags);
  change(nights.world);
  await nights.update("--changes", "log.csv");
  const rows = nights.read("log.csv").split("\n");
  expect(rows).toHaveLength(4);
  expect(rows[0]).toBe(`seen_at,timestamp,network,metric,${labels[0]},old,new`);
  expect(rows[1]).toMatch(/^2026-01-11T14:00:0\dZ,2026-01-09T05:00:00\+10:00,NEM,power,NSW1,\d+\.\d+,\d+\.\d+$/);
  expect(rows[2]).toMatch(/^2026-01-11T14:00:0\dZ,2026-01-09T07:00:00\+10:00,NEM,power,VIC1,\d+\.\d+,$/);
  nights.goTo(12);
  await nights.update("--changes", "log.csv");
  expect(nights.read("log.csv").split("\n")).toEqual(rows);
  nights.world.model = { ...nights.world.model, series: REGIONS };
  await nights.update("--changes", "log.csv");
  const later = nights.read("log.csv").split("\n");
  expect(later).toHaveLength(5);
  const [, , , , , old, now] = (rows[1] ?? "").split(",");
  expect(later[3]).toMatch(new RegExp(`,NSW1,${now},${old}$`));
});

test("without changes there is no log", async () => {
  const nights = await createNights();
  await nights.update("--changes", "log.csv");
  expect(existsSync(nights.home.path("log.csv"))).toBe(false);
});

test("a label that the log lacks becomes a column of it, as soon as there is a change to log", async () => {
  const nights = await createNights();
  const { world } = nights;
  change(world);
  await nights.update("--changes", "log.csv");
  const [header, ...rows] = nights.read("log.csv").trimEnd().split("\n");
  const [one, other] = world.model.series as [ModelSeries, ModelSeries];
  const added = { ...SERIES, labels: { region: "SA1", fueltech: 'a,"b"' }, present: [[at(11, 12), at(3000, 0)] as const] };
  world.model = { ...world.model, series: [one, other, added] };
  nights.goTo(12);
  expect(await nights.update("--changes", "log.csv")).toMatchObject({ code: 0, stderr: expect.not.stringContaining("log") as string });
  expect(nights.read("log.csv")).toBe([header, ...rows, ""].join("\n"));
  world.model = { ...world.model, series: [one, other, { ...added, base: 90 }] };
  nights.goTo(13);
  // Its last line was cut off.
  writeFileSync(nights.home.path("log.csv"), [header, ...rows].join("\n"));
  expect(await nights.update("--changes", "log.csv")).toMatchObject({ code: 0 });
  expect(nights.read()).toBe(await nights.readWhole());
  const [wider, ...all] = nights.read("log.csv").trimEnd().split("\n");
  expect(wider).toBe("seen_at,timestamp,network,metric,region,fueltech,old,new");
  expect(all.slice(0, rows.length)).toEqual(rows.map((row) => row.replace(/(,[^,]*,[^,]*)$/, ",$1")));
  expect(all).toHaveLength(rows.length + 12);
  for (const row of all.slice(rows.length)) expect(row).toMatch(/,power,SA1,"a,""b""",\d+\.\d+,\d+\.\d+$/);
});

test("a log that cannot be written leaves the file as it is: the next update logs the changes", async () => {
  const nights = await createNights();
  const before = nights.read();
  change(nights.world);
  const full = await nights.update("--changes", "/dev/full");
  expect(full).toMatchObject({ code: 6, stderr: expect.stringContaining("cannot write /dev/full: the disk is full") as string });
  expect(nights.read()).toBe(before);
  await nights.update("--changes", "log.csv");
  expect(nights.read("log.csv").split("\n")).toHaveLength(4);
});

test("a log that is another file is refused before any request; one in a missing folder too", async () => {
  const nights = await createNights();
  const before = nights.service.requests.length;
  writeFileSync(nights.home.path("log.csv"), "date,what\n");
  expectError(await nights.update("--changes", "-"), 2, /--changes - is not a file of its own\n.*--changes changes\.csv/);
  expectError(await nights.update("--changes", "log.csv"), 2, /log\.csv is not a file of changes/);
  expectError(
    await nights.update("--changes", "there/log.csv"),
    6,
    /cannot write there\/log\.csv: its directory does not exist\n {6}create it, or choose another file with --changes/,
  );
  expect(nights.service.requests).toHaveLength(before);
  expect(readFileSync(nights.home.path("log.csv"), "utf8")).toBe("date,what\n");
});

test("a log that is the file itself, or its description, is refused before the first run", async () => {
  const nights = await createNights();
  const { home } = nights;
  symlinkSync("new.csv", home.path("link.csv"));
  for (const log of ["new.csv", "./new.csv", "link.csv", "new.csv.datapackage.json"])
    expectError(await nights.run(...QUERY, "-o", "new.csv", "--update", "--changes", log), 2, /--changes .* is not a file of its own/);
  expect(existsSync(home.path("new.csv"))).toBe(false);
  const inside = await nights.update("--changes", `${FILE}.ents/log.csv`);
  expectError(inside, 2, /--changes .* is not a file of its own/);
});

test("the summary is of the whole output, and the requirements of the part that was fetched", async () => {
  const nights = await createNights();
  const { code, stderr } = await nights.update("--summary", "--require-complete");
  expect({ code, stderr }).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/summary: 2 series, 528 points, no gaps in 264 intervals; /) as string,
  });
  expect(nights.read(FILE)).toBe(await nights.readWhole());
});

test("where the file ends before what a plan gives, the next step is a new one", async () => {
  const nights = await createNights();
  nights.goTo(60);
  nights.world.play = () => refusal(400, "Date start is too far in the past. Your plan allows data from the last 10 days.");
  const before = nights.read();
  const { code, stderr } = await nights.update();
  expect({ code, file: nights.read() === before }).toEqual({ code: 4, file: true });
  expect(stderr).toMatch(
    /\n {6}power\.csv ends before the oldest data that the service still has; to start afresh from \S+, move it and its stored responses away\n/,
  );
});

test("where the file ends later, and --revise goes too far back, the next step is a shorter one", async () => {
  const nights = await createNights();
  nights.goTo(12);
  nights.world.play = () => refusal(400, "Date start is too far in the past. Your plan allows data from the last 5 days.");
  const { code, stderr } = await nights.update("--revise", "8d");
  expect({ code, hint: stderr.includes("\n      use a shorter --revise\n") }).toEqual({ code: 4, hint: true });
});
