/** Of two simultaneous runs with the same output, one writes it. */
import { spawnSync } from "node:child_process";
import { chownSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { createHomeWithFile, expectError } from "../e2e/old-file.ts";
import {
  CUT,
  envFor,
  fetchWhole,
  OUT,
  PIECES,
  QUERY,
  runIn,
  startIn,
  startWorldService,
} from "../faults/world-service.ts";
import { describeProcess } from "../../src/main/process-context.ts";
import { FULL, isDue, runs, some } from "../support/extent.ts";
import { createGate } from "../support/gate.ts";
import { canBeNobody, NOBODY } from "../support/root.ts";
import { startStoppable } from "../support/stoppable.ts";
import { COMMAND, listKept, PARTIAL, stopAfter } from "./partial.ts";
import { HAS_PROC } from "../support/platform.ts";

let whole: string;

beforeAll(async () => {
  whole = await fetchWhole(QUERY, ["-f", "csv"]);
});

const HIDE_PROCESSES =
  "unshare -m sh -c 'mount -t proc -o hidepid=2 proc /proc && exec setpriv --reuid 65534 --regid 65534 --clear-groups";

test.concurrent.for([
  ["the same command", COMMAND],
  ["another command", [...COMMAND, "--no-header"]],
] as const)("%s while the first is running: exit 6, and the first is unharmed", async ([, command]) => {
  const gate = createGate();
  const service = await startWorldService({
    play: ({ piece, good }) => (piece === 3 ? { ...good, after: gate.opened } : undefined),
  });
  const home = createHomeWithFile();
  const first = startStoppable(home, [...COMMAND, "--concurrency", "1"], { env: envFor(service), isReal: FULL });
  await Promise.race([service.received(4), first.finished]);
  const before = service.requests.length;
  const second = await runIn({ home, service }, command);
  expectError(second, 6, new RegExp(`^ents: another ents \\(process ${first.pid ?? "\\d+"}\\) is writing ${OUT}\n`));
  expect(second.stderr).toContain(join(PARTIAL, "lock"));
  expect(service.requests.length).toBe(before);
  gate.open();
  expect(await first.finished).toMatchObject({ code: 0, stderr: "" });
  expect(readFileSync(home.path(OUT), "utf8")).toBe(whole);
  expect(readdirSync(home.folder)).toEqual([OUT]);
});

test.concurrent("many at the same instant: each finishes or is refused, and the file is complete", async () => {
  const service = await startWorldService();
  const home = createHomeWithFile();
  const ends = await Promise.all(
    Array.from({ length: runs(2, 10) }, () => startIn({ home, service }, COMMAND).finished),
  );
  const [done, refused] = [ends.filter(({ code }) => code === 0), ends.filter(({ code }) => code !== 0)];
  expect(done.length).toBeGreaterThanOrEqual(1);
  for (const run of refused) expectError(run, 6, /another ents \(process \d+\) is writing/);
  expect(readFileSync(home.path(OUT), "utf8")).toBe(whole);
  expect(readdirSync(home.folder)).toEqual([OUT]);
});

test.concurrent("without resume a second run needs no lock: it finishes, and the first is unharmed", async () => {
  const gate = createGate();
  const service = await startWorldService({
    play: ({ piece, good }) => (piece === 3 ? { ...good, after: gate.opened } : undefined),
  });
  const quick = await startWorldService();
  const home = createHomeWithFile();
  const first = startStoppable(home, [...COMMAND, "--concurrency", "1"], { env: envFor(service) });
  await Promise.race([service.received(4), first.finished]);
  const kept = listKept(home);
  expect(await runIn({ home, service: quick }, [...COMMAND, "--no-resume"])).toMatchObject({ code: 0, stderr: "" });
  expect(readFileSync(home.path(OUT), "utf8")).toBe(whole);
  expect(listKept(home)).toEqual(kept);
  gate.open();
  expect(await first.finished).toMatchObject({ code: 0, stderr: "" });
  expect(readFileSync(home.path(OUT), "utf8")).toBe(whole);
  expect(readdirSync(home.folder)).toEqual([OUT]);
});

const { identity } = describeProcess();
const ended = { ...identity, pid: spawnSync(process.execPath, ["-v"]).pid };

const STALE_LOCKS = [
  ["of a process that has ended", JSON.stringify(ended), 0],
  ["whose process number belongs to another program by now", JSON.stringify({ ...identity, started: "1" }), 0],
  ["of another machine that is silent", JSON.stringify({ ...identity, host: "another" }), 90],
  ["of nobody", "no number", 0],
  ["from before the machine was started again", JSON.stringify({ ...identity, boot: "another" }), 0],
  ["of another container that is silent", JSON.stringify({ ...identity, namespace: "pid:[1]" }), 90],
  ["that is empty", "", 0],
] as const;

test.concurrent.for(some(4, STALE_LOCKS).filter(([what]) => HAS_PROC || !what.startsWith("whose")))(
  "a lock %s is taken over, and gone at the end",
  async ([, content, seconds]) => {
    const { home, service, before } = await stopAfter(2);
    const lock = join(home.path(PARTIAL), "lock");
    writeFileSync(lock, content);
    const then = Date.now() / 1000 - seconds;
    utimesSync(lock, then, then);
    expect(await runIn({ home, service }, COMMAND)).toMatchObject({ code: 0 });
    expect(readFileSync(home.path(OUT), "utf8")).toBe(whole);
    expect(readdirSync(home.folder)).toEqual([OUT]);
    expect(service.requests).toHaveLength(before + PIECES - 2);
  },
);

test.skipIf(!FULL || !isDue(canHideProcesses(), "root"))(
  "if other users' processes are hidden, a lock is only taken over when silent (needs root and unshare)",
  async () => {
    const { home, service } = await stopAfter(2);
    for (const path of [home.folder, home.path(OUT), home.path(PARTIAL), ...listKept(home)])
      chownSync(path, NOBODY.uid, NOBODY.gid);
    const lock = join(home.path(PARTIAL), "lock");
    // A running process of root; other users cannot tell whether it is the one that had this number before.
    writeFileSync(lock, JSON.stringify({ ...identity, pid: 1, started: "1" }));
    chownSync(lock, NOBODY.uid, NOBODY.gid);
    const line = `${HIDE_PROCESSES} ents ${COMMAND.join(" ")}'`;
    const fresh = await home.shell(line, { env: envFor(service) });
    expectError(fresh, 6, /^ents: another ents \(process 1\) is writing/);
    utimesSync(lock, Date.now() / 1000 - 90, Date.now() / 1000 - 90);
    expect(await home.shell(line, { env: envFor(service) })).toMatchObject({ code: 0 });
    expect(readFileSync(home.path(OUT), "utf8")).toBe(whole);
  },
);

test.concurrent("a file in place of the folder: exit 6, and both files are unchanged", async () => {
  const service = await startWorldService();
  const home = createHomeWithFile();
  const old = readFileSync(home.path(OUT));
  writeFileSync(home.path(PARTIAL), "mine");
  expectError(await runIn({ home, service }, COMMAND), 6, /cannot store responses in old\.csv\.ents/);
  expect(readFileSync(home.path(OUT))).toEqual(old);
  expect(readFileSync(home.path(PARTIAL), "utf8")).toBe("mine");
  expect(readdirSync(home.folder)).toEqual([OUT, PARTIAL]);
  expect(service.requests).toEqual([]);
});

test.concurrent("a missing directory: exit 6, and none is made", async () => {
  const service = await startWorldService();
  const home = createHomeWithFile();
  const run = await runIn({ home, service }, [...QUERY, ...CUT, "-o", "no/such/out.csv"]);
  expectError(run, 6, /no\/such\/out\.csv[^\n]*: its directory does not exist/);
  expect(readdirSync(home.folder)).toEqual([OUT]);
  expect(service.requests).toEqual([]);
});

test.concurrent("a folder in place of the output: exit 6, and nothing is left behind", async () => {
  const service = await startWorldService();
  const home = createHomeWithFile();
  mkdirSync(home.path("folder"));
  expect(await runIn({ home, service }, [...QUERY, "--max-window", "1h", "-o", "folder"])).toMatchObject({ code: 6 });
  expect(readdirSync(home.folder)).toEqual(["folder", OUT]);
  expect(service.requests).toEqual([]);
});

function canHideProcesses(): boolean {
  return canBeNobody && spawnSync("/bin/sh", ["-c", `${HIDE_PROCESSES} true'`]).status === 0;
}
