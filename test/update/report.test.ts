/** What an update reports: one line, and the changes in its journal. */
import { mkdirSync, rmSync } from "node:fs";
import { expect, test } from "vitest";
import { DAY, HOUR } from "../../src/time/local-time.ts";
import { STEP } from "../merge/model-intervals.ts";
import { createNights, FILE, NO_DATA, readChanges, readJournal, REGIONS, START } from "./nights.ts";
import { add, subtract, type World } from "./world.ts";

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
      `(largest change: power NSW1 from ${old} to ${now} at 2026-01-09T05:00:00+10:00), 0 withdrawn, 1 held back for a second night, 1 request, ` +
      "up to 2026-01-11T23:00:00+10:00\n",
  );
  expect(nights.read().split("\n").length).toBe((await nights.readWhole()).split("\n").length + 1);
});

test("the journal has each change once: what is restated, withdrawn and restored, with the last in front of its run", async () => {
  const nights = await createNights();
  change(nights.world);
  await nights.update();
  const [[timestamp, , metric, labels, old, now] = []] = readChanges(nights.kept);
  expect([timestamp, metric, labels]).toEqual(["2026-01-09T05:00:00+10:00", "power", { region: "NSW1" }]);
  await nights.night(12);
  expect(readChanges(nights.kept).slice(1)).toEqual([
    ["2026-01-09T07:00:00+10:00", "NEM", "power", { region: "VIC1" }, expect.stringMatching(/^\d+\.\d+$/), null],
  ]);
  await nights.night(13);
  expect(readChanges(nights.kept)).toHaveLength(2);
  nights.change({ series: REGIONS });
  await nights.night(14);
  expect(readChanges(nights.kept).slice(2)).toEqual([[timestamp, "NEM", metric, labels, now, old]]);
});

test.each([FILE, "set"])(
  "a run whose output cannot take its place is not in the journal, and what it restated is told by the next one: %s",
  async (file) => {
    const isSet = file !== FILE;
    const nights = await createNights(isSet ? ["--partition", "year", "-f", "csv"] : [], REGIONS, { file });
    const path = nights.home.path(isSet ? "set/year=2026/data.csv" : FILE);
    const { length } = readJournal(nights.kept);
    change(nights.world);
    // While the run goes on, a folder comes where the file was.
    nights.fail(NO_DATA, () => {
      rmSync(path, { recursive: true, force: true });
      mkdirSync(`${path}/full`, { recursive: true });
      return false;
    });
    expect(await nights.update()).toMatchObject({ code: 6 });
    expect(readJournal(nights.kept)).toHaveLength(length);
    nights.recover();
    rmSync(path, { recursive: true });
    expect((await nights.night(11)).stderr).toMatch(/: 48 values added, 1 restated /);
    expect(readChanges(nights.kept)).toHaveLength(1);
  },
);

test("the summary is of the whole output, and the requirements of the part that was fetched", async () => {
  const nights = await createNights();
  const { code, stderr } = await nights.update("--summary", "--require-complete");
  expect({ code, stderr }).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/summary: 2 series, 528 points, no gaps in 264 intervals; /) as string,
  });
  expect(nights.read(FILE)).toBe(await nights.readWhole());
});
