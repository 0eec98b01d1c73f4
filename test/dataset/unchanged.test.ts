/** An update that leaves files as they are, and does not read what they are made from, does what one that reads all does. */
import { cpSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { ModelSeries } from "../merge/fake-service.ts";
import { DAY, HOUR } from "../../src/time/local-time.ts";
import { createChance } from "../support/chance.ts";
import { draws } from "../support/extent.ts";
import { createHome } from "../support/run-ents.ts";
import { at, createNights, createSeries, type Nights, NO_DATA, START } from "../update/nights.ts";
import { restate } from "../update/histories.ts";
import { readData, readFiles } from "./datasets.ts";

const QUERY = "network NEM -m power -i 1h -s 2026-01-01 -g region --max-window 2d --revise 1d --concurrency 1".split(
  " ",
);

const AS_FILES = ["-f", "csv", "--partition", "day"];

const KEPT = "the files of the others are as they were";

/** The files, as text, and the last run in the journal. */
function readAll(folder: string): Record<string, unknown> {
  const files = Object.entries(readFiles(folder)).map(([path, bytes]) => [path, bytes.toString("latin1")] as const);
  const lines = readFileSync(`${folder}/.ents/journal.ndjson`, "utf8").trim().split("\n");
  // What lacks a series is only asked for earlier than others.
  return {
    files: Object.fromEntries(files) as unknown,
    run: { ...(JSON.parse(lines.at(-1) ?? "") as object), at: 0, lacking: [] },
  };
}

/** Runs a night of the output, and the same night of a copy whose journal does not vouch for its description. */
async function compareNight(nights: Nights, days: number, flags: readonly string[] = []): Promise<boolean> {
  const copy = createHome();
  cpSync(nights.home.folder, copy.folder, { recursive: true });
  const journal = copy.path("set/.ents/journal.ndjson");
  writeFileSync(journal, readFileSync(journal, "utf8").replaceAll(/"hash":"[^"]*"/g, '"hash":""'));
  const { stderr } = await nights.night(days, "-v", ...flags);
  const command = flags.includes("-e") ? [...QUERY, "-o", "set", "--update", ...AS_FILES] : ["update", "set"];
  const whole = await nights.runIn(copy, [...command, "-v", ...flags]);
  expect(whole.stderr).not.toContain(KEPT);
  expect(readAll(nights.home.path("set"))).toEqual(readAll(copy.path("set")));
  return stderr.includes(KEPT);
}

const create = (series: readonly ModelSeries[], model: object = {}) =>
  createNights(AS_FILES, series, { file: "set", query: QUERY, first: 24, ...model });

/** A null that shows that gaps are filled. */
const FILLED = { nulls: [[at(1), at(1.5)] as const] };

test("histories of restated, new, ended and interrupted series, with gaps that are filled or not", async () => {
  let [kept, nightly] = [0, 0];
  for (let seed = 1; seed <= draws(1, 200, 30); seed++) {
    const chance = createChance(seed);
    const hole = () => {
      const from = chance.random() * 28;
      return [from, from + chance.random() * 6] as const;
    };
    const fillsGaps = chance.oneIn(2);
    // Shows whether gaps are filled.
    const all = fillsGaps ? { ...createSeries("ALL"), ...FILLED } : createSeries("ALL", [6, 6.5]);
    const series = ["NSW1", "QLD1", "SA1", "VIC1"].map((region, index) => {
      const one = createSeries(
        region,
        ...(chance.oneIn(2) ? [hole()] : []),
        ...(chance.oneIn(4) ? [[0, 9] as const] : []),
      );
      return { ...one, base: index * 20, ...(chance.oneIn(3) ? { nulls: [[at(3), at(5)] as const] } : {}) };
    });
    const late = { ...createSeries("TAS1", [-10, 25 + chance.random() * 6]), base: 100 };
    const own = chance.oneIn(3) ? [all, ...series, late] : [all, ...series];
    const nights = await create(own, { fillsGaps, inclusiveEnd: chance.oneIn(2) });
    const scale = { revise: "2d", reviseMs: 2 * DAY, bucket: HOUR, cut: "3d", period: "day" } as const;
    const history = { world: nights.world, chance, scale, start: START, ended: Number.POSITIVE_INFINITY };
    for (let day = 25; day < 30; day++) {
      if (chance.oneIn(2)) restate(history);
      if (chance.oneIn(3)) {
        const path = nights.home.path(`set/${chance.pick(Object.keys(readData(nights.home.path("set"))))}`);
        (chance.oneIn(2) ? rmSync : truncateSync)(path);
      }
      const flags = chance.oneIn(4) ? ["--recheck", "all"] : [];
      kept += Number(await compareNight(nights, day + chance.random(), flags));
      nightly += 1;
    }
  }
  expect(kept / nightly).toBeGreaterThan(0.3);
});

test("what a night that has nothing confirms to be gone goes from its file", async () => {
  const other = { ...createSeries("VIC1"), ...FILLED };
  const nights = await create([createSeries("NSW1"), other]);
  nights.change({ series: [createSeries("NSW1", [4, 5]), other] });
  await compareNight(nights, 25, ["--recheck", "all"]);
  nights.fail(NO_DATA, (_, url) => url.includes("date_start=2026-01-05"));
  await compareNight(nights, 26);
  expect(nights.read("set/year=2026/month=01/day=05/data.csv")).toContain("T00:00:00+10:00,NEM,power,MW,NSW1,\n");
  for (const days of [26.5, 27, 28]) await compareNight(nights, days);
});

test("a newest response that is lost is missed, although an older one of its time is there", async () => {
  const other = { ...createSeries("VIC1"), ...FILLED };
  const nights = await create([createSeries("NSW1"), other], { query: [...QUERY, "--recheck", "0"] });
  nights.change({ series: [{ ...createSeries("NSW1", [23, 24]), base: 70 }, other] });
  await compareNight(nights, 25.9);
  const names = readdirSync(nights.kept).filter((name) => name.startsWith("2026-01-23T0000_"));
  rmSync(`${nights.kept}/${names.at(-1)}`);
  expect([names.length, await compareNight(nights, 26.05)]).toEqual([2, false]);
});

test("the name of the folder may be spelled in another way, and it says how much is read", async () => {
  const nights = await create([{ ...createSeries("NSW1"), ...FILLED }]);
  nights.goTo(25);
  const { stderr } = await nights.run(...QUERY, "-o", "set/", "--update", ...AS_FILES, "-v");
  expect(stderr).toContain(`read 5 of 13 segments: ${KEPT}`);
  expect((await nights.run("update", "set", "-v")).stderr).toContain(KEPT);
});

test("an end that moves on leaves the files before it as they are; one that moves back cuts the last", async () => {
  const nights = await create([{ ...createSeries("NSW1"), ...FILLED }]);
  const ends = [
    [25, "2026-01-24", false],
    [26, "2026-01-25", true],
    [26.5, "2026-01-25", true],
    [28, "2026-01-22T11:00", false],
    [29, "2026-01-27T12:00", true],
    [29.5, "2030-01-01", true],
  ] as const;
  for (const [days, end, isKept] of ends)
    expect([end, await compareNight(nights, days, ["-e", end])]).toEqual([end, isKept]);
});

test("a unit that ended long ago is not missing, although nothing of it is read", async () => {
  const units = [["A1"], ["B1", [4, 3000]]] as const;
  const series = units.map(([unit_code, hole]) => ({
    ...createSeries("", ...(hole ? [hole] : [])),
    labels: { unit_code },
    ...FILLED,
  }));
  const query =
    "facilities NEM -m power -i 1h -s 2026-01-01 --unit-code A1 B1 --max-window 2d --revise 1d --recheck 0".split(" ");
  const nights = await create(series, { query });
  const { stderr } = await nights.night(25, "-v");
  expect(stderr).toContain(KEPT);
  expect(stderr).not.toContain("no data came");
});
