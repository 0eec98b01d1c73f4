/** Forecasts of rooftop solar in the sandbox. */
import { expect, test } from "vitest";
import { ask, askRaw, startStill } from "./ask.ts";

const HOUR = 3_600_000;
/** 14:10 in the NEM. */
const NOW = Date.parse("2026-11-20T14:10:00+10:00");
const METRIC = "solar_rooftop_forecast";
const NEM = "/market/network/NEM";

const timestampOf = (instant: number) => `${new Date(instant + 10 * HOUR).toISOString().slice(0, 19)}+10:00`;
const startAt = (now: number) => startStill({ now: () => now });

test("are half-hourly, for the NEM alone", async () => {
  const sandbox = await startAt(NOW);
  const [fine] = await ask(sandbox, NEM, {
    metrics: METRIC,
    interval: "5m",
    date_start: "2026-11-20",
    date_end: "2026-11-21",
  });
  const values = fine?.results[0]?.data.map(([, value]) => value) ?? [];
  expect(values).toHaveLength(24 * 12 + 1);
  for (const [index, value] of values.entries()) expect(value).toBe(values[index - (index % 6)]);
  const hours = await ask(sandbox, NEM, {
    metrics: METRIC,
    interval: "30m",
    date_start: "2026-11-20",
    date_end: "2026-11-20T23:59:59",
  });
  expect(hours[0]?.results[0]?.data.map(([, value]) => value)).toEqual(
    values.slice(0, -1).filter((_, index) => index % 6 === 0),
  );
  expect((await askRaw(sandbox, "/market/network/WEM", { metrics: METRIC })).status).toBe(404);
  await sandbox.close();
});

test("begin by default where measured data end, and reach eight days ahead", async () => {
  const sandbox = await startAt(NOW);
  const [forecast, demand] = await ask(sandbox, NEM, { metrics: [METRIC, "demand"], interval: "5m" });
  expect(forecast).toMatchObject({ date_start: "2026-11-20T14:05:00+10:00", date_end: "2026-11-28T13:55:00+10:00" });
  expect(demand).toMatchObject({ date_start: "2026-11-16T14:05:00+10:00", date_end: "2026-11-20T14:05:00+10:00" });
  await sandbox.close();
});

test("name the newest run that was used, since October 2026", async () => {
  const sandbox = await startAt(NOW);
  const runOf = async (date_start: string, date_end: string) => {
    const [item] = await ask(sandbox, NEM, { metrics: METRIC, date_start, date_end });
    return (item as { forecast_run_time?: unknown } | undefined)?.forecast_run_time;
  };
  expect(await runOf("2026-11-20T15:00", "2026-11-22")).toBe("2026-11-20T14:00:00+10:00");
  expect(await runOf("2026-11-20T10:00", "2026-11-20T12:55")).toBe("2026-11-20T12:30:00+10:00");
  expect(await runOf("2026-09-20", "2026-09-21")).toBeNull();
  expect(await ask(sandbox, NEM, { metrics: "demand" })).not.toHaveProperty("0.forecast_run_time");
  await sandbox.close();
});

test("are issued every half hour: a run stays as it is until the next one", async () => {
  const window = { metrics: METRIC, interval: "30m", date_start: "2026-11-22", date_end: "2026-11-23" };
  const read = async (now: number) => {
    const sandbox = await startAt(now);
    const data = await ask(sandbox, NEM, window);
    await sandbox.close();
    return data;
  };
  expect(await read(NOW)).toEqual(await read(Date.parse("2026-11-20T14:29:59+10:00")));
  const next = await read(Date.parse("2026-11-20T14:30:00+10:00"));
  expect(next).not.toEqual(await read(NOW));
  expect(next[0]).toMatchObject({ forecast_run_time: timestampOf(NOW + 20 * 60_000) });
});
