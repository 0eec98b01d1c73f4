/** Help fits a terminal of 80 columns, and its examples work as they stand for a newcomer with a free key. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { Interrupted } from "../../src/base/errors.ts";
import { loadCommands } from "../../src/cli/known-commands.ts";
import { COMMANDS } from "../../src/commands/all.ts";
import { startSandbox } from "../../src/sandbox/sandbox.ts";
import { runs } from "../support/extent.ts";
import { runInProcess, type RunOptions } from "../support/run-in-process.ts";
import { readPlainLine } from "../support/shell-words.ts";

const root = mkdtempSync(join(tmpdir(), "ents-help-"));
afterAll(() => rmSync(root, { recursive: true }));

const names = ["ents", ...(await loadCommands(COMMANDS)).map(({ name }) => name)];

test.each(names)("%s --help fits 80 columns, on a terminal of 80 or of an unknown width and in a pipe, and 100", async (name) => {
  for (const columns of [undefined, 0, 80, 100]) {
    const options = columns === undefined ? {} : { columns };
    const { code, stdout } = await runInProcess([...name.split(" ").slice(1), "--help"], { cwd: root, env: {} }, options);
    expect(code).toBe(0);
    expect(stdout.split("\n").length).toBeGreaterThan(8);
    expect(stdout.split("\n").filter((line) => line.length > (columns || 80))).toEqual([]);
  }
});

const examples = (await Promise.all(COMMANDS.slice(0, 3).map((entry) => entry.load()))).flatMap((spec) => spec.examples ?? []);

const TIMES = [
  ["in a year", 365 * 86_400_000],
  ["today", 0],
] as const;

describe.each(TIMES.slice(0, runs(1, 2)))("the examples %s, with a community key", (_, later) => {
  test.concurrent.each(examples.map(({ command }) => command))("%s", async (command) => {
    const now = () => Date.now() + later;
    const service = await startSandbox({ plan: "community", now });
    const cwd = mkdtempSync(join(root, "example-"));
    writeFileSync(join(cwd, "codes.txt"), "BAYSW\nMP\n");
    const env = { ENTS_BASE_URL: service.baseUrl, ENTS_TOKEN: service.token, ENTS_CONFIG_DIR: join(cwd, "config") };
    const { code, stdout, stderr } = await runInProcess(readPlainLine(command)?.args ?? [], { cwd, env }, stopAtFirstWait(command, now));
    await service.close();
    const [file] = readdirSync(cwd).filter((name) => name.endsWith(".csv"));
    const rows = (file === undefined ? stdout : readFileSync(join(cwd, file), "utf8")).trim().split("\n");
    expect({ code, stderr: stderr.replaceAll(/^ents: warning: the last bucket is partial: .*\n/gm, "") }).toEqual({
      code: command.includes("--follow") ? 130 : 0,
      stderr: "",
    });
    expect(rows.length).toBeGreaterThan(5);
    for (const facility of ["BW01", "MP1"]) expect(stdout.includes(facility)).toBe(/BAYSW|@codes/.test(command));
  });
});

/** What follows has no end of its own. */
function stopAtFirstWait(command: string, now: () => number): RunOptions {
  const stop = new AbortController();
  const sleep = async () => {
    stop.abort(new Interrupted("SIGINT"));
    return Promise.reject(stop.signal.reason as Error);
  };
  return command.includes("--follow") ? { clock: { now, sleep }, signal: stop.signal } : { clock: { now } };
}
