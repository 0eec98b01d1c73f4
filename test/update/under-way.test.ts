/** Values that may still change: of an interval under way, and of forecasts. */
import { expect, test } from "vitest";
import { createNights, createSeries, type Nights, readChanges, REGIONS } from "./nights.ts";

/** What a run says it has added, restated, withdrawn and held back. */
async function countAt(nights: Nights, day: number) {
  const { stderr } = await nights.night(day);
  const [, ...counts] = /: (\d+) values? added, (\d+) restated.*?, (\d+) withdrawn(?:, (\d+) held)?/.exec(stderr) ?? [];
  return counts.map((text) => Number(text ?? 0));
}

const DAILY = "network NEM -m power -i 1d -s 2026-01-01 -g region".split(" ");

test("a value of the day under way is added once, and restated by no run", async () => {
  const nights = await createNights([], REGIONS, { query: DAILY, interval: "1d" });
  expect(await countAt(nights, 10.5)).toEqual([2, 0, 0, 0]);
  nights.change({ series: REGIONS.map((one) => ({ ...one, base: 99 })) });
  expect((await nights.night(10.8)).stderr).toMatch(/: 0 values added, 20 restated /);
  expect(readChanges(nights.kept).filter(([timestamp]) => timestamp.startsWith("2026-01-11"))).toEqual([]);
  expect(nights.read()).toBe(await nights.readWhole());
});

test("a value of the day under way that the service takes back is withdrawn the second time, and logged", async () => {
  const nights = await createNights([], REGIONS, { query: DAILY, interval: "1d" });
  await nights.night(10.3);
  nights.change({ series: [REGIONS[0]!, createSeries("VIC1", [10, 3000])] });
  expect(await countAt(nights, 10.4)).toEqual([0, 0, 0, 1]);
  expect(await countAt(nights, 10.7)).toEqual([0, 0, 1, 0]);
  expect(readChanges(nights.kept)).toEqual([
    ["2026-01-11T00:00:00+10:00", "NEM", "power", { region: "VIC1" }, expect.stringMatching(/^\d/) as string, null],
  ]);
  expect(await countAt(nights, 11.1)).toEqual([1, 0, 0, 0]);
  expect(nights.read()).toBe(await nights.readWhole());
});

const FORECAST = "market NEM -m solar_rooftop_forecast -i 1h -s 2026-01-01 -g region".split(" ");
/** Hours ahead, by region. */
const forecast = (until: number, other = until) =>
  [until, other].map((end, index) => ({
    ...createSeries(index === 0 ? "NSW1" : "VIC1", [end, 3000]),
    metric: "solar_rooftop_forecast",
  }));

test("a forecast whose newest run lacks a region: it is held back, withdrawn the second time, and comes back", async () => {
  const nights = await createNights(["--max-window", "4d"], forecast(18), { query: FORECAST, interval: "1h" });
  nights.change({ series: forecast(18, 10.5) });
  expect(await countAt(nights, 10.6)).toEqual([0, 0, 0, 180]);
  expect(await countAt(nights, 11)).toEqual([0, 0, 180, 0]);
  nights.change({ series: forecast(19) });
  expect(await countAt(nights, 11.3)).toEqual([228, 0, 0, 0]);
  expect(nights.read()).toBe(await nights.readWhole());
});

test("a forecast whose newest run reaches less far, so that a later part has no value: no failure, and withdrawn the second time", async () => {
  const nights = await createNights(["--max-window", "4d"], forecast(18), { query: FORECAST, interval: "1h" });
  nights.change({ series: forecast(11.5) });
  const { stderr } = await nights.night(10.2);
  expect(stderr).toContain("note: could not fetch 2026-01-15 to ");
  expect(stderr).toMatch(/: 0 values added, 0 restated, 0 withdrawn, 120 held back/);
  expect(await countAt(nights, 10.6)).toEqual([0, 0, 312, 0]);
  nights.change({ series: forecast(12) });
  expect(await countAt(nights, 11)).toEqual([24, 0, 0, 0]);
  expect(nights.read()).toBe(await nights.readWhole());
});

test("a newer run of a forecast replaces an older one from its first value to its last", async () => {
  const nights = await createNights(["--max-window", "4d"], forecast(11.5), { query: FORECAST, interval: "1h" });
  nights.change({
    series: forecast(11.5).map((one) => ({ ...one, present: createSeries("", [10.5, 10.75], [11.5, 3000]).present })),
  });
  expect(await countAt(nights, 10.1)).toEqual([0, 0, 12, 0]);
  expect(nights.read()).toBe(await nights.readWhole());
});
