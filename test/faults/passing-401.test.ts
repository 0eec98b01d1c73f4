/** A 401 for a token that has worked in this run may be temporary; a spent quota is not retried for long. */
import { expect, test } from "vitest";
import { refusal, TOKEN } from "../e2e/envelopes.ts";
import { createHome } from "../support/run-ents.ts";
import { CUT, fetchWhole, PIECES, type Play, QUERY, runIn, startWorldService } from "./world-service.ts";

const whole = fetchWhole(QUERY, ["-f", "csv"]);
const UNAUTHORIZED = refusal(401, "Authentication failed");

async function run(play: Play, flags: readonly string[] = []) {
  const service = await startWorldService({ play });
  return { service, run: await runIn({ service }, [...QUERY, ...CUT, "-f", "csv", ...flags]) };
}

test.concurrent("twice at every window but the first, one request at a time", async () => {
  const { service, run: ended } = await run(
    ({ piece, attempt }) => (piece > 0 && attempt < 3 ? UNAUTHORIZED : undefined),
    ["--concurrency", "1"],
  );
  expect(ended).toEqual({ code: 0, signal: null, stdout: await whole, stderr: "" });
  expect(service.requests).toHaveLength(1 + 3 * (PIECES - 1));
});

test.concurrent("for all requests in progress at once", async () => {
  // The request for window 4 is sent once window 0 has its response.
  const { service, run: ended } = await run(({ piece, attempt }) =>
    piece >= 4 && attempt < 3 ? UNAUTHORIZED : undefined,
  );
  expect(ended).toEqual({ code: 0, signal: null, stdout: await whole, stderr: "" });
  expect(service.requests).toHaveLength(PIECES + 2 * 3);
});

test.concurrent("after failures of other kinds", async () => {
  const { run: ended } = await run(
    ({ piece, attempt }) =>
      piece !== 3 || attempt > 4 ? undefined : attempt === 4 ? UNAUTHORIZED : refusal(503, "Busy"),
    ["--concurrency", "1"],
  );
  expect(ended).toEqual({ code: 0, signal: null, stdout: await whole, stderr: "" });
});

test.concurrent("from a service that first said that it has no data", async () => {
  const { run: ended } = await run(
    ({ piece, attempt }) => {
      if (piece === 0) return refusal(404, "No data available for the given parameters");
      return piece === 1 && attempt === 1 ? UNAUTHORIZED : undefined;
    },
    ["--concurrency", "1"],
  );
  expect(ended).toMatchObject({ code: 0, stderr: "" });
});

test.concurrent("from a service that first refused a window, and named its limit", async () => {
  const service = await startWorldService({
    play: () => {
      if (service.requests.length === 1)
        return refusal(400, "Date range too large for 5m interval. Maximum range is 1 hour.");
      return service.requests.length === 2 ? UNAUTHORIZED : undefined;
    },
  });
  const flags = ["--max-window", "none", "--rate", "1000", "--concurrency", "1", "-f", "csv"];
  expect(await runIn({ service }, [...QUERY, ...flags])).toMatchObject({ code: 0, stdout: await whole });
});

test.concurrent("for one of the first requests, before the others have answers", async () => {
  const service = await startWorldService({
    play: ({ piece, attempt, good }) =>
      piece === 1 && attempt === 1 ? UNAUTHORIZED : { ...good, delayMs: piece < 4 ? 300 : 0 },
  });
  const ended = await runIn({ service }, [...QUERY, ...CUT, "-f", "csv"]);
  expect(ended).toEqual({ code: 0, signal: null, stdout: await whole, stderr: "" });
  expect(service.requests).toHaveLength(PIECES + 1);
});

test.concurrent("-v names the attempt, and says that all requests wait", async () => {
  const { run: ended } = await run(
    ({ piece, attempt }) => (piece === 2 && attempt < 3 ? UNAUTHORIZED : undefined),
    ["--concurrency", "1", "-v"],
  );
  expect(ended.code).toBe(0);
  expect(ended.stderr).toContain("ents: the token was refused (HTTP 401); retrying in 3 s (try 2 of 3)\n");
  expect(ended.stderr).toContain("ents: the token was refused (HTTP 401); retrying in 5 s (try 3 of 3)\n");
});

test.concurrent.for([1, 2, 4])(
  "a spent quota with --concurrency %i: those in progress, and at most twice as many more",
  async (atOnce) => {
    const quota = 2;
    const service = await startWorldService({
      play: () => (service.requests.length > quota ? UNAUTHORIZED : undefined),
    });
    const ended = await runIn({ service }, [...QUERY, ...CUT, "-f", "csv", "--concurrency", String(atOnce)]);
    expect(ended).toMatchObject({ code: 3 });
    expect(ended.stderr).toMatch(
      /^ents: the token from ENTS_TOKEN was refused \(HTTP 401\) after \d attempts: Authentication failed\n/,
    );
    expect(service.requests.length).toBeGreaterThanOrEqual(quota + 3);
    expect(service.requests.length).toBeLessThanOrEqual(quota + 3 * atOnce);
  },
);

test.concurrent("a stored token that never worked: refused at once, and the message says how to replace it", async () => {
  const service = await startWorldService({ play: () => UNAUTHORIZED });
  const home = createHome();
  const env = { ENTS_BASE_URL: service.url };
  await home.run(["login", "--no-verify"], { env, stdin: TOKEN });
  const { code, stderr } = await home.run([...QUERY, ...CUT, "--concurrency", "1"], { env });
  expect({ code, stderr }).toEqual({
    code: 3,
    stderr:
      `ents: the token stored in ${home.path("config/config.json")} was refused (HTTP 401): Authentication failed\n` +
      `      replace it with 'ents login --base-url ${service.url}'; a spent daily quota looks the same: if it worked today, try again tomorrow\n`,
  });
  expect(service.requests).toHaveLength(1);
});
