/** Windows without data, at any position and however the service says so. */
import { expect, test } from "vitest";
import { refusal } from "../e2e/envelopes.ts";
import type { Answer } from "../support/scripted-service.ts";
import { hours, type World } from "./world.ts";
import { CUT, fetchWhole, PIECES, QUERY, runIn, startWorldService } from "./world-service.ts";

const SAYINGS: readonly [name: string, answer: Answer][] = [
  ["404", refusal(404, "No data available for the given parameters")],
  ["416", refusal(416, "No data found")],
  ["404 in detail", { status: 404, body: { detail: "No data available" } }],
  ["an empty list", { body: { version: "4.5.1", created_at: "2025-02-01T00:00:00Z", data: [] } }],
];

const GAPS: readonly [name: string, gaps: World["gaps"]][] = [
  ["the first", [[hours(0), hours(1.5)]]],
  ["the first three", [[hours(0), hours(3.25)]]],
  ["one in the middle", [[hours(3), hours(4.5)]]],
  [
    "the second and the fifth",
    [
      [hours(1), hours(2.2)],
      [hours(4), hours(5.5)],
    ],
  ],
  ["the last", [[hours(6), hours(8)]]],
  [
    "all but one",
    [
      [hours(0), hours(4)],
      [hours(4.5), hours(8)],
    ],
  ],
];

test.concurrent.for(
  GAPS.map(([name, gaps], index) => [name, gaps, SAYINGS[index % SAYINGS.length]?.[1] as Answer] as const),
)("%s empty", async ([, gaps, noData]) => {
  const whole = await fetchWhole(QUERY, ["-f", "csv"], { gaps });
  for (const inclusive of [true, false]) {
    const service = await startWorldService({ world: { gaps, inclusive }, noData });
    const run = await runIn({ service }, [...QUERY, ...CUT, "-f", "csv"]);
    expect(run).toEqual({ code: 0, signal: null, stdout: whole, stderr: "" });
    expect(service.requests).toHaveLength(PIECES);
  }
});

test.concurrent.for(SAYINGS)("all empty, as %s: a success with only the header, and a note", async ([, noData]) => {
  const service = await startWorldService({ world: { gaps: [[0, Number.POSITIVE_INFINITY]] }, noData });
  const run = await runIn({ service }, [...QUERY, ...CUT, "-f", "csv"]);
  expect(run).toMatchObject({ code: 0, stdout: "timestamp,network,metric,unit,value\n" });
  expect(run.stderr).toBe("ents: note: the service has no data for this query\n");
  expect(service.requests).toHaveLength(PIECES);
});

test.concurrent("some empty, as json: the bytes of one request, whenever it runs", async () => {
  const gaps: World["gaps"] = [[hours(2), hours(4)]];
  const service = await startWorldService({ world: { gaps } });
  const { stdout } = await runIn({ service }, [...QUERY, ...CUT, "-f", "json"]);
  expect(stdout).toBe(await fetchWhole(QUERY, ["-f", "json"], { gaps }));
});
/** The public service says so if the start is after its newest data. */
const STARTS_LATER = refusal(400, "Date start must be before date end");

test.concurrent("a start after the newest interval, without an end, is no data", async () => {
  const service = await startWorldService({ play: () => STARTS_LATER });
  const run = await runIn({ service }, ["network", "NEM", "-m", "power", "-i", "5m", "--last", "1h", "-f", "csv"]);
  expect(run).toMatchObject({ code: 0, stdout: "timestamp,network,metric,unit,value\n" });
});

test.concurrent.for([
  ["of a window with an end", QUERY, STARTS_LATER],
  ["with more words", QUERY.slice(0, -2), refusal(400, "Date start must be before the end of the trial period")],
] as const)("the same refusal %s is an error", async ([, query, answer]) => {
  const service = await startWorldService({
    play: ({ piece }) => (piece === 2 ? answer : undefined),
    world: { now: hours(PIECES) },
  });
  const run = await runIn({ service }, [...query, ...CUT, "-f", "csv"]);
  expect(run).toMatchObject({ code: 4, stderr: expect.stringContaining("Date start must be before") as string });
});
