/** Progress appears on a terminal, and nowhere else. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { refusal } from "../e2e/envelopes.ts";
import { CUT, envFor, OUT, QUERY, runIn, startWorldService } from "../faults/world-service.ts";
import { isDue } from "../support/extent.ts";
import { createHome, ENTS } from "../support/run-ents.ts";
import type { ScriptedService } from "../support/scripted-service.ts";
import { hasTmux, onTerminal } from "../support/tmux.ts";
import { COMMAND } from "./partial.ts";

/** At 80 columns. */
const MOVING =
  /^\[=+> +\] +\d\d %(?: {2}2025-01-01T0\d:00 to 2025-01-01T0\d:00)?(?: {2}\d+\.\d requests\/s)? {2}\d+ s left$/;

/** A service that once asks the client to wait. */
function startPatientService(delayMs: number, seconds = 1): Promise<ScriptedService> {
  return startWorldService({
    play: ({ piece, attempt, good }) =>
      piece === 4 && attempt === 1
        ? refusal(429, "Too many requests", { "retry-after": String(seconds) })
        : { ...good, delayMs },
  });
}

/** One after the other, so that progress is the same each time. */
const ONE_BY_ONE = [...COMMAND, "--concurrency", "1"];

test.skipIf(!isDue(hasTmux))(
  "on a terminal: bar, share, window, rate, time left and a wait that counts down; at the end, the summary",
  async () => {
    const { written, screen } = await recordTerminal(ONE_BY_ONE, await startPatientService(150, 2));
    const lines = written.split("\r").map((part) => part.replace("\u001b[K", "").trimEnd());
    expect(lines).toContainEqual(expect.stringMatching(MOVING));
    const waits = lines.flatMap(
      (line) =>
        /^\[=+> +\] {3}57 % {2}rate limited \(HTTP 429\); retrying in (\d) s \(try 2 of 5\)$/.exec(line)?.[1] ?? [],
    );
    // On a slow machine, some of them may not be drawn.
    const drawn = [...new Set(waits)];
    expect(drawn.length).toBeGreaterThan(0);
    expect(["2", "1"].filter((left) => drawn.includes(left))).toEqual(drawn);
    expect(written.slice(0, written.indexOf("ents: wrote"))).not.toContain("\n");
    expect(screen).toMatch(/^ents: wrote old\.csv: 378 rows, 21 kB, 7 requests, [^,\n]+\n\[exit 0\]/);
  },
);

test.concurrent("the progress line is cleared at the end", async () => {
  const { stderr } = await runIn({ service: await startPatientService(0) }, ONE_BY_ONE, { columns: 100 });
  expect(stderr).toMatch(/\r\[=+> +\] +\d\d % /);
  expect(readScreen(stderr)).toMatch(/^ents: wrote old\.csv: [^\n]*\n$/);
});

test.concurrent("the progress line leaves space for the ^C that a terminal adds", async () => {
  const { stderr } = await runIn({ service: await startPatientService(0) }, ONE_BY_ONE, { columns: 80 });
  const widths = stderr.split("\r").map((line) => line.replace("\u001b[K", "").length);
  expect(Math.max(...widths.slice(1, -1))).toBeGreaterThan(60);
  expect(Math.max(...widths.slice(1, -1))).toBeLessThanOrEqual(77);
});

test.concurrent("a warning has a line of its own, above the progress", async () => {
  const odd = '"data":[["2025-01-01T01:55:00+10:00",-1.00],["';
  const service = await startWorldService({
    play: ({ piece, good }) =>
      piece === 2 ? { ...good, body: String(good.body).replace('"data":[["', odd) } : undefined,
  });
  const { stderr } = await runIn({ service }, ONE_BY_ONE, { columns: 100 });
  expect(stderr).toContain(" 14 % ");
  expect(readScreen(stderr)).toMatch(
    /^ents: warning: two responses disagree on power_NSW1_false at [^\n]*\n {6}[^\n]* using the later\nents: wrote [^\n]*\n$/,
  );
});

test.concurrent.for([
  ["--no-progress", /^ents: wrote old\.csv: [^\n]*\n$/],
  ["-q", /^$/],
] as const)("no progress with %s", async ([flag, left]) => {
  const run = await runIn({ service: await startPatientService(0) }, [...ONE_BY_ONE, flag], { columns: 100 });
  expect(run).toMatchObject({ code: 0, stderr: expect.stringMatching(left) as string });
});

test.concurrent.for([
  ["x.svg", "378 points"],
  ["x.json", "378 points"],
] as const)("output to %s is counted as %s", async ([name, count]) => {
  const args = [...QUERY, ...CUT, "-o", name];
  const { stderr } = await runIn({ service: await startPatientService(0) }, args, { columns: 100 });
  expect(readScreen(stderr)).toContain(`ents: wrote ${name}: ${count}, `);
});

test.concurrent("no progress on a terminal that cannot clear a line", async () => {
  const service = await startPatientService(0);
  const run = await runIn({ service }, ONE_BY_ONE, { columns: 100, env: { ...envFor(service), TERM: "dumb" } });
  expect(run).toMatchObject({ code: 0, stderr: expect.stringMatching(/^ents: wrote [^\n]*\n$/) as string });
});

test.concurrent("data on the same terminal start on a cleared line", async () => {
  const args = [...QUERY, ...CUT, "-f", "csv", "--concurrency", "1"];
  const { stdout } = await runIn({ service: await startPatientService(0) }, args, { columns: 100, together: true });
  expect(stdout).toMatch(/\r\[=+> +\] +\d\d % /);
  const lines = readScreen(stdout).trimEnd().split("\n");
  expect(lines.filter((line) => !/^(timestamp,|2025-01-01T)[^ ]*$/.test(line))).toEqual([]);
  expect(lines).toHaveLength(379);
});

test.concurrent("no progress without a terminal; -v prints one summary line", async () => {
  const home = createHome();
  expect(await runIn({ home, service: await startPatientService(0) }, COMMAND)).toMatchObject({ code: 0, stderr: "" });
  const verbose = await runIn({ home, service: await startPatientService(0) }, [...QUERY, ...CUT, "-o", OUT, "-v"]);
  expect(verbose.stderr.match(/^ents: 7 requests answered, 1 retr(?:y|ies), [\d,]+ points, \d+\.\d s$/gm)).toHaveLength(
    1,
  );
  expect(verbose.stderr.trimEnd().split("\n").at(-1)).toMatch(/7 requests answered/);
  expect(verbose.stderr).not.toMatch(/wrote|\r|\u001b/);
});

/**
 * The visible text after everything that was written: `\r` returns to the start of the line, `ESC [K` clears the rest.
 */
function readScreen(written: string): string {
  const lines = written.split("\n").map((line) => line.split("\r").reduce((shown, part) => writeOver(shown, part), ""));
  return lines.join("\n");
}

function writeOver(shown: string, part: string): string {
  const [text = "", ...after] = part.split("\u001b[K");
  return after.length > 0 ? text + after.join("") : text + shown.slice(text.length);
}

/** Runs a command on a terminal; all that it writes there, and the screen at its end. */
async function recordTerminal(args: readonly string[], service: ScriptedService) {
  const home = createHome();
  const quote = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;
  // It waits for Enter, so that nothing is written before the recording.
  const line = `stty -echo; printf ready; read -r go; clear; ${[process.execPath, ENTS, ...args].map(quote).join(" ")}`;
  const bytes = home.path("bytes");
  let screen = "";
  await onTerminal(line, { home, columns: 80, rows: 20, env: envFor(service) }, async ({ tmux, type, until }) => {
    await until(/ready/);
    tmux("pipe-pane", `cat > ${bytes}`);
    type("\n");
    screen = await until(/\[exit \d+\]/);
  });
  return { screen, written: readFileSync(bytes, "utf8").split("\u001b[J").at(-1) ?? "" };
}
