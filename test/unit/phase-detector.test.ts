/** What the timestamps of one answer reveal about a service's buckets. */
import { describe, expect, test } from "vitest";
import { type BucketRule, type ListedInterval, INTERVALS } from "../../src/base/intervals.ts";
import { decodeBody } from "../../src/decode/decode.ts";
import { cutQuery, type PlannedWindow, planQuery } from "../../src/plan/plan.ts";
import { isKnown } from "../../src/series/answer.ts";
import type { Instants } from "../../src/series/points.ts";
import type { TimeSeries } from "../../src/series/time-series.ts";
import { createPhaseDetector } from "../../src/series/buckets/phase-detector.ts";
import { bucketStart } from "../../src/time/buckets.ts";
import { NOW, queryOf } from "../plan/queries.ts";

const DAY = 86_400_000;
const HOUR = DAY / 24;
const START = Date.UTC(2025, 0, 1);
const MANY = 230_000;
/** Nothing is learned, as the buckets are those of the plan. */
const OURS = { start: undefined, warnings: 0 };

interface Said {
  readonly network: string;
  readonly interval?: ListedInterval;
  readonly start?: number;
  readonly stamps: readonly string[];
  readonly offset?: string | null;
}

function decodeSeries({ network, stamps, offset }: Said): readonly TimeSeries[] {
  const item = {
    network_code: network,
    metric: "power",
    unit: "MW",
    ...(offset === undefined ? {} : { network_timezone_offset: offset }),
    results: [{ name: "power", columns: {}, data: stamps.map((stamp) => [stamp, 1]) }],
  };
  const answer = decodeBody(Buffer.from(JSON.stringify({ version: "4", created_at: "2025-02-01T00:00:00Z", success: true, data: [item] })));
  return isKnown(answer) ? answer.timeSeries : [];
}

/** The start of the bucket that contains noon of 5 January, as learned from the first of several answers, and the warnings. */
function learn(said: Said, timeSeries = decodeSeries(said)): { start: string | undefined; warnings: number } {
  const { network, interval = "1d", start = START } = said;
  const query = queryOf({ start, end: START + 400 * DAY }, interval, { network });
  const plan = planQuery(query, { now: NOW, maxWindow: { amount: 40, unit: "days" } });
  const warnings: string[] = [];
  const [window] = plan.windows;
  const rule = window && createPhaseDetector((text) => void warnings.push(text))({ plan, window, timeSeries });
  const bucket = rule && bucketStart(rule, START + 4 * DAY + 12 * HOUR);
  return { start: bucket === undefined ? undefined : new Date(bucket).toISOString().slice(5, 16), warnings: warnings.length };
}

const daily = (clock: string) => [1, 2, 3, 4].map((day) => `2025-01-0${day}T${clock}`);

describe("the clock is that of the requested network", () => {
  test.each<[name: string, said: Said, learned: ReturnType<typeof learn>]>([
    ["by its code", { network: "WEM", stamps: daily("00:00:00+10:00") }, { start: "01-04T22:00", warnings: 0 }],
    ["by its code, whatever the answer says", { network: "WEM", offset: "+10:00", stamps: daily("00:00:00+08:00") }, OURS],
    ["by the answer's offset", { network: "XX", offset: "+09:30", stamps: daily("14:30:00Z") }, OURS],
    ["by the timestamps' offset", { network: "XX", stamps: daily("00:00:00+09:30") }, OURS],
    ["by the timestamps' offset, where the answer's is null", { network: "XX", offset: null, stamps: daily("00:00:00+09:30") }, OURS],
    ["by the timestamps' offset, at six", { network: "XX", stamps: daily("06:00:00+09:30") }, { start: "01-05T06:00", warnings: 0 }],
    ["unknown: nothing can be learned", { network: "XX", stamps: daily("14:30:00Z") }, { start: undefined, warnings: 1 }],
    ["unknown, and timestamps at midnight of UTC", { network: "XX", stamps: daily("00:00:00Z") }, OURS],
  ])("%s", (_, said, learned) => {
    expect(learn(said)).toEqual(learned);
  });

  test("one that joins networks of two clocks: days that start at different times", () => {
    const both = [
      ...decodeSeries({ network: "NEM", stamps: daily("00:00:00+10:00") }),
      ...decodeSeries({ network: "WEM", stamps: daily("00:00:00+08:00") }),
    ];
    expect(learn({ network: "AU", stamps: [] }, both)).toEqual({ start: undefined, warnings: 1 });
  });
});

describe("the first and the last timestamp", () => {
  const six = START + 6 * HOUR;

  test.each<[name: string, said: Said, learned: ReturnType<typeof learn>]>([
    [
      "are passed over where there are others",
      { network: "NEM", stamps: ["2025-01-01T03:00:00+10:00", ...daily("06:00:00+10:00"), "2025-01-05T09:00:00+10:00"] },
      { start: "01-05T06:00", warnings: 0 },
    ],
    [
      "count where they agree",
      { network: "NEM", stamps: ["2025-01-02T06:00:00+10:00", "2025-01-03T06:00:00+10:00"] },
      { start: "01-05T06:00", warnings: 0 },
    ],
    [
      "do not count at the window's start",
      { network: "NEM", start: six, stamps: ["2025-01-01T06:00:00+10:00", "2025-01-02T00:00:00+10:00"] },
      OURS,
    ],
    [
      "count at the window's start where there are no others",
      { network: "NEM", start: six, stamps: ["2025-01-01T06:00:00+10:00"] },
      { start: "01-05T06:00", warnings: 0 },
    ],
    [
      "are told where they disagree",
      { network: "NEM", stamps: ["2025-01-01T03:00:00+10:00", "2025-01-02T04:00:00+10:00"] },
      { start: undefined, warnings: 1 },
    ],
    ["teach nothing where there are none", { network: "NEM", stamps: [] }, OURS],
  ])("%s", (_, said, learned) => {
    expect(learn(said)).toEqual(learned);
  });
});

test("what the window's start alone suggests gives way to the next response", () => {
  const warnings: string[] = [];
  const detect = createPhaseDetector((text) => void warnings.push(text));
  const observe = (bucket: BucketRule, stamps: readonly string[]) => {
    const query = queryOf({ start: START + 6 * HOUR, end: START + 400 * DAY }, "1d", { network: "NEM" });
    const plan = cutQuery({ ...query, interval: "1d" }, { maxWindow: { amount: 40, unit: "days" }, bucket }, NOW);
    return detect({ plan, window: plan.windows[0] as PlannedWindow, timeSeries: decodeSeries({ network: "NEM", stamps }) });
  };
  const ours = INTERVALS["1d"].bucket;
  const guessed = observe(ours, ["2025-01-01T06:00:00+10:00"]);
  expect(guessed && bucketStart(guessed, START)).toBe(START - 18 * HOUR);
  const learned = observe(guessed ?? ours, daily("00:00:00+10:00"));
  expect(learned && bucketStart(learned, START)).toBe(START);
  expect([observe(learned ?? ours, daily("00:00:00+10:00")), warnings]).toEqual([undefined, []]);
});

test("reads a few timestamps of a long answer", () => {
  let reads = 0;
  const instants = new Proxy(new Float64Array(MANY), {
    get: (target, name) => {
      if (typeof name === "string" && /^\d+$/.test(name)) return (reads++, START - 10 * HOUR + 120_000 + Number(name) * 300_000);
      const value: unknown = Reflect.get(target, name, target);
      return name === "at" ? (index: number) => instants[index < 0 ? MANY + index : index] : value;
    },
  }) as Instants;
  const [item] = decodeSeries({ network: "NEM", interval: "5m", stamps: daily("00:00:00+10:00") });
  if (!item) throw new Error("no series");
  const series = item.series.map((one) => ({ ...one, points: { stamps: Array<string>(MANY).fill("stamp"), instants, values: [] } }));
  expect(learn({ network: "NEM", interval: "5m", stamps: [] }, [{ ...item, series }])).toEqual({ start: "01-05T11:57", warnings: 0 });
  expect(reads).toBeLessThan(500);
});
