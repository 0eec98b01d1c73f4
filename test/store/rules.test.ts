/** What an update asks for again, and in which order. */
import { describe, expect, test } from "vitest";
import { findRule } from "../../src/base/intervals.ts";
import { type SegmentResponse, type SegmentQuery, laySegments } from "../../src/store/segments.ts";
import type { RequestLogEntry, FinishedRun, Outcome } from "../../src/store/journal.ts";
import { listAsked, type RunFacts } from "../../src/store/rules.ts";
import { readWindow } from "../../src/plan/request-path.ts";
import { DAY, HOUR } from "../../src/time/local-time.ts";
import { queryOf } from "../plan/queries.ts";

const START = Date.UTC(2026, 0, 1);
const GRID = { maxWindow: { amount: 1, unit: "days" }, bucket: findRule("1h") } as const;
const QUERY = { ...queryOf({ start: START, end: undefined }, "1h") } as SegmentQuery;
/** Of the NEM, ten hours behind. */
const dayAt = (days: number) => START + days * DAY - 10 * HOUR;

interface Given extends Partial<Omit<RunFacts, "journal">> {
  /** By the day of a segment, from 0 on: the responses, newest first. */
  readonly answers?: (day: number) => readonly Partial<SegmentResponse>[];
  readonly checked?: Readonly<Record<number, number>>;
  readonly refused?: readonly number[];
  readonly lacking?: readonly number[];
  readonly found?: number;
}

/** On day ten, with one response for each day, received on day nine by run 9. */
function list({
  answers = () => [{}],
  checked = {},
  refused = [],
  lacking = [],
  found = 0,
  ...facts
}: Given): string[] {
  const now = dayAt(10);
  const empty = laySegments(QUERY, { grid: GRID, now, stored: [] }).flat();
  const stored = empty.flatMap(({ request: { path } }, day) =>
    answers(day).map((one) => ({
      path,
      window: readWindow(path),
      run: 9,
      receivedAt: dayAt(9),
      grid: GRID,
      facts: { values: 1, form: FORM },
      ...one,
    })),
  );
  const segments = laySegments(QUERY, { grid: GRID, now, stored }).flat();
  const name = (day: number) => segments[day]?.name ?? "";
  const { finished = 9 } = facts;
  const journal = {
    last: { run: finished } as FinishedRun,
    checked: new Map(Object.entries(checked).map(([day, run]) => [name(Number(day)), run])),
    refused: new Set(refused.map(name)),
    missingSeries: new Set(lacking.map(name)),
    found,
  };
  const asked = (facts.asked ?? []).map((one) => ({ ...one, name: name(Number(one.name)) }));
  const all = listAsked(segments, {
    query: QUERY,
    run: 10,
    finished: 9,
    now,
    reviseMs: 2 * DAY,
    recheck: 1,
    ...facts,
    journal,
    asked,
  });
  return all.map(({ segment, reason }) => `${reason} ${segments.findIndex(({ name: one }) => one === segment.name)}`);
}

const FORM = { units: { power: "MW" }, labels: [] };
const OPEN = ["open 7", "open 8", "open 9", "open 10"];

test("segments that no response answers whole, and those that were received before their end and --revise", () => {
  expect(list({ answers: (day) => (day === 3 ? [] : [{}]), recheck: 0 })).toEqual(["missing 3", ...OPEN]);
  // A response from the future has come while a clock was wrong.
  expect(list({ answers: (day) => [day === 4 ? { receivedAt: dayAt(12) } : {}], recheck: 0 })).toEqual([
    "missing 4",
    ...OPEN,
  ]);
  const ahead = (minutes: number) => (day: number) => [day === 4 ? { receivedAt: dayAt(10) + minutes * 60_000 } : {}];
  expect(list({ answers: ahead(61), recheck: 0 })).toEqual(["missing 4", ...OPEN]);
  expect(list({ answers: ahead(60), recheck: 0 })).toEqual(OPEN);
  const late = { window: { start: START + HOUR, end: START + DAY } };
  expect(list({ answers: (day) => [day === 0 ? late : {}], recheck: 0 })).toEqual(["missing 0", ...OPEN]);
});

test("what a run that failed has received is used, where the segment was over", () => {
  expect(list({ finished: 8, recheck: 0 })).toEqual(["open 9", "open 10"]);
});

test("what the newest response lacks is asked for again after six hours, and last if the service refuses it", () => {
  const answers = (hours: number) => (day: number) =>
    day === 2 ? [{ receivedAt: dayAt(10) - hours * HOUR }, { run: 8 }] : [{}];
  expect(list({ answers: answers(7), recheck: 0 })).toEqual([...OPEN, "unconfirmed 2"]);
  expect(list({ answers: answers(5), recheck: 0 })).toEqual(OPEN);
  expect(list({ answers: answers(7), recheck: 1, refused: [2], checked: { 2: 9 } })).toEqual([...OPEN, "recheck 0"]);
});

describe("segments of another form", () => {
  const KW = { facts: { values: 1, form: { ...FORM, units: { power: "kW" } } } };
  const NEW = { run: 10, receivedAt: dayAt(9.9) };
  const NEWEST = ["open 9", "open 10"];

  test("come first once the service has changed, at most fifty, and those last that the service refused", () => {
    const turned = { answers: (day: number) => (day < 3 ? [KW] : day > 6 ? [NEW, KW] : [{}]), recheck: 0 };
    expect(list({ ...turned, refused: [0] })).toEqual([
      "another form 1",
      "another form 2",
      "another form 0",
      ...NEWEST,
    ]);
    const asked = Array.from(
      { length: 49 },
      (): RequestLogEntry => ({ name: "20", reason: "another form", outcome: "changed" }),
    );
    expect(list({ ...turned, asked })).toEqual(["another form 0", ...NEWEST]);
  });

  test("are accepted where the last output has them, or one run has received both", () => {
    const answers = (day: number) => (day < 3 ? [KW] : day > 6 ? [NEW, {}] : [{}]);
    expect(list({ answers, recheck: 0 })).toEqual(NEWEST);
    expect(list({ answers: (day) => [day < 3 ? KW : {}], finished: 8, recheck: 0 })).toEqual(NEWEST);
    // Received by an earlier run that failed.
    expect(list({ answers: (day) => [day < 3 ? { ...KW, run: 8 } : {}], finished: 7, recheck: 0 })).toContain(
      "another form 2",
    );
  });

  test("received for a settled output: its latest segment is asked for, too", () => {
    const facts = { values: 0, form: { units: {}, labels: [] } };
    const answers = (day: number) => [
      { receivedAt: dayAt(20), ...(day === 3 ? { ...KW, run: 11 } : day > 6 ? { facts } : {}) },
    ];
    expect(list({ answers, now: dayAt(50), recheck: 0 })).toEqual(["another form 6", "open 10"]);
  });
});

test("rechecks: first what lacks a series or fills gaps otherwise, then what never was rechecked, then what was longest ago", () => {
  const answers = (day: number) => [{ facts: { values: 1, form: FORM, fills: day !== 5 } }];
  const given = { answers, lacking: [4], checked: { 0: 8, 1: 7, 4: 9 } };
  expect(list({ ...given, recheck: 6 })).toEqual([
    ...OPEN,
    "recheck 5",
    "recheck 2",
    "recheck 3",
    "recheck 6",
    "recheck 1",
    "recheck 0",
  ]);
  expect(list({ ...given, recheck: "all" })).toHaveLength(11);
  expect(list({ ...given, recheck: 0, found: 9 })).toEqual(OPEN);
});

test("a recheck that finds a change makes it fifty, in this run and the next ones, until every segment was asked for since", () => {
  const outcome = (what: Outcome): RequestLogEntry[] => [{ name: "0", reason: "recheck", outcome: what }];
  expect(list({ asked: outcome("same") })).toEqual(OPEN);
  expect(list({ asked: outcome("changed") })).toEqual([...OPEN, ...[1, 2, 3, 4, 5, 6].map((day) => `recheck ${day}`)]);
  expect(list({ found: 10 })).toHaveLength(11);
  expect(list({ found: 9, answers: (day) => [{ run: day === 6 ? 8 : 9 }], checked: { 6: 9 } })).toHaveLength(5);
  expect(list({ found: 9, answers: (day) => [{ run: day === 6 ? 8 : 9 }] })).toHaveLength(11);
});
