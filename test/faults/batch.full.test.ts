/** `--batch`: more than 30 codes in several requests for each window give the same as one request for all. */
import { expect, test } from "vitest";
import { refusal } from "../e2e/envelopes.ts";
import { hash, moment, hours, JANUARY } from "./world.ts";
import { CUT, fetchWhole, runIn, startWorldService } from "./world-service.ts";

const CODES = Array.from({ length: 65 }, (_, index) => `U${(index * 37) % 65}`);
const QUERY = [
  "facilities",
  "NEM",
  "-m",
  "power",
  "energy",
  "-i",
  "5m",
  "-s",
  moment(JANUARY),
  "-e",
  moment(hours(4) - 1000),
];
const BATCH = ["--unit-code", ...CODES, "--batch"];
/** Without codes in the request, the world has the same series. */
const WORLD = { series: CODES.map((unit_code) => ({ labels: { unit_code } })) };
const BATCHES = 3;
const WINDOWS = 4;

const COUNTED = "ents: note: 65 codes need 12 requests; one takes at most 30\n";

const countCodes = (url: string) => new URL(url, "http://localhost").searchParams.getAll("unit_code").length;

test.concurrent.for([["csv"], ["json"], ["ndjson", "--shape", "wide"]])("65 codes as %s", async (flags) => {
  const service = await startWorldService({
    play: ({ request, good }) => ({ ...good, delayMs: hash(request.url) % 100 }),
  });
  const run = await runIn({ service }, [...QUERY, ...BATCH, ...CUT, "-f", ...flags]);
  expect(run).toEqual({
    code: 0,
    signal: null,
    stdout: await fetchWhole(QUERY, ["-f", ...flags], WORLD),
    stderr: COUNTED,
  });
  const counts = service.requests.map(({ url }) => countCodes(url));
  expect([counts.filter((count) => count === 30).length, counts.filter((count) => count === 5).length]).toEqual([
    2 * WINDOWS,
    WINDOWS,
  ]);
  expect(counts).toHaveLength(BATCHES * WINDOWS);
});

test.concurrent("a fault at every request of every batch", async () => {
  const faults = [
    { instead: "reset" },
    refusal(500, "Error executing query"),
    { status: 502, body: "<html>" },
  ] as const;
  const service = await startWorldService({
    play: ({ request, attempt }) => (attempt === 1 ? faults[hash(request.url) % 3] : undefined),
  });
  const run = await runIn({ service }, [...QUERY, ...BATCH, ...CUT, "-f", "csv"]);
  expect(run).toMatchObject({ code: 0, stdout: await fetchWhole(QUERY, ["-f", "csv"], WORLD), stderr: COUNTED });
  expect(service.requests).toHaveLength(2 * BATCHES * WINDOWS);
});

test.concurrent("a batch without data", async () => {
  const lacking = new Set(CODES.slice(30, 60));
  const service = await startWorldService({
    play: ({ request: { url } }) =>
      new URL(url, "http://localhost").searchParams.has("unit_code", CODES[30])
        ? refusal(404, "No data available")
        : undefined,
  });
  const run = await runIn({ service }, [...QUERY, ...BATCH, ...CUT, "-f", "csv"]);
  const world = { series: WORLD.series.filter(({ labels }) => !lacking.has(labels.unit_code)) };
  expect(run).toMatchObject({
    code: 0,
    stdout: await fetchWhole(QUERY, ["-f", "csv"], world),
    stderr: expect.stringMatching(
      /^ents: note: 65 codes need 12 requests; one takes at most 30\nents: warning: no data came for unit codes .* and 20 more\n$/,
    ) as string,
  });
});

test.concurrent("a maximum window that is detected between the batches of a window", async () => {
  const service = await startWorldService({
    play: ({ request, attempt, piece }) =>
      countCodes(request.url) === 5 && piece === 0 && attempt === 1 && request.url.includes("03%3A59%3A59")
        ? refusal(400, "Date range too large for 5m interval. Maximum range is 1 hour.")
        : undefined,
  });
  const run = await runIn({ service }, [...QUERY, ...BATCH, "--rate", "1000", "-f", "csv"]);
  expect(run).toMatchObject({
    code: 0,
    stdout: await fetchWhole(QUERY, ["-f", "csv"], WORLD),
    stderr: COUNTED.replace("12", "3"),
  });
  expect(service.requests).toHaveLength(BATCHES * (1 + WINDOWS));
});

test.concurrent("without --batch 65 codes are refused before any request", async () => {
  const service = await startWorldService();
  expect(await runIn({ service }, [...QUERY, "--unit-code", ...CODES])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--batch") as string,
  });
  expect(service.requests).toEqual([]);
});
