import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatBytes } from "../../src/base/sizes.ts";
import { drawProgress, formatSeconds, type ProgressState } from "../../src/export/progress-line.ts";
import type { RetryEvent } from "../../src/source/retry.ts";

const DAY = 24 * 60 * 60 * 1000;
const START = Date.UTC(2025, 2, 9);
const UNDER_WAY: ProgressState = {
  done: 19,
  planned: 46,
  seconds: 10,
  rate: 1.9,
  window: { start: START, end: START + 8 * DAY },
  wait: undefined,
};
const RATE_LIMITED: RetryEvent = {
  type: "retry",
  reason: "rate limited (HTTP 429)",
  waitMs: 17_400,
  isRequested: true,
  attempt: 2,
  attempts: 5,
};

describe("as much as fits", () => {
  test.each([
    [119, "[=============>                  ]   41 %  2025-03-09 to 2025-03-17  1.9 requests/s  15 s left"],
    [79, "[=======>         ]   41 %  2025-03-09 to 2025-03-17  1.9 requests/s  15 s left"],
    [59, "[=====>       ]   41 %  2025-03-09 to 2025-03-17  15 s left"],
    [39, "[=======>           ]   41 %  15 s left"],
    [16, " 41 %"],
  ])("of progress in %i characters", (width, line) => {
    expect(drawProgress(UNDER_WAY, width)).toBe(line);
  });

  test.each([
    [79, "[=====>        ]   41 %  rate limited (HTTP 429); retrying in 18 s (try 2 of 5)"],
    [59, " 41 %  rate limited (HTTP...; retrying in 18 s (try 2 of 5)"],
    [39, " 41 %  retrying in 18 s (try 2 of 5)"],
  ])("of a wait in %i characters", (width, line) => {
    expect(drawProgress({ ...UNDER_WAY, wait: RATE_LIMITED }, width)).toBe(line);
  });
});

const windows = fc.record({
  start: fc.option(fc.integer({ min: 0, max: 2 * START }), { nil: undefined }),
  end: fc.option(fc.integer({ min: 0, max: 2 * START }), { nil: undefined }),
});
const waits = fc.record({
  type: fc.constant("retry" as const),
  reason: fc.string({ maxLength: 200 }),
  waitMs: fc.integer({ min: 1, max: 120_000 }),
  isRequested: fc.boolean(),
  attempt: fc.integer({ min: 2, max: 5 }),
  attempts: fc.constant(5),
});
const standings = fc
  .record({
    planned: fc.integer({ min: 1, max: 9999 }),
    part: fc.double({ min: 0, max: 1, noNaN: true }),
    seconds: fc.double({ min: 0, max: 1e6, noNaN: true }),
    rate: fc.oneof(fc.constant(0), fc.double({ min: 1e-4, max: 1e4, noNaN: true })),
    window: fc.option(windows, { nil: undefined }),
    wait: fc.option(waits, { nil: undefined }),
  })
  .map(({ part, ...rest }): ProgressState => ({ ...rest, done: Math.floor(part * rest.planned) }));

test("no line is wider than the terminal, from 40 columns on", () => {
  fc.assert(
    fc.property(standings, fc.integer({ min: 39, max: 200 }), (standing, width) => {
      const line = drawProgress(standing, width);
      expect(line.length).toBeLessThanOrEqual(width);
      expect(line).toContain(standing.planned > 1 ? `${Math.floor((100 * standing.done) / standing.planned)} %` : "");
      expect(line).toMatch(standing.wait ? /retrying in \d+ s \(try \d of 5\)$/ : /^/);
    }),
  );
});

test("a window within a day shows times, one without an end its start", () => {
  const draw = (window: ProgressState["window"]) => drawProgress({ ...UNDER_WAY, window }, 119);
  expect(draw({ start: START, end: START + DAY / 2 })).toContain("  2025-03-09 to 2025-03-09T12:00  ");
  expect(draw({ start: START, end: undefined })).toContain("  from 2025-03-09  ");
  expect(draw({ start: undefined, end: undefined })).toContain(" 41 %  1.9 requests/s  ");
});

test("a single request has no share: after two seconds, the line says that ents waits for it", () => {
  const one = { ...UNDER_WAY, done: 0, planned: 1, rate: 0 };
  expect(drawProgress({ ...one, seconds: 1.9 }, 79)).toBe("");
  expect(drawProgress({ ...one, seconds: 12 }, 79)).toBe("waiting for the service, 12 s");
  expect(drawProgress({ ...one, wait: RATE_LIMITED }, 79)).toBe(
    "rate limited (HTTP 429); retrying in 18 s (try 2 of 5)",
  );
});

test("when all are answered it is 100 %, with nothing left", () => {
  expect(drawProgress({ ...UNDER_WAY, done: 46, window: undefined }, 79)).toBe(`[${"=".repeat(32)}]  100 %`);
});

test.each([
  [0.2, "1 s"],
  [99, "99 s"],
  [100, "2 min"],
  [12_000, "3 h 20 min"],
])("%i seconds are %s", (seconds, text) => {
  expect(formatSeconds(seconds)).toBe(text);
});

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [1000, "1.0 kB"],
  [6_149_000, "6.1 MB"],
  [45_600_000, "46 MB"],
  [9_960_000_000, "10 GB"],
])("%i bytes are about %s", (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
