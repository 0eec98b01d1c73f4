/** `-o` on something other than a regular file: it is written like standard output, and nothing is kept beside it. */
import { execFileSync } from "node:child_process";
import {
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { CUT, envFor, fetchWhole, QUERY, runIn, startIn, startWorldService } from "../faults/world-service.ts";
import { hours, type World } from "../faults/world.ts";
import { FULL, isDue, runs } from "../support/extent.ts";
import { createHome, type Home, type Run } from "../support/run-ents.ts";
import { startService } from "../support/scripted-service.ts";
import { envelope } from "./envelopes.ts";

const COMMAND = [...QUERY, ...CUT, "--concurrency", "1", "-f", "csv"].join(" ");
const whole = fetchWhole(QUERY, ["-f", "csv"]);
const hasBash = canRun("bash", "-c", ":");

/** Runs a shell line in a home of its own; `$ENTS` is an export of seven requests. */
async function shell(line: string, world?: Partial<World>): Promise<Run & { readonly home: Home }> {
  const service = await startWorldService(world ? { world } : {});
  const home = createHome();
  return { ...(await home.shell(line, { env: { ...envFor(service), ENTS: `ents ${COMMAND}` } })), home };
}

/** Runs the same export in this process. */
async function exportTo(output: string, home: Home): Promise<Run> {
  return runIn({ home, service: await startWorldService() }, [...QUERY, ...CUT, "-f", "csv", "-o", output]);
}

const LOGS = [
  ["a link to /dev/stdout", "ln -s /dev/stdout link; $ENTS -o link >> log; test -L link"],
  ["/dev/stderr", "$ENTS -o /dev/stderr 2>> log"],
  ["/dev/stdout", "$ENTS -o /dev/stdout >> log"],
  ["a descriptor", "$ENTS -o /dev/fd/3 3>> log"],
] as const;

test.concurrent.for(LOGS.slice(0, runs(1, 4)))("%s appends to a log", async ([, line]) => {
  const { home, ...run } = await shell(`echo before > log; ${line}`);
  expect(run).toEqual({ code: 0, signal: null, stdout: "", stderr: "" });
  expect(readFileSync(home.path("log"), "utf8")).toBe(`before\n${await whole}`);
  expect(readdirSync(home.folder).filter((name) => name !== "link")).toEqual(["log"]);
});

test.runIf(FULL).concurrent("/dev/stdout into a pipe", async () => {
  const { home, ...run } = await shell("$ENTS -o /dev/stdout | cat");
  expect(run).toEqual({ code: 0, signal: null, stdout: await whole, stderr: "" });
  expect(readdirSync(home.folder)).toEqual([]);
});

const LATE: Partial<World> = {
  series: [{ labels: { region: "NSW1" } }, { labels: { region: "NSW1", fueltech: "wind" }, from: hours(5) }],
};

/** How many of the concurrent requests were already answered depends on timing. */
const hideDone = (stderr: string) => stderr.replace(/\d of 7 requests were done/, "some of 7 requests were done");

const LATE_ENDS = [
  ["a named pipe", "mkfifo pipe; cat pipe & $ENTS -o pipe; wait; rm pipe"],
  ["/dev/stdout", "$ENTS -o /dev/stdout"],
  ["/dev/fd/3", "$ENTS -o /dev/fd/3 3>&1 | cat"],
] as const;

test.runIf(FULL).concurrent.for(LATE_ENDS)(
  "a column that appears late ends %s like standard output: one header, and the reason",
  async ([, line]) => {
    const plain = await runIn({ service: await startWorldService({ world: LATE }) }, COMMAND.split(" "));
    expect(plain.code).toBe(4);
    const { home, ...run } = await shell(line, LATE);
    expect(run.stdout).toBe(plain.stdout);
    expect(hideDone(run.stderr)).toBe(hideDone(plain.stderr));
    expect(run.stdout.match(/^timestamp/gm)).toHaveLength(1);
    expect(readdirSync(home.folder)).toEqual([]);
  },
);

test.concurrent("a named pipe gets everything, with a note while its reader is late", async () => {
  const reader = "for i in $(seq 200); do test -s told && break; sleep 0.1; done; cat pipe > copy";
  const { home, ...run } = await shell(
    `mkfifo pipe; $ENTS -o pipe 2> told & ${reader}; wait $! && test -p pipe && cat told >&2; rm told`,
  );
  expect(run).toEqual({ code: 0, signal: null, stdout: "", stderr: "ents: note: waiting for a reader of pipe\n" });
  expect(readFileSync(home.path("copy"), "utf8")).toBe(await whole);
  expect(readdirSync(home.folder)).toEqual(["copy", "pipe"]);
});

test.concurrent("the format of a named pipe is that of standard output, unless its extension is known", async () => {
  const home = createHome();
  const service = await startWorldService();
  for (const [name, start] of [
    ["pipe.1a2b", "timestamp,network,"],
    ["pipe.json", '{\n  "version":'],
  ] as const) {
    execFileSync("mkfifo", [home.path(name)]);
    const reader = home.shell(`cat ${name}`);
    expect(await runIn({ home, service }, [...QUERY, "-o", name])).toMatchObject({ code: 0, stderr: "" });
    expect((await reader).stdout.slice(0, start.length)).toBe(start);
  }
});

const MANY = {
  body: envelope([
    {
      series: [
        { points: Array.from({ length: 20_000 }, (_, index) => [`${timestampOf(index)}+10:00`, index] as const) },
      ],
    },
  ]),
};

function timestampOf(index: number): string {
  return new Date(Date.UTC(2024, 0, 1) + index * 300_000).toISOString().slice(0, 19);
}

test.runIf(FULL).concurrent("a reader that leaves a named pipe ends the export quietly, with 0", async () => {
  const service = await startService(() => MANY);
  const home = createHome();
  const line = "mkfifo pipe; head -1 pipe & ents network NEM -m power -o pipe; echo $?; wait";
  expect(await home.shell(line, { env: envFor(service) })).toMatchObject({
    stdout: "timestamp,network,metric,unit,value\n0\n",
    stderr: "",
  });
});

const SIGNALS = [
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const;

test.concurrent.for(SIGNALS.slice(0, runs(1, 2)))("%s ends the wait for a reader", async ([signal, code]) => {
  const service = await startWorldService();
  const home = createHome();
  execFileSync("mkfifo", [home.path("pipe")]);
  const { child, finished } = startIn({ home, service }, [...QUERY, "-o", "pipe", "-v"]);
  // The last message before it opens the pipe.
  await new Promise<void>((resolve) => child.stderr?.on("data", (text: string) => text.includes("token") && resolve()));
  await sleep(200);
  child.kill(signal);
  expect(await finished).toMatchObject({ code, signal: null });
  expect(service.requests).toEqual([]);
  expect(readdirSync(home.folder)).toEqual(["pipe"]);
});

test.concurrent.for(runs(["-o pipe"], ["> pipe", "-o pipe", "-o /dev/fd/3 3> pipe"]))(
  "SIGTERM ends a write without a reader: %s",
  async (output) => {
    const service = await startService(() => MANY);
    const home = createHome();
    execFileSync("mkfifo", [home.path("pipe")]);
    const reader = openSync(home.path("pipe"), constants.O_RDWR);
    const finished = home.shell(
      `ents network NEM -m power ${output} & until test -e full; do sleep 0.1; done; kill -TERM $!; wait $!; echo $? >&2`,
      { env: envFor(service) },
    );
    await service.received(1);
    await sleep(700);
    writeFileSync(home.path("full"), "");
    const { stderr } = await finished;
    closeSync(reader);
    expect(stderr).toBe("143\n");
  },
);

test.runIf(FULL && isDue(hasBash)).concurrent(">(gzip) gets everything, and ends (needs bash)", async () => {
  const { home, ...run } = await shell(
    `bash -c '$ENTS -o >(gzip > all.gz) && until gzip -t all.gz 2>&-; do sleep 0.1; done'`,
  );
  expect(run).toEqual({ code: 0, signal: null, stdout: "", stderr: "" });
  expect(gunzipSync(readFileSync(home.path("all.gz"))).toString()).toBe(await whole);
  expect(readdirSync(home.folder)).toEqual(["all.gz"]);
});

test.concurrent("/dev/null takes an export of several requests, /dev/full is exit 6; nothing is left in /dev", async () => {
  const before = readdirSync("/dev").filter((name) => name.includes("ents"));
  expect(await exportTo("/dev/null", createHome())).toMatchObject({ code: 0, stderr: "" });
  expect(lstatSync("/dev/null").isCharacterDevice()).toBe(true);
  expect(await exportTo("/dev/full", createHome())).toMatchObject({
    code: 6,
    stderr: expect.stringMatching(/^ents: cannot write to \/dev\/full: the disk is full\n/) as string,
  });
  expect(readdirSync("/dev").filter((name) => name.includes("ents"))).toEqual(before);
});

test.concurrent.for(
  runs(
    ["ents --version"],
    ["$ENTS", "$ENTS -o /dev/stdout", "$ENTS --dry-run", "ents metrics", "ents --help", "ents --version"],
  ),
)("a closed standard output is exit 6: %s (if /proc shows it)", async (command) => {
  const { code, stderr } = await shell(`${command} >&-`);
  expect({ code, stderr }).toEqual({
    code: 6,
    stderr: expect.stringMatching(/^ents: cannot write to standard output: it is closed\n/) as string,
  });
});

test.runIf(FULL).concurrent("a closed standard output does not affect output to a file", async () => {
  const { home, code } = await shell("$ENTS -o new.csv >&-");
  expect(code).toBe(0);
  expect(readFileSync(home.path("new.csv"), "utf8")).toBe(await whole);
});

test
  .runIf(FULL)
  .concurrent("a descriptor that the user has not opened is exit 6, even if Node has opened it", async () => {
    const descriptors = [3, 4, 7, 13];
    const { stdout } = await shell(
      `for fd in ${descriptors.join(" ")}; do $ENTS -o /dev/fd/$fd 2>&1 | cat; done; echo "end"`,
    );
    const refusals = stdout.match(/^ents: cannot write (to )?\/dev\/fd\/\d+: .*\n( {6}.*\n)?/gm) ?? [];
    expect(refusals).toHaveLength(descriptors.length);
    expect(stdout).toBe(`${refusals.join("")}end\n`);
  });

test.concurrent("a chain of links to a missing file: the file is created there, and every link stays", async () => {
  const home = createHome();
  mkdirSync(home.path("data"));
  for (const [link, to] of Object.entries({ a: "b", b: "data/c", "data/c": "../data/../data/real.csv" }))
    symlinkSync(to, home.path(link));
  expect(await exportTo("a", home)).toMatchObject({ code: 0, stderr: "" });
  expect(readFileSync(home.path("data/real.csv"), "utf8")).toBe(await whole);
  for (const link of ["a", "b", "data/c"]) expect(lstatSync(home.path(link)).isSymbolicLink()).toBe(true);
  expect(readdirSync(home.folder)).toEqual(["a", "b", "data"]);
});

test.concurrent("`..` after a link to a directory is that directory's parent", async () => {
  const home = createHome();
  mkdirSync(home.path("far/away"), { recursive: true });
  symlinkSync("far/away", home.path("link"));
  expect(await exportTo("link/../new.csv", home)).toMatchObject({ code: 0, stderr: "" });
  expect(readdirSync(home.path("far"))).toEqual(["away", "new.csv"]);
});

test.concurrent.for([
  ["links that form a loop", "loop", "its links form a loop"],
  ["a link into a directory that is missing", "lost", "its directory does not exist"],
  ["a directory that is missing", "no/such/new.csv", "its directory does not exist"],
] as const)("%s: exit 6 before any request, with a token or without", async ([, path, reason]) => {
  const service = await startWorldService();
  const home = createHome();
  symlinkSync("loop2", home.path("loop"));
  symlinkSync("loop", home.path("loop2"));
  symlinkSync("no/such/new.csv", home.path("lost"));
  const error = { code: 6, stderr: expect.stringContaining(`ents: cannot write ${path}: ${reason}\n`) as string };
  for (const flags of [CUT, ["--max-window", "none"], [...CUT, "--no-resume"]]) {
    expect(await runIn({ home, service }, [...QUERY, ...flags, "-o", path])).toMatchObject(error);
  }
  expect(await home.run([...QUERY, "-o", path])).toMatchObject(error);
  expect(service.requests).toEqual([]);
  expect(readdirSync(home.folder)).toEqual(["loop", "loop2", "lost"]);
});

function canRun(file: string, ...args: string[]): boolean {
  try {
    execFileSync(file, args);
    return true;
  } catch {
    return false;
  }
}
