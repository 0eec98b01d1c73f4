import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findWindowLimits } from "../../src/plan/limits.ts";
import { listRequests, type Plan, planQuery } from "../../src/plan/plan.ts";
import { buildQuery } from "../../src/query/build-query.ts";
import { formatLocalTime } from "../../src/time/local-time.ts";
import type { ListedInterval } from "../../src/base/intervals.ts";
import { intervals, nastyTexts } from "../unit/generators.ts";
import { type Cutting, cutByWalking, cuttings, NEM_NOW, NOW, queryOf, readParameters } from "./queries.ts";
import { draws } from "../support/extent.ts";
import { CALENDAR_INTERVALS, FIXED_INTERVALS, listDays } from "../support/intervals.ts";

const FACTS = { now: NOW, maxWindow: undefined };

function pathsOf(plan: Plan): string[] {
  return listRequests(plan).map(({ path }) => path);
}

test.each(Object.entries(listDays("community", FIXED_INTERVALS)) as [ListedInterval, number][])(
  "by default, %s takes a window of %d days and not a second more",
  (interval, days) => {
    expect(findWindowLimits(interval, undefined).maxWindow).toEqual({ amount: days, unit: "days" });
    const [start, length] = [Date.UTC(2001, 6), days * 86_400_000];
    const count = (end: number) => planQuery(queryOf({ start, end }, interval), FACTS).windows.length;
    expect(count(start + length)).toBe(1);
    expect(count(start + length + 1000)).toBe(2);
  },
);

test.each(CALENDAR_INTERVALS)("by default, %s takes any window", (interval) => {
  const query = queryOf({ start: Date.UTC(1998, 11, 7), end: Date.UTC(2026, 2, 14) }, interval);
  expect(planQuery(query, FACTS).windows).toHaveLength(1);
  const open = queryOf({ start: Date.UTC(1998, 11, 7), end: undefined }, interval);
  expect(planQuery(open, FACTS).windows).toHaveLength(1);
  const year = { amount: 1, unit: "years" } as const;
  expect(planQuery(query, { ...FACTS, maxWindow: year }).windows.length).toBeGreaterThan(20);
});

const words = nastyTexts.filter((text) => text.trim() === text && text !== "" && !/[,#@\n\r]/.test(text));

const networks = words.filter((text) => !/^\.+$|[\s\\\p{Cc}]/u.test(text));

describe("a window that fits", () => {
  const input = fc.record(
    {
      interval: intervals,
      networkRegion: fc.tuple(words),
      fueltech: fc.uniqueArray(words, { minLength: 1, maxLength: 3 }),
      fueltechGroup: fc.uniqueArray(words, { minLength: 1, maxLength: 3 }),
      primaryGrouping: fc.constantFrom("network", "network_region"),
      secondaryGrouping: fc.constantFrom("fueltech", "status"),
      dateStart: fc.constantFrom("2025-03-01", "2025-03-01T05:07:30", "2025-03"),
      dateEnd: fc.constantFrom("2025-03-07", "2025-03-07T12:00", "2025-03-06T23:59:59"),
    },
    { requiredKeys: [] },
  );
  const STARTS: Record<string, string> = { "2025-03-01T05:07:30": "2025-03-01T05:07:30" };
  const ENDS: Record<string, string> = {
    "2025-03-07": "2025-03-07T23:59:59",
    "2025-03-07T12:00": "2025-03-07T12:00:00",
  };

  test("is one request with exactly the user's parameters, in their order", () => {
    fc.assert(
      fc.property(input, networks, (asked, network) => {
        const { query } = buildQuery({
          command: "network",
          network,
          input: { metrics: ["power", "energy"], ...asked },
          now: NOW,
        });
        const sent: [string, string | undefined][] = [
          ["metrics", "power"],
          ["metrics", "energy"],
          ["interval", asked.interval],
          ["date_start", asked.dateStart && (STARTS[asked.dateStart] ?? "2025-03-01T00:00:00")],
          ["date_end", asked.dateEnd && (ENDS[asked.dateEnd] ?? "2025-03-06T23:59:59")],
          ["network_region", asked.networkRegion?.[0]],
          ...(asked.fueltech ?? []).map((code): [string, string] => ["fueltech", code]),
          ...(asked.fueltechGroup ?? []).map((code): [string, string] => ["fueltech_group", code]),
          ["primary_grouping", asked.primaryGrouping],
          ["secondary_grouping", asked.secondaryGrouping],
        ];
        const given = sent.filter((pair): pair is [string, string] => pair[1] !== undefined);
        const fits =
          asked.dateEnd !== undefined || asked.dateStart === undefined ? query : { ...query, interval: undefined };
        expect(pathsOf(planQuery(fits, FACTS))).toEqual([
          `/v4/data/network/${encodeURIComponent(network)}?${new URLSearchParams(given)}`,
        ]);
      }),
    );
  });

  test("goes to the path of its command", () => {
    const path = (command: "network" | "facilities" | "market") => {
      const { query } = buildQuery({ command, network: "WEM", input: { metrics: ["power"] }, now: NOW });
      return pathsOf(planQuery(query, FACTS));
    };
    expect(path("network")).toEqual(["/v4/data/network/WEM?metrics=power"]);
    expect(path("facilities")).toEqual(["/v4/data/facilities/WEM?metrics=power"]);
    expect(path("market")).toEqual(["/v4/market/network/WEM?metrics=power"]);
  });
});

describe("a window in parts", () => {
  const longer = cuttings.filter((cutting) => (cutByWalking(cutting)?.length ?? 0) > 0);

  test("changes nothing in a request but the window", () => {
    const check = ({ interval, start, end, maxWindow }: Cutting) => {
      const query = queryOf({ start, end }, interval);
      const whole = readParameters({ path: pathsOf(planQuery(query, { now: NOW, maxWindow: "none" }))[0] as string });
      for (const { window, requests } of planQuery(query, { now: NOW, maxWindow }).windows) {
        const ends: Record<string, string> = { date_start: local(window.start), date_end: local(window.end) };
        expect(requests.map(readParameters)).toEqual([whole.map(([name, value]) => [name, ends[name] ?? value])]);
      }
    };
    fc.assert(fc.property(longer, check), { numRuns: draws(30, 300) });
  });

  test("has no end in its last part if the user gave none, and one in the same place in all others", () => {
    const query = queryOf({ start: NEM_NOW - 30 * 86_400_000, end: undefined }, "5m");
    const names = planQuery(query, FACTS).windows.map(({ requests }) =>
      requests.flatMap(readParameters).map(([name]) => name),
    );
    const closed = [
      "metrics",
      "metrics",
      "interval",
      "date_start",
      "date_end",
      "network_region",
      "fueltech",
      "fueltech",
    ];
    expect(names).toEqual([closed, closed, closed, closed, closed.filter((name) => name !== "date_end")]);
  });

  test("is one part if the network's clock is unknown and the end is open, or the service chooses the interval", () => {
    const window = { start: Date.UTC(2020, 0), end: undefined };
    expect(planQuery(queryOf(window, "5m", { network: "XX" }), FACTS).windows).toHaveLength(1);
    expect(
      planQuery(queryOf({ ...window, end: Date.UTC(2020, 1) }, "5m", { network: "XX" }), FACTS).windows,
    ).toHaveLength(5);
    expect(planQuery(queryOf({ ...window, end: Date.UTC(2025, 0) }, undefined), FACTS).windows).toHaveLength(1);
    expect(planQuery(queryOf(window, undefined), FACTS).windows).toHaveLength(1);
  });
});

function local(time: number | undefined): string {
  return formatLocalTime(time as number);
}
