/**
 * What a message suggests works: the earliest start that a plan allows, the end that includes the last interval, the
 * command that resumes.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { startSandbox } from "../../src/index.ts";
import { atEndOfFile } from "../support/cleanup.ts";
import { createHome, runEnts } from "../support/run-ents.ts";
import { startService } from "../support/scripted-service.ts";
import { createVirtualClock } from "../support/virtual-clock.ts";
import { envelope, POWER, refusal, TOKEN } from "./envelopes.ts";
import { HAS_LONG_NAME_ERROR } from "../support/platform.ts";

const FETCH = ["network", "NEM", "-m", "power"];

test.concurrent.for([
  ["5m", "730d"],
  ["1h", "2y"],
  ["1d", "730d"],
  ["7d", "2y"],
  ["1M", "2y"],
  ["1y", "3y"],
] as const)(
  "-i %s --last %s with a community key: the start that the refusal suggests is allowed",
  async ([interval, last]) => {
    const fetch = async (window: readonly string[]) => {
      // One sandbox for each run: time stands still here, so a shared rate limit would never recover.
      const sandbox = await startSandbox({ plan: "community" });
      atEndOfFile(() => sandbox.close());
      const env = { ENTS_TOKEN: sandbox.token, ENTS_BASE_URL: sandbox.baseUrl };
      return runEnts([...FETCH, "-i", interval, ...window, "-f", "csv", "-q", "--concurrency", "1"], { env });
    };
    const refused = await fetch(["--last", last]);
    expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining("the last 730 days.\n") as string });
    const [, named, start] =
      / {6}the earliest start allowed is (\S+) \(network time\): use -s (\S+)$/m.exec(refused.stderr) ?? [];
    expect(start).toBe(named);
    expect(start).toMatch(
      interval === "5m" || interval === "1h" ? /^\d{4}-\d\d-\d\d(T\d\d:\d\d)?$/ : /^\d{4}-\d\d-\d\d$/,
    );
    const allowed = await fetch(["-s", start as string, "-e", start as string]);
    expect(allowed).toMatchObject({ code: 0, stderr: "" });
    expect(allowed.stdout.split("\n")[1]?.slice(0, 10)).toBe(start?.slice(0, 10));
  },
);

test.concurrent.for([80, 40])(
  "notes, warnings and errors wrap at words at %i columns; the command to resume does not",
  async (columns) => {
    const home = createHome();
    const service = await startService(({ url }) => (url.includes("2025-01-01") ? POWER : refusal(500, "broken")));
    const args = [
      ...FETCH,
      "-i",
      "5m",
      "-s",
      "2025-01",
      "-e",
      "2025-01",
      "--max-window",
      "8d",
      "-o",
      "prices.csv",
      "--retries",
      "0",
    ];
    const env = { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url };
    const { stderr } = await home.run([...args, "--no-progress"], { env, columns });
    const lines = stderr.trimEnd().split("\n");
    const command = / {6}(ents network .*)$/m.exec(stderr)?.[1];
    expect(command).toMatch(/^ents network NEM --metrics power .* --output prices\.csv .*--base-url/);
    expect(lines.filter((line) => line.length > columns && !line.includes(command ?? ""))).toEqual([]);
    expect(lines.filter((line) => !/^ents: |^ {6}\S/.test(line))).toEqual([]);
    const piped = await createHome().run([...args, "--no-progress"], { env });
    expect(piped.stderr.replaceAll(/\s+/g, " ")).toBe(stderr.replaceAll(/\s+/g, " "));
    expect(piped.stderr.split("\n").length).toBeLessThan(stderr.split("\n").length);
  },
);

test.concurrent("the suggested start is the first interval inside the limit, in network time", async () => {
  const service = await startService(() =>
    refusal(400, "Date start is too far in the past. Your plan allows data from the last 730 days."),
  );
  const clock = { ...createVirtualClock(), now: () => Date.parse("2026-11-21T15:52:10Z") };
  const env = { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url };
  const starts = {
    "5m": "2024-11-22T02:05",
    "1h": "2024-11-22T03:00",
    "1d": "2024-11-23",
    "1M": "2024-12-01",
    fy: "2025-07-01",
  };
  for (const [interval, start] of Object.entries(starts)) {
    const { stderr } = await runEnts([...FETCH, "-i", interval, "-s", "2024-11-01", "-e", "2026-11-02"], {
      env,
      clock,
    });
    expect(stderr).toContain(`\n      the earliest start allowed is ${start} (network time): use -s ${start}\n`);
  }
  const period = await runEnts([...FETCH, "-i", "1d", "--during", "FY2025"], { env, clock });
  expect(period.stderr).toContain(`: use -s 2024-11-23 -e 2025-06-30T23:59:59\n`);
  const tooOld = await runEnts([...FETCH, "-i", "1d", "-s", "2024-01-01", "-e", "2024-02-01"], { env, clock });
  expect(tooOld.stderr).toMatch(/ {6}the earliest start allowed is 2024-11-23 \(network time\)\n$/);
  const recent = await runEnts([...FETCH, "-i", "1d", "-s", "2026-11-01"], { env, clock });
  expect(recent).toMatchObject({ code: 4, stderr: expect.not.stringContaining("first start") as string });
  const elsewhere = await runEnts(["network", "XYZ", "-m", "power", "-i", "1h", "-s", "2024-11-01"], { env, clock });
  expect(elsewhere).toMatchObject({ code: 4, stderr: expect.not.stringContaining("first start") as string });
});

test.concurrent.for([
  ["5m", "2025-01-31T12:00", "2025-01-31T12:00", "2025-01-31T12:04:59"],
  ["5m", "2025-01-31T11:57", "2025-01-31T12:00", "2025-01-31T12:04:59"],
  ["1h", "2025-01-31T12:00", "2025-01-31T12:00", "2025-01-31T12:59:59"],
  ["1d", "2025-01-31", "2025-01-31T00:00", "2025-01-31"],
  ["1M", "2025-01-01", "2025-01-01T00:00", "2025-01-31"],
] as const)("-i %s -s %s -e %s without data: -e %s includes the interval", async ([interval, start, end, proposed]) => {
  // Excludes the end, as the public service does.
  const service = await startService(({ url }) => {
    const query = new URL(url, "http://localhost").searchParams;
    return (query.get("date_end") ?? "") > `${end}:00`
      ? POWER
      : refusal(404, "No data available for the given parameters");
  });
  const env = { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url };
  const fetch = (to: string) => runEnts([...FETCH, "-i", interval, "-s", start, "-e", to], { env });
  const { code, stderr } = await fetch(end);
  expect(code).toBe(0);
  expect(stderr).toContain(
    `ents: note: the service has no data for this query\n      services may leave out the end of a window; to include its last interval, use -e ${proposed}\n`,
  );
  expect((await fetch(proposed)).stderr).not.toContain("note:");
});

test.concurrent("for longer windows, or an end inside an interval, the reason is another one", async () => {
  const service = await startService(() => ({ body: envelope([]) }));
  const env = { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url };
  for (const window of [
    ["-s", "2025-01-31T11:30", "-e", "2025-01-31T12:00"],
    ["-s", "2025-01-31", "-e", "2025-01-31"],
    [],
  ]) {
    const { stderr } = await runEnts([...FETCH, "-i", "1h", ...window], { env });
    expect(stderr).toMatch(/^(ents: warning: [^\n]+\n)*ents: note: the service has no data for this query\n$/);
  }
});

test.concurrent("the command to resume names a base address from ENTS_BASE_URL", async () => {
  let spent = true;
  const service = await startService(({ url }) =>
    spent && url.includes("date_start=2025-01-02") ? refusal(403, "No") : POWER,
  );
  const home = createHome();
  const window = [
    "-i",
    "1h",
    "-s",
    "2025-01-01",
    "-e",
    "2025-01-02",
    "--max-window",
    "1d",
    "--concurrency",
    "1",
    "-o",
    "out.csv",
  ];
  const { stderr } = await home.run([...FETCH, ...window], {
    env: { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: `${service.url}/v4` },
  });
  const again = /^ {6}(ents .*)$/m.exec(stderr)?.[1] ?? "";
  spent = false;
  expect(await home.line(again, { env: { ENTS_TOKEN: TOKEN } })).toMatchObject({ code: 0 });
  expect(service.requests).toHaveLength(3);
});

test.concurrent("without resume, the message says how to make it resumable", async () => {
  const service = await startService(({ url }) => (url.includes("date_start=2025-01-02") ? refusal(403, "No") : POWER));
  const env = { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url };
  const window = [
    "-i",
    "1h",
    "-s",
    "2025-01-01",
    "-e",
    "2025-01-02",
    "--max-window",
    "1d",
    "--concurrency",
    "1",
    "--no-resume",
  ];
  const { stderr } = await runEnts([...FETCH, ...window, "-o", "out.csv"], { env });
  expect(stderr).toContain(
    "1 of 2 requests were done; write to a file with -o, without --no-resume, to make this resumable\n",
  );
});

test.skipIf(!HAS_LONG_NAME_ERROR).concurrent("a message about a bad config file is plain", async () => {
  const home = createHome();
  const config = (path: string) => home.run(["config", "list"], { env: { ENTS_CONFIG_DIR: path } });
  mkdirSync(home.path("folder/config.json"), { recursive: true });
  writeFileSync(home.path("file"), "");
  const long = "x".repeat(300);
  expect(await config(long)).toMatchObject({
    code: 6,
    stderr: expect.stringMatching(/config\.json: its name is too long\n {6}set ENTS_C/) as string,
  });
  expect(await config("folder")).toMatchObject({
    code: 6,
    stderr: expect.stringMatching(/config\.json: it is a directory\n {6}set ENTS_C/) as string,
  });
  expect(await home.run(["config", "set", "rate", "1"], { env: { ENTS_CONFIG_DIR: "file" } })).toMatchObject({
    code: 6,
    stderr: expect.stringMatching(/: a part of its path is not a directory\n {6}set ENTS_C/) as string,
  });
});

test.concurrent.for([
  [["--update", "-s", "-2d", "-o", "/dev/null"]],
  [["--partition", "month", "-s", "-2d", "-o", "folder", "-f", "xlsx"]],
  [["--datapackage", "--last", "2d", "-o", "/dev/null"]],
  [["--require-complete", "-e", "2099"]],
  [["-f", "parquet", "--last", "2d", "-o", "x.csv.gz"]],
] as const)("a usage error appears alone, before warnings and notes: %j", async ([flags]) => {
  const run = await createHome().run([...FETCH, "-i", "1d", "--sandbox", ...flags]);
  expect(run).toMatchObject({ code: 2, stdout: "" });
  expect(run.stderr).toMatch(/^ents: (?!warning|note)[^\n]+\n( {6}[^\n]+\n)*$/);
});

test.concurrent("what is allowed is warned about once", async () => {
  for (const flags of [[], ["--dry-run"]]) {
    const { stderr } = await runEnts([...FETCH, "-i", "1d", "--last", "2d", "--sandbox", "-f", "csv", ...flags]);
    expect(stderr.match(/% elapsed\); --complete leaves it out/g)).toHaveLength(1);
  }
});
