/**
 * Faults that end an export, at the first, a middle and the last request: the right exit code, and the old file is
 * unchanged.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { refusal } from "../e2e/envelopes.ts";
import { createHomeWithFile, expectUntouched } from "../e2e/old-file.ts";
import { TIMEOUT } from "../support/patience.ts";
import type { Answer } from "../support/scripted-service.ts";
import { CUT, fetchWhole, OUT, PIECES, QUERY, runIn, startWorldService } from "./world-service.ts";

interface Ending {
  readonly answer: Answer;
  readonly code: number;
  readonly says: RegExp;
  /** Whether the command retries, with `--retries 1`. */
  readonly again?: boolean;
}

const SHAPE =
  '{"version":"4.5.1","created_at":"2025-01-02T00:00:00Z","success":true,"data":[{"network_code":"NEM","metric":"power","results":[{"data":[[1,2]]}]}]}';
const asJson = { "content-type": "application/json" };

const ENDINGS: Readonly<Record<string, Ending>> = {
  "JSON that is no envelope": { answer: { body: { rows: [] } }, code: 4, says: /not valid v4/ },
  "a list": { answer: { body: [] }, code: 4, says: /not valid v4/ },
  "series of another shape": { answer: { body: SHAPE, headers: asJson }, code: 4, says: /unknown shape at data\[0\]/ },
  "success: false": {
    answer: { body: { success: false, error: "Query was cancelled", data: [] } },
    code: 4,
    says: /Query was cancelled/,
  },
  "an unknown path": { answer: { status: 404, body: { detail: "Not Found" } }, code: 4, says: /HTTP 404\): Not Found/ },
  "a bad parameter": {
    answer: { status: 422, body: { detail: [{ loc: ["query", "metrics"], msg: "no" }] } },
    code: 4,
    says: /metrics: no/,
  },
  "a refusal": { answer: refusal(400, "Unknown network"), code: 4, says: /Unknown network/ },
  "a window too far back": {
    answer: refusal(400, "Date start is too far in the past. Your plan allows data from the last 730 days."),
    code: 4,
    says: /the last 730 days/,
  },
  "403": { answer: { status: 403, body: { detail: "Not for your plan" } }, code: 3, says: /Not for your plan/ },
  "resets without end": {
    answer: { instead: "reset" },
    code: 5,
    says: /cannot reach http.*\) after \d attempts/,
    again: true,
  },
  "silence without end": {
    answer: { instead: "stall" },
    code: 5,
    says: /no response from .* \(timeout: 10 s\) after \d attempts/,
    again: true,
  },
  "500 without end": {
    answer: refusal(500, "Error executing query"),
    code: 5,
    says: /HTTP 500\) after \d attempts: Error executing query\n {6}try again later; /,
    again: true,
  },
  "502 with a page without end": {
    answer: { status: 502, body: "<html>" },
    code: 5,
    says: /unavailable \(HTTP 502\) after \d attempts; try again later/,
    again: true,
  },
  "429 without end": {
    answer: refusal(429, "Too many", { "retry-after": "0" }),
    code: 5,
    says: /rate limited \(HTTP 429\) after \d attempts: Too many.*\n {6}try again later/,
    again: true,
  },
  "half an answer without end": {
    answer: { body: '{"data":[' },
    code: 5,
    says: /response is incomplete after \d attempts; try again later/,
    again: true,
  },
  "a page with HTTP 200 without end": {
    answer: { body: "<html>" },
    code: 4,
    says: /an HTML page instead of JSON after \d attempts/,
    again: true,
  },
};

const whole = fetchWhole(QUERY, ["-f", "csv"]);
const POSITIONS = [0, 3, PIECES - 1];
/** Plays each at all positions. */
const CASES = Object.keys(ENDINGS).flatMap((name) => POSITIONS.map((position) => [name, position] as const));

test.concurrent.for(CASES)("%s at piece %i, and the same command when it is over", async ([name, at]) => {
  const { answer, code, says, again } = ENDINGS[name] as Ending;
  let wrong = true;
  const service = await startWorldService({ play: ({ piece }) => (wrong && piece === at ? answer : undefined) });
  const home = createHomeWithFile();
  const command = [...QUERY, ...CUT, "-o", OUT, "--timeout", TIMEOUT, "--retries", "1", "--concurrency", "1"];
  const old = readFileSync(home.path(OUT));
  const failed = await runIn({ home, service }, command);
  expect(failed).toMatchObject({ code, stdout: "", stderr: expect.stringMatching(says) as string });
  expect(failed.stderr).toMatch(/^ents: [^\n]+\n( {6}[^\n]+\n){0,2}$/);
  expect(readFileSync(home.path(OUT))).toEqual(old);
  expect(readdirSync(home.folder).filter((file) => file.endsWith("ents-tmp"))).toEqual([]);
  const before = at + (again ? 2 : 1);
  // The next request is in progress when a response is read.
  const sent = service.requests.length;
  expect(sent - before).toBeLessThanOrEqual(name === "series of another shape" ? 1 : 0);
  const howToGoOn = `of ${PIECES} requests are done (kept in ${OUT}.ents); to resume, run:\n      ents network`;
  // An envelope with series of an unknown shape: the request succeeded, but gave no rows.
  expect(failed.stderr.includes(howToGoOn)).toBe(at > 0 || name === "series of another shape");

  wrong = false;
  expect(await runIn({ home, service }, command)).toMatchObject({ code: 0 });
  expect(readFileSync(home.path(OUT), "utf8")).toBe(await whole);
  expect(existsSync(home.path(`${OUT}.ents`))).toBe(false);
  expect(service.requests.length - (PIECES - at)).toBeOneOf([before, sent]);
});

test.concurrent("a failure before anything is stored leaves nothing behind", async () => {
  const service = await startWorldService({ play: () => refusal(400, "Unknown network") });
  const home = createHomeWithFile();
  expect(await runIn({ home, service }, [...QUERY, ...CUT, "-o", OUT])).toMatchObject({ code: 4 });
  expectUntouched(home);
});

test.concurrent("without resume a failure leaves nothing behind", async () => {
  const service = await startWorldService({
    play: ({ piece }) => (piece === 4 ? refusal(400, "Unknown network") : undefined),
  });
  const home = createHomeWithFile();
  const run = await runIn({ home, service }, [...QUERY, ...CUT, "-o", OUT, "--no-resume"]);
  expect(run).toMatchObject({ code: 4 });
  expect(run.stderr).not.toContain("to resume");
  expectUntouched(home);
});
