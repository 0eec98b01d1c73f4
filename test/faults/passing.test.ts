/** Every temporary fault, at every position of an export, gives the bytes of a run without faults. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { refusal } from "../e2e/envelopes.ts";
import { createHomeWithFile } from "../e2e/old-file.ts";
import { runs } from "../support/extent.ts";
import { TIMEOUT } from "../support/patience.ts";
import type { Answer } from "../support/scripted-service.ts";
import { CUT, fetchWhole, OUT, PIECES, QUERY, runIn, startWorldService } from "./world-service.ts";

type Fault = (good: Answer) => Answer;

const HTML = "<!doctype html><title>502 Bad Gateway</title>";
const inTwoSeconds = () => new Date(Math.ceil(Date.now() / 1000) * 1000 + 1000).toUTCString();

/** Each waits for a timeout. */
const SILENCES: readonly [name: string, fault: Fault][] = [
  ["silence before the first byte", () => ({ instead: "stall" })],
  ["silence inside the body", (good) => ({ ...good, end: "stall" })],
  ["silence inside a gzipped body", (good) => ({ ...good, gzip: true, end: "stall" })],
];
const FAULTS: readonly [name: string, fault: Fault][] = [
  ...runs([], SILENCES),
  ["a reset before the answer", () => ({ instead: "reset" })],
  ["a body cut short", (good) => ({ ...good, end: "hang up" })],
  ["a chunked body cut short", (good) => ({ ...good, chunked: true, end: "hang up" })],
  ["a gzipped body cut short", (good) => ({ ...good, gzip: true, end: "hang up" })],
  ["a gzipped chunked body cut short", (good) => ({ ...good, gzip: true, chunked: true, end: "hang up" })],
  ["a body cut short that HTTP takes for whole", (good) => ({ ...good, body: String(good.body).slice(0, -40) })],
  ["429 with Retry-After in seconds", () => refusal(429, "Too many requests", { "retry-after": "1" })],
  ["429 with Retry-After as a date", () => refusal(429, "Too many requests", { "retry-after": inTwoSeconds() })],
  ["500", () => refusal(500, "Error executing query")],
  ["502 with a page", () => ({ status: 502, body: HTML })],
  ["503 with nothing", () => ({ status: 503 })],
  ["504", () => ({ status: 504, body: HTML })],
  ["a page with HTTP 200", () => ({ body: HTML })],
];

const whole = fetchWhole(QUERY, ["-f", "csv"]);

test("the export has seven requests", async () => {
  const service = await startWorldService();
  expect(await runIn({ service }, [...QUERY, ...CUT])).toEqual({
    code: 0,
    signal: null,
    stdout: await whole,
    stderr: "",
  });
  expect(service.requests).toHaveLength(PIECES);
  expect((await whole).split("\n").length).toBeGreaterThan(300);
});

// Each run plays another fault at each request: in steps of four, every fault at least once; in steps of one, every
// fault at every request.
const SHIFTS = FAULTS.flatMap((_, shift) => (shift % runs(4, 1) === 0 ? [shift] : []));

test.concurrent.for(SHIFTS)("every fault at every request, shifted by %i", async (shift) => {
  const service = await startWorldService({
    play: ({ piece, attempt, good }) =>
      attempt === 1 ? FAULTS[(piece + shift) % FAULTS.length]?.[1](good) : undefined,
  });
  const home = createHomeWithFile();
  const run = await runIn({ home, service }, [...QUERY, ...CUT, "-o", OUT, "--timeout", TIMEOUT]);
  expect(run).toEqual({ code: 0, signal: null, stdout: "", stderr: "" });
  expect(readFileSync(home.path(OUT), "utf8")).toBe(await whole);
  expect(readdirSync(home.folder)).toEqual([OUT]);
  expect(service.requests).toHaveLength(2 * PIECES);
});

test.concurrent.for(FAULTS.filter((_, index) => index % runs(4, 1) === 0))(
  "%s at every request, with gzipped answers",
  async ([, fault]) => {
    const service = await startWorldService({
      play: ({ attempt, good }) => (attempt === 1 ? fault(good) : { ...good, gzip: true, chunked: true }),
    });
    const run = await runIn({ service }, [...QUERY, ...CUT, "-f", "csv", "--timeout", TIMEOUT]);
    expect(run).toEqual({ code: 0, signal: null, stdout: await whole, stderr: "" });
    expect(service.requests).toHaveLength(2 * PIECES);
  },
);
