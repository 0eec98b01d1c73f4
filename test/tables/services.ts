/** The scripted services of the tables in this folder: what the sandbox does not have. */
import type { Script } from "../support/scripted-service.ts";

const HOUR = 3_600_000;
/** 25 November 2026, 12:00 in the network. */
const NOON = Date.UTC(2026, 10, 25, 12);

interface Item {
  readonly metric: string;
  readonly unit: string;
  readonly interval: string;
  readonly series: readonly (readonly [
    labels: Readonly<Record<string, unknown>>,
    points: readonly (readonly [string, number | null])[],
  ])[];
}

function answer(items: readonly Item[]): Script {
  const data = items.map(({ series, ...item }) => ({
    network_code: "NEM",
    ...item,
    network_timezone_offset: "+10:00",
    groupings: [],
    results: series.map(([columns, points], index) => ({ name: `series ${index}`, columns, data: points })),
  }));
  const body = {
    version: "4.5.17",
    created_at: "2026-11-25T03:00:00+00:00",
    success: true,
    error: null,
    data,
    total_records: null,
  };
  return () => ({ body });
}

/** Points of the hours up to noon, and beyond it if `ahead`. */
function hours(
  count: number,
  valueOf: (hour: number) => number | null,
  ahead = 0,
): (readonly [string, number | null])[] {
  return Array.from({ length: count }, (_, index) => {
    const at = NOON + (index - count + 1 + ahead) * HOUR;
    return [`${new Date(at).toISOString().slice(0, 19)}+10:00`, valueOf(index)] as const;
  });
}

const REGIONS = ["NSW1", "QLD1", "SA1", "TAS1", "VIC1"];
const ROUND = (value: number) => Math.round(value * 100) / 100;
const wave = (hour: number, phase: number) => Math.sin((hour + phase) / 4);

export const TABLE_SERVICES: Readonly<Record<string, Script>> = {
  /** Ordinary prices, with one of 20,300 and one of -1,000 two days ago. */
  spikes: answer([
    {
      metric: "price",
      unit: "$/MWh",
      interval: "1h",
      series: REGIONS.map((region, phase) => [
        { region },
        hours(72, (hour) =>
          hour === 30 + phase ? 20_300 : hour === 40 + phase ? -1000 : ROUND(60 + 40 * wave(hour, phase)),
        ),
      ]),
    },
  ]),
  /** Nulls in the newest hours, an hour that is missing, and a region that ended a day ago. */
  gaps: answer([
    {
      metric: "demand",
      unit: "MW",
      interval: "1h",
      series: REGIONS.map((region, phase) => [
        { region },
        hours(48, (hour) => (hour > 45 - phase ? null : ROUND(5000 + 900 * wave(hour, phase)))).filter(
          (_, hour) => hour !== 43 && (region !== "TAS1" || hour < 24),
        ),
      ]),
    },
  ]),
  "5000-units": answer([
    {
      metric: "energy",
      unit: "MWh",
      interval: "1d",
      series: Array.from({ length: 5000 }, (_, unit) => [
        { unit_code: `UNIT${unit}` },
        Array.from(
          { length: 7 },
          (__, day) => [`2026-11-${18 + day}T00:00:00+10:00`, ROUND(((unit * 37) % 977) + day)] as const,
        ),
      ]),
    },
  ]),
  forecast: answer([
    {
      metric: "solar_rooftop_forecast",
      unit: "MW",
      interval: "1h",
      series: REGIONS.map((region, phase) => [
        { region },
        hours(48, (hour) => ROUND(Math.max(0, 900 * wave(hour, phase))), 36),
      ]),
    },
  ]),
  "long-names": answer([
    {
      metric: "generation_renewable_with_storage_energy",
      unit: "MWh",
      interval: "1h",
      series: ["an_embedded_network_of_the_far_north", "電力網の北部地方", "south"].map((zone, phase) => [
        { zone },
        hours(24, (hour) => ROUND(100 + 40 * wave(hour, phase))),
      ]),
    },
  ]),
  /** Text among the values, and numbers that no table can round. */
  odd: answer([
    {
      metric: "power",
      unit: "MW",
      interval: "1h",
      series: ["a", "b"].map((fueltech, phase) => [
        { fueltech },
        hours(30, (hour) => (hour === 28 ? 1e300 : hour === 12 ? 1.5e-12 : ROUND(4 * wave(hour, phase)))),
      ]),
    },
  ]),
};
