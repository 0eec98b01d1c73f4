/**
 * In one request or several, in whatever order the responses arrive: the same bytes in every format and shape, with
 * inclusive and exclusive ends.
 */
import { expect, test } from "vitest";
import { FULL } from "../support/extent.ts";
import { hash, hours, type World, WORLD } from "./world.ts";
import { CUT, fetchWhole, PIECES, type Play, QUERY, runIn, startWorldService } from "./world-service.ts";

const OUTPUTS: readonly (readonly string[])[] = [
  ["csv"],
  ["csv", "--shape", "wide"],
  ["csv", "--no-header", "--time-zone", "Australia/Sydney"],
  ["tsv"],
  ["tsv", "--shape", "wide", "--time-zone", "utc"],
  ["ndjson"],
  ["ndjson", "--shape", "wide"],
  ["table"],
  ["table", "--shape", "long", "--limit", "9"],
  ["json"],
];

const ENDS = [
  ["inclusive", true],
  ["exclusive", false],
] as const;

const CASES = OUTPUTS.map((flags, index) => {
  // In a quick run, the two kinds of end alternate.
  const ends = ENDS.filter((_, end) => FULL || index === 0 || index % 2 === end);
  return [flags.join(" "), flags, ends] as const;
});

test.concurrent.for(CASES)("%s, answers in any order", async ([name, flags, ends]) => {
  const whole = await fetchWhole(QUERY, ["-f", ...flags]);
  for (const [end, inclusive] of ends) {
    const play: Play = ({ piece, good }) => ({ ...good, delayMs: hash(`${name}${end}${piece}`) % 150 });
    const service = await startWorldService({ world: { inclusive }, play });
    const run = await runIn({ service }, [...QUERY, "-f", ...flags, ...CUT, "--concurrency", "4"]);
    expect({ end, ...run }).toEqual({ end, code: 0, signal: null, stdout: whole, stderr: "" });
    expect(service.requests).toHaveLength(PIECES);
  }
});

test.concurrent("a service that gives every window the same data is reported, since rows are missing", async () => {
  let first: ReturnType<Play>;
  const service = await startWorldService({ play: ({ good }) => (first ??= good) });
  const run = await runIn({ service }, [...QUERY, "-f", "csv", ...CUT, "--concurrency", "1"]);
  expect(run).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(
      /^ents: warning: the response for the window from .* only has data of other times/,
    ) as string,
  });
});

/** A window that ends on the start of an interval, where the kinds of end differ. */
test.concurrent.for(ENDS)("the service decides about the last instant, with the end %s", async ([, inclusive]) => {
  const query = [...QUERY.slice(0, -1), "2025-01-01T07:00"];
  const service = await startWorldService({ world: { inclusive } });
  const run = await runIn({ service }, [...query, ...CUT, "-f", "csv"]);
  expect(run).toMatchObject({ code: 0, stdout: await fetchWhole(query, ["-f", "csv"], { inclusive }) });
  expect(run.stdout.includes("2025-01-01T07:00")).toBe(inclusive);
});

const RAGGED: Readonly<Record<string, Partial<World>>> = {
  "series that begin and end on cuts": {
    series: [
      { labels: { unit_code: "A" }, from: hours(2), to: hours(4) },
      { labels: { unit_code: "B" }, from: hours(4) },
      { labels: { unit_code: "C" }, to: hours(2) },
    ],
  },
  "a series of one point, on a cut": {
    series: [{ labels: { unit_code: "A" } }, { labels: { unit_code: "B" }, from: hours(3), to: hours(3) + 1 }],
  },
  "a series of one point, just before a cut": {
    series: [{ labels: { unit_code: "A" } }, { labels: { unit_code: "B" }, from: hours(3) - 1, to: hours(3) + 1 }],
  },
  "all series repeat their timestamps": { series: WORLD.series.map((series) => ({ ...series, repeats: true })) },
  "two series of the same labels": { series: [{ labels: {} }, { labels: {}, repeats: true }] },
  "a gap around a cut": { gaps: [[hours(2.9), hours(3.1)]] },
};

/** Nothing is said, but that points or series come twice. */
const SAID = /^(?:ents: warning: the service sent .*; all are in the output\n)?$/;

test.concurrent.for(Object.entries(RAGGED))("%s", async ([, world]) => {
  for (const [end, inclusive, format] of [
    ["inclusive", true, "csv"],
    ["exclusive", false, "json"],
  ] as const) {
    const service = await startWorldService({ world: { ...world, inclusive } });
    const run = await runIn({ service }, [...QUERY, ...CUT, "-f", format]);
    const whole = await fetchWhole(QUERY, ["-f", format], world);
    expect({ end, ...run }).toEqual({
      end,
      code: 0,
      signal: null,
      stdout: whole,
      stderr: expect.stringMatching(SAID) as string,
    });
  }
});
