import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { listRequests, planQuery } from "../../src/plan/plan.ts";
import { buildQuery } from "../../src/query/build-query.ts";
import type { Parameter } from "../../src/query/parameters.ts";
import type { Query } from "../../src/query/query.ts";
import { NOW, readParameters } from "./queries.ts";

const MOST = 30;
/** How far 1 January 2025 is into its eight-day part of the calendar. */
const DAYS_INTO_PART = (Date.UTC(2025, 0) / 86_400_000) % 8;

const counts = fc.oneof(fc.integer({ min: 0, max: 130 }), fc.constantFrom(1, 29, 30, 31, 59, 60, 61, 90));
const codes = (prefix: string) =>
  counts.map((count) => Array.from({ length: count }, (_, index) => `${prefix}${index}`));
const asked = fc.record({ facilities: codes("F"), units: codes("U"), days: fc.integer({ min: 0, max: 40 }) });

function queryFor({ facilities, units, days }: { facilities: string[]; units: string[]; days: number }): Query {
  const start = Date.UTC(2025, 0);
  const window = { start, end: start + days * 86_400_000 };
  const parameters: Parameter[] = [
    { name: "metrics", values: ["power", "energy"] },
    { name: "interval", values: ["5m"] },
    { name: "date_start", values: [timestamp(window.start)] },
    { name: "date_end", values: [timestamp(window.end)] },
    { name: "facility_code", values: facilities },
    { name: "unit_code", values: units },
    { name: "other", values: Array.from({ length: 40 }, (_, index) => `o${index}`) },
  ];
  const sent = parameters.filter(({ values }) => values.length > 0);
  return {
    command: "facilities",
    network: "NEM",
    metrics: ["power", "energy"],
    interval: "5m",
    window,
    parameters: sent,
  };
}

function timestamp(local: number): string {
  return new Date(local).toISOString().slice(0, 19);
}

/** The values of one parameter in each request. */
function valuesOf(requests: readonly [string, string][][], name: string): string[][] {
  return requests.map((parameters) => parameters.filter(([key]) => key === name).map(([, value]) => value));
}

describe("batches", () => {
  test("have at most 30 codes of a kind, and each of them once with each batch of the other kind, in order", () => {
    fc.assert(
      fc.property(asked, ({ facilities, units }) => {
        const plan = planQuery(queryFor({ facilities, units, days: 1 }), { now: NOW, maxWindow: undefined });
        const requests = listRequests(plan).map(readParameters);
        const pairs = requests.map((_, index) => [
          valuesOf(requests, "facility_code")[index],
          valuesOf(requests, "unit_code")[index],
        ]);
        expect(pairs).toEqual(share(facilities).flatMap((some) => share(units).map((others) => [some, others])));
      }),
    );
  });

  test("leave all other parameters unchanged, and in place", () => {
    fc.assert(
      fc.property(asked, (given) => {
        const query = queryFor(given);
        const names = query.parameters.map(({ name }) => name);
        const others = query.parameters.filter(({ name }) => !/_code$|^date_/.test(name));
        for (const request of listRequests(planQuery(query, { now: NOW, maxWindow: undefined })).map(readParameters)) {
          expect([...new Set(request.map(([name]) => name))]).toEqual(names);
          for (const { name, values } of others) expect(valuesOf([request], name)).toEqual([values]);
        }
      }),
    );
  });

  test("are those of every window, window after window", () => {
    fc.assert(
      fc.property(asked, (given) => {
        const { windows } = planQuery(queryFor(given), { now: NOW, maxWindow: undefined });
        const batches = share(given.facilities).length * share(given.units).length;
        expect(windows).toHaveLength(given.days <= 8 ? 1 : Math.ceil((given.days + DAYS_INTO_PART) / 8));
        const [first] = windows.map(({ requests }) => withoutWindow(requests.map(readParameters)));
        for (const { window, requests } of windows) {
          const sent = requests.map(readParameters);
          expect(sent).toHaveLength(batches);
          expect(withoutWindow(sent)).toEqual(first);
          expect(new Set(valuesOf(sent, "date_start").flat())).toEqual(new Set([timestamp(window.start as number)]));
          expect(new Set(valuesOf(sent, "date_end").flat())).toEqual(new Set([timestamp(window.end as number)]));
        }
      }),
    );
  });

  test("are made with --batch, and refused without", () => {
    const facilityCode = Array.from({ length: 95 }, (_, index) => `F${index}`);
    const build = (input: object) =>
      buildQuery({
        command: "facilities",
        network: "NEM",
        input: { metrics: ["power"], facilityCode, ...input },
        now: NOW,
      });
    expect(listRequests(planQuery(build({ batch: true }).query, { now: NOW, maxWindow: undefined }))).toHaveLength(4);
    expect(() => build({})).toThrow(/95/);
  });
});

/** Batches of at most 30, all full but the last; no codes give one empty batch. */
function share(values: readonly string[]): string[][] {
  const shares = Array.from({ length: Math.ceil(values.length / MOST) }, (_, index) =>
    values.slice(index * MOST, (index + 1) * MOST),
  );
  return shares.length === 0 ? [[]] : shares;
}

function withoutWindow(requests: readonly [string, string][][]): [string, string][][] {
  return requests.map((parameters) => parameters.filter(([name]) => !name.startsWith("date_")));
}
