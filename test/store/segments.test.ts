/** Segments: they tile time, wherever a window begins and ends, and each stored response is found in its own. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Interval } from "../../src/base/intervals.ts";
import {
  type SegmentResponse,
  type SegmentQuery,
  type SplitGrid,
  halveSegment,
  laySegments,
  planSegment,
} from "../../src/store/segments.ts";
import { readWindow } from "../../src/plan/request-path.ts";
import { intervalStart } from "../../src/time/calendar.ts";
import { DAY } from "../../src/time/local-time.ts";
import type { Window } from "../../src/query/window.ts";
import { queryOf } from "../plan/queries.ts";

const FACTS = { values: 1, form: { units: {}, labels: [] } };
const GRIDS: readonly (readonly [Interval, SplitGrid])[] = [
  ["5m", { maxWindow: { amount: 8, unit: "days" } }],
  ["1h", { maxWindow: { amount: 1, unit: "months" } }],
  ["1d", { maxWindow: { amount: 10, unit: "days" } }],
  ["1M", { maxWindow: { amount: 732, unit: "days" } }],
  ["1M", { maxWindow: undefined }],
];

interface Case {
  readonly query: SegmentQuery;
  readonly grid: SplitGrid;
  readonly now: number;
}

const cases: fc.Arbitrary<Case> = fc
  .record({
    of: fc.constantFrom(...GRIDS),
    days: fc.nat(700),
    length: fc.nat(400),
    end: fc.option(fc.nat(400), { nil: undefined }),
  })
  .map(({ of: [interval, grid], days, length, end }) => {
    const start = intervalStart(interval, Date.UTC(2024, 0, 1) + days * DAY);
    const until = end === undefined ? undefined : intervalStart(interval, start + (end + 40) * DAY) - 1000;
    return { query: toQuery({ start, end: until }, interval), grid, now: start + (length + 40) * DAY };
  });

function toQuery(window: Window, interval: Interval): SegmentQuery {
  return { ...queryOf(window, undefined), interval } as SegmentQuery;
}

const lay = ({ query, grid, now }: Case, stored: readonly SegmentResponse[] = []) =>
  laySegments(query, { grid, now, stored }).flat();

/** A response to each place, as an update stores it. */
function answer({ query, grid, now }: Case, run = 1): SegmentResponse[] {
  return lay({ query, grid, now }).map(({ request: { path } }) => ({
    path,
    window: readWindow(path),
    run,
    receivedAt: now,
    grid,
    facts: FACTS,
  }));
}

test("they follow each other without a gap or an overlap, from the start to now or the end", () => {
  fc.assert(
    fc.property(cases, (one) => {
      const places = lay(one);
      expect(places.slice(1).map(({ from }) => from)).toEqual(places.slice(0, -1).map(({ until }) => until));
      const windows = places.map(({ request }) => readWindow(request.path));
      expect(windows[0]?.start).toBe(one.query.window.start);
      expect(windows.slice(1).map(({ start }) => start)).toEqual(windows.slice(0, -1).map(({ end }) => end));
      expect(places.at(-1)?.until).toBeGreaterThan(Math.min(one.now, one.query.window.end ?? one.now));
    }),
  );
});

test("another start, end or time cuts them nowhere else; each response is in its place alone, but for those without an end, and in a place without one", () => {
  fc.assert(
    fc.property(cases, cases, ({ query, grid, now }, other) => {
      const stored = answer({ query, grid, now });
      const later = { query: toQuery(other.query.window, query.interval), grid, now: other.now };
      const own = new Map(lay({ query, grid, now }, stored).map((place) => [place.name, place]));
      for (const { name, from, until, responses } of lay(later, stored)) {
        const of = own.get(name)?.responses ?? [];
        const isOther = ({ window }: SegmentResponse) => window.end === undefined || until === Number.POSITIVE_INFINITY;
        const ended = responses.filter((one) => of.includes(one) || !isOther(one));
        expect(ended.length).toBe(own.has(name) ? 1 : 0);
        expect(ended).toEqual(of);
        expect(from).toBe(own.get(name)?.from ?? from);
      }
    }),
  );
});

test("where the network's offset is unknown, an end that it may have reached is in the last segment", () => {
  const [, grid] = GRIDS[1] as (typeof GRIDS)[0];
  const now = Date.UTC(2026, 2, 1, 6);
  const query = {
    ...toQuery({ start: Date.UTC(2026, 0, 1), end: Date.UTC(2026, 2, 1, 3) - 1000 }, "1h"),
    network: "XX",
  };
  expect(lay({ query, grid, now }).at(-1)?.until).toBe(Number.POSITIVE_INFINITY);
  // Where the start has moved back, the last segment begins earlier, and has what is stored of later ones.
  const [first] = answer({ query, grid, now });
  const earlier = { ...query, window: { start: Date.UTC(2026, 1, 20), end: undefined } };
  const stored = [
    { ...first, path: first?.path ?? "", window: { start: Date.UTC(2026, 2, 1), end: undefined } } as SegmentResponse,
  ];
  expect(lay({ query: earlier, grid, now }, stored).at(-1)?.responses).toHaveLength(1);
});

test("the halves of a segment are found by their responses, also where one of them is lost", () => {
  const [, grid] = GRIDS[0] as (typeof GRIDS)[0];
  const query = toQuery({ start: Date.UTC(2026, 0, 1), end: undefined }, "5m");
  const now = Date.UTC(2026, 2, 1);
  const whole = lay({ query, grid, now })[1];
  const halves = whole && halveSegment(whole, now, query);
  const paths = halves?.map((half) => planSegment(query, half, now).path) ?? [];
  const [first, second] = paths.map(
    (path): SegmentResponse => ({ path, window: readWindow(path), run: 2, receivedAt: now, grid, facts: FACTS }),
  );
  const count = (...stored: (SegmentResponse | undefined)[]) =>
    lay(
      { query, grid, now },
      stored.filter((one) => one !== undefined),
    )
      .filter(({ wholeName }) => wholeName === whole?.name)
      .map(({ responses }) => responses.length);
  expect([count(), count(first, second), count(first)]).toEqual([[0], [1, 1], [1, 0]]);
});

test("a response of another grid is in no place", () => {
  const [[interval, grid], [, other]] = [GRIDS[0], GRIDS[2]] as [(typeof GRIDS)[0], (typeof GRIDS)[2]];
  const one = {
    query: toQuery({ start: Date.UTC(2026, 0, 1), end: undefined }, interval),
    grid,
    now: Date.UTC(2026, 1, 1),
  };
  expect(lay({ ...one, grid: other }, answer(one)).every(({ responses }) => responses.length === 0)).toBe(true);
});
