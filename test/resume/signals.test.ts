/** SIGINT and SIGTERM halfway through an export: it stops at once and says what is kept and how to resume. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { refusal } from "../e2e/envelopes.ts";
import { createHomeWithFile } from "../e2e/old-file.ts";
import { CUT, envFor, fetchWhole, OUT, PIECES, QUERY, startWorldService } from "../faults/world-service.ts";
import { FULL, some } from "../support/extent.ts";
import { createHome } from "../support/run-ents.ts";
import type { Answer } from "../support/scripted-service.ts";
import { startStoppable } from "../support/stoppable.ts";
import { COMMAND, listKept, PARTIAL } from "./partial.ts";
import { HAS_SIGNALS } from "../support/platform.ts";

const whole = fetchWhole(QUERY, ["-f", "csv"]);

const WAITS: readonly [name: string, wait: (good: Answer) => Answer][] = [
  ["for an answer", () => ({ instead: "stall" })],
  ["for the rest of a body", (good) => ({ ...good, end: "stall" })],
  ["because the service asked for it", () => refusal(429, "Too many requests", { "retry-after": "100" })],
];
const SIGNALS = [
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const;
const CASES = SIGNALS.flatMap(([signal, code]) => WAITS.map(([name, wait]) => [signal, name, code, wait] as const));

// A quick run tests SIGTERM in one wait only.
test.skipIf(!HAS_SIGNALS).concurrent.for(some(4, CASES))(
  "%s while it waits %s, then the suggested command",
  async ([signal, name, code, wait]) => {
    const isReal = FULL || (signal === "SIGINT" && name === "for an answer");
    let stuck = true;
    const service = await startWorldService({
      play: ({ piece, good }) => (stuck && piece === 3 ? wait(good) : undefined),
    });
    const home = createHomeWithFile();
    const old = readFileSync(home.path(OUT));
    const { finished, stop } = startStoppable(home, [...COMMAND, "--concurrency", "1"], {
      env: envFor(service),
      isReal,
    });
    await Promise.race([service.received(4), finished]);
    const run = await stop(signal);
    expect(run).toMatchObject({ code, signal: null, stdout: "" });
    expect(run.stderr).toMatch(
      /^ents: note: stopped; 3 of 7 requests are done \(kept in old\.csv\.ents\); to resume, run:\n      ents network [^\n]+\n$/,
    );
    expect(readFileSync(home.path(OUT))).toEqual(old);
    expect(readdirSync(home.folder)).toEqual([OUT, PARTIAL]);
    expect(listKept(home)).toHaveLength(3);

    stuck = false;
    const again = /^ {6}(ents .*)$/m.exec(run.stderr)?.[1] ?? "";
    // In the shell for which the command was quoted, and without a shell.
    const next = await (isReal && signal === "SIGINT" ? home.shell : home.line)(again, { env: envFor(service) });
    expect(next).toEqual({
      code: 0,
      signal: null,
      stdout: "",
      stderr: `ents: note: resuming: 3 of 7 requests are already done (kept in ${PARTIAL})\n`,
    });
    expect(readFileSync(home.path(OUT), "utf8")).toBe(await whole);
    expect(readdirSync(home.folder)).toEqual([OUT]);
    expect(service.requests).toHaveLength(PIECES + 1);
  },
);

test.concurrent("SIGINT during output to standard output: the message suggests -o", async () => {
  const service = await startWorldService({ play: ({ piece }) => (piece === 3 ? { instead: "stall" } : undefined) });
  const { finished, stop } = startStoppable(createHome(), [...QUERY, ...CUT, "-f", "csv", "--concurrency", "1"], {
    env: envFor(service),
  });
  await Promise.race([service.received(4), finished]);
  const run = await stop("SIGINT");
  expect(run).toMatchObject({
    code: 130,
    stderr: "ents: note: stopped; 3 of 7 requests were done; write to a file with -o to make this resumable\n",
  });
  expect((await whole).startsWith(run.stdout)).toBe(true);
});

test.concurrent("SIGINT before anything is stored leaves nothing behind", async () => {
  const service = await startWorldService({ play: () => ({ instead: "stall" }) });
  const home = createHomeWithFile();
  const { finished, stop } = startStoppable(home, COMMAND, { env: envFor(service) });
  await Promise.race([service.received(1), finished]);
  expect(await stop("SIGINT")).toMatchObject({ code: 130, stderr: "" });
  expect(readdirSync(home.folder)).toEqual([OUT]);
});
