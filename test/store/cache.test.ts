/** `--cache`: which responses are requested again, and that the output is the same with and without it. */
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { refusal, TOKEN } from "../e2e/envelopes.ts";
import { hours, JANUARY, moment } from "../faults/world.ts";
import { type Asker, CUT, envFor, PIECES, QUERY, runIn, startWorldService, WHOLE } from "../faults/world-service.ts";
import { draws, FULL, some } from "../support/extent.ts";
import { readHeading } from "../../src/store/response-file.ts";
import { createHome, type Home } from "../support/run-ents.ts";
import type { ScriptedService } from "../support/scripted-service.ts";
import { createVirtualClock } from "../support/virtual-clock.ts";
import { HAS_LINKS, shownMode } from "../support/platform.ts";

const HOUR = 3_600_000;
const CACHE = [...QUERY, ...CUT, "--cache", "12h"];

const folderOf = (home: Home) => home.path("cache/answers");

function listEntries(home: Home): string[] {
  return readdirSync(folderOf(home)).map((name) => join(folderOf(home), name));
}

async function open(options?: Parameters<typeof startWorldService>[0]): Promise<Required<Asker>> {
  return { home: createHome(), service: await startWorldService(options), token: TOKEN };
}

/** How many requests a command sends. */
async function countRequests(asker: Asker, args: readonly string[], aheadMs = 0): Promise<number> {
  const before = asker.service.requests.length;
  const { code, stderr } = await runIn(asker, args, { clock: createVirtualClock(aheadMs) });
  if (code !== 0) throw new Error(stderr);
  return asker.service.requests.length - before;
}

test("answers are taken from it for so long, and told; the output is the same", async () => {
  const asker = await open();
  const first = await runIn(asker, CACHE);
  expect(first).toMatchObject({ code: 0, stderr: "" });
  const later = await runIn(asker, CACHE, { clock: createVirtualClock(3.5 * HOUR) });
  expect(later).toEqual({ ...first, stderr: "ents: note: 7 of 7 responses are from the cache, the oldest 3h old\n" });
  expect(asker.service.requests).toHaveLength(PIECES);
  expect(await countRequests(asker, CACHE, 12.1 * HOUR)).toBe(PIECES);
  // They were stored again.
  expect(await countRequests(asker, CACHE, 24 * HOUR)).toBe(0);
});

test("a single response is told with its age; another request of the same series is asked for", async () => {
  const asker = await open();
  const args = [...QUERY, ...WHOLE, "--cache", "1M"];
  expect(await countRequests(asker, args)).toBe(1);
  const later = await runIn(asker, args, { clock: createVirtualClock(5.5 * 24 * HOUR) });
  expect(later.stderr).toBe("ents: note: the response is from the cache, 5d old\n");
  expect(await countRequests(asker, [...args, "-r", "NSW1"])).toBe(1);
});

test("without the flag nothing is kept; the setting asks for it, and the flag overrides that", async () => {
  const asker = await open();
  const plain = [...QUERY, ...CUT];
  expect(await countRequests(asker, plain)).toBe(PIECES);
  expect(readdirSync(asker.home.folder)).not.toContain("cache");
  expect(await asker.home.run(["config", "set", "cache", "12h"])).toMatchObject({ code: 0 });
  expect([await countRequests(asker, plain), await countRequests(asker, plain)]).toEqual([PIECES, 0]);
  expect(await countRequests(asker, [...plain, "--cache", "off"])).toBe(PIECES);
});

test("another token's and another service's answers are not used", async () => {
  const asker = await open();
  expect(await countRequests(asker, CACHE)).toBe(PIECES);
  expect(await countRequests({ ...asker, token: `${TOKEN}x` }, CACHE)).toBe(PIECES);
  expect(await countRequests({ ...asker, service: await startWorldService() }, CACHE)).toBe(PIECES);
  expect(await countRequests(asker, CACHE)).toBe(0);
});

test("the sandbox is never cached; where the flag asks for it, that is told", async () => {
  const home = createHome();
  const args = ["market", "NEM", "-m", "price", "-i", "1d", "-s", "2025-01-01", "-e", "2025-01-02", "--sandbox"];
  const told = "ents: note: --cache has no effect with --sandbox: its responses are never stored\n";
  const asked = await home.run([...args, "--cache", "12h"]);
  expect(asked).toMatchObject({ code: 0, stderr: expect.stringContaining(told) as string });
  await home.run(["config", "set", "cache", "12h"]);
  for (const flags of [[], ["--cache", "off"]])
    expect((await home.run([...args, ...flags])).stderr).not.toContain("cache");
  expect(readdirSync(home.folder)).not.toContain("cache");
});

test("without a home directory, that nothing is kept is told", async () => {
  const asker = await open();
  const run = await runIn(asker, CACHE, {
    env: { ...envFor(asker.service), ENTS_CACHE_DIR: "", HOME: "", XDG_CACHE_HOME: "" },
  });
  expect(run).toMatchObject({
    code: 0,
    stderr:
      "ents: warning: cannot use the cache: there is no home directory; choose another directory with ENTS_CACHE_DIR\n",
  });
});

test("answers that came while the clock was ahead are not used", async () => {
  const asker = await open();
  expect(await countRequests(asker, CACHE, HOUR)).toBe(PIECES);
  expect(await countRequests(asker, CACHE)).toBe(PIECES);
});

test("that there is no data is kept; a refusal and a broken response are not", async () => {
  const empty = await open({ world: { series: [] } });
  expect([await countRequests(empty, CACHE), await countRequests(empty, CACHE)]).toEqual([PIECES, 0]);
  for (const answer of [refusal(400, "no"), { body: "[1" }, { body: { data: [{ networks: 1 }] } }]) {
    const asker = await open({ play: ({ piece }) => (piece === 1 ? answer : undefined) });
    expect((await runIn(asker, [...CACHE, "--retries", "0", "--concurrency", "1"])).code).toBeGreaterThan(3);
    const { requests } = asker.service;
    const paths = await Promise.all(listEntries(asker.home).map((path) => readPath(path)));
    expect(paths).toContain(requests[0]?.url);
    expect(paths).not.toContain(requests[1]?.url);
  }
});

async function readPath(file: string): Promise<string | undefined> {
  return (await readHeading(file, lstatSync(file).uid))?.path;
}

test("folder and responses are this user's alone, and the token is in none of them", async () => {
  const asker = await open();
  await countRequests(asker, CACHE);
  expect(lstatSync(folderOf(asker.home)).mode & 0o777).toBe(shownMode(0o700));
  const entries = listEntries(asker.home);
  expect(entries).toHaveLength(PIECES);
  for (const entry of entries) {
    expect(lstatSync(entry).mode & 0o777).toBe(shownMode(0o600));
    expect([entry, readFileSync(entry, "latin1")].filter((text) => text.includes(TOKEN))).toEqual([]);
  }
});

test.runIf(FULL)("twenty processes that share it write the same, and leave it whole", async () => {
  const asker = await open();
  const plain = await runIn(asker, [...QUERY, ...CUT]);
  const env = { ...envFor(asker.service), ENTS_CACHE_DIR: asker.home.path("cache") };
  const all = await Promise.all(Array.from({ length: 20 }, () => asker.home.spawn([...CACHE, "-q"], { env })));
  expect(all).toEqual(all.map(() => plain));
  expect(listEntries(asker.home)).toHaveLength(PIECES);
  expect(await countRequests(asker, CACHE)).toBe(0);
});

const DAMAGE: Readonly<Record<string, (path: string) => void>> = {
  "cut short": (path) => truncateSync(path, lstatSync(path).size - 1),
  "changed in one byte": (path) => writeFileSync(path, changeLast(readFileSync(path))),
  "a link to a good one": (path) => {
    renameSync(path, `${path}.moved`);
    symlinkSync(`${path}.moved`, path);
  },
  empty: (path) => truncateSync(path),
};

function changeLast(content: Buffer): Buffer {
  content[content.length - 1] = (content.at(-1) as number) ^ 1;
  return content;
}

test.each(some(3, Object.entries(DAMAGE)))(
  "an entry that is %s is fetched again, and is good then",
  async (_, damage) => {
    const asker = await open();
    const { stdout } = await runIn(asker, CACHE);
    const [entry = ""] = listEntries(asker.home);
    damage(entry);
    expect(await runIn(asker, CACHE)).toMatchObject({ code: 0, stdout });
    expect(asker.service.requests).toHaveLength(PIECES + 1);
    expect(lstatSync(entry).isFile()).toBe(true);
    expect(await countRequests(asker, CACHE)).toBe(0);
  },
);

const UNUSABLE: Readonly<Record<string, readonly [prepare: (home: Home) => void, problem: string]>> = {
  "below a file": [(home) => writeFileSync(home.path("cache"), ""), "a part of its path is not a directory"],
  "a link": [
    (home) => {
      mkdirSync(home.path("elsewhere"));
      mkdirSync(home.path("cache"));
      symlinkSync(home.path("elsewhere"), folderOf(home));
    },
    "it is a link, not a folder",
  ],
};

test.skipIf(!HAS_LINKS).each(Object.entries(UNUSABLE))(
  "a folder that is %s is warned of, and the run goes on",
  async (_, [prepare, problem]) => {
    const asker = await open();
    prepare(asker.home);
    const run = await runIn(asker, CACHE);
    expect(run.code).toBe(0);
    expect(run.stderr).toBe(
      `ents: warning: cannot use the cache in ${folderOf(asker.home)}: ${problem}; choose another directory with ENTS_CACHE_DIR\n`,
    );
  },
);

test("--update asks the service, whatever is in the cache", async () => {
  const asker = await open();
  const query = [...QUERY, ...CUT, "--cache", "12h"];
  const count = async (...flags: readonly string[]) => {
    const before = asker.service.requests.length;
    expect(await runIn(asker, [...query, ...flags])).toMatchObject({ code: 0 });
    return asker.service.requests.length - before;
  };
  const all = await count("-o", "1.csv");
  expect(await count("-o", "2.csv")).toBe(0);
  expect(await count("-o", "3.csv", "--update")).toBe(all);
});

test("a run that resumes counts both: what it has kept, and what is in the cache", async () => {
  let last = 2;
  const asker = await open({ play: ({ piece }) => (piece >= last ? refusal(403, "no") : undefined) });
  const command = [...QUERY, ...CUT, "--concurrency", "1"];
  expect((await runIn(asker, [...command, "-o", "x.csv"])).code).toBe(3);
  last = 4;
  expect((await runIn(asker, [...command, "--cache", "1d"])).code).toBe(3);
  last = PIECES;
  const { stderr } = await runIn(asker, [...command, "-o", "x.csv", "--cache", "1d", "-v"]);
  expect(stderr).toMatch(/^ents: note: resuming: 2 of 7 requests are already done/m);
  expect(stderr).toMatch(/^ents: note: 2 of 7 responses are from the cache, the oldest \ds old$/m);
  expect(stderr).toMatch(/^ents: 3 requests answered, 2 reused from an earlier run, 2 from the cache, /m);
});

test("what a run costs is told without what is in the cache", async () => {
  const asker = await open();
  writeConfig(asker);
  // 54 requests.
  const many = [...QUERY.with(-1, moment(hours(4.5) - 1000)), "--rate", "1000", "--max-window", "5m", "--cache", "1d"];
  const env = { ENTS_TOKEN: undefined, ENTS_BASE_URL: asker.service.url };
  const first = await asker.home.run(many, { env });
  expect(first.stderr).toMatch(
    /^ents: note: \d+ requests, up to 1 more, \d+ % of a community key's 500 requests a day$/m,
  );
  expect((await asker.home.run(many, { env })).stderr).not.toContain("requests a day");
});

function writeConfig({ home, service: { url } }: { home: Home; service: ScriptedService }): void {
  mkdirSync(home.configFolder);
  const stored = { config: {}, tokens: { [url]: TOKEN }, plans: { [url]: "community" } };
  writeFileSync(join(home.configFolder, "config.json"), JSON.stringify(stored));
}

test("a response larger than --max-body is not unpacked: it is an error, without a request", async () => {
  const asker = await open();
  expect(await countRequests(asker, CACHE)).toBe(PIECES);
  const run = await runIn(asker, [...CACHE, "--max-body", "1KiB"]);
  expect(run).toMatchObject({ code: 4, stderr: expect.stringContaining("the response is larger than 1KiB") as string });
  expect(asker.service.requests).toHaveLength(PIECES);
});

const outputs = fc.constantFrom(
  ["-f", "csv"],
  ["-f", "tsv", "--shape", "wide"],
  ["-f", "ndjson"],
  ["-f", "json"],
  ["-f", "table"],
  ["-f", "csv", "--pivot", "region"],
);
const windows = fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 1, max: 20 }));
const cuts = fc.constantFrom("1h", "2h", "none");

test("whatever is in the cache, the output is that of a run without it", async () => {
  const service = await startWorldService();
  const ask = (home: Home, [from, length]: readonly [number, number], flags: readonly string[]) => {
    const at = (quarters: number) => moment(JANUARY + quarters * (HOUR / 4));
    const query = [
      "network",
      "NEM",
      "-m",
      "power",
      "energy",
      "-i",
      "5m",
      "-s",
      at(from),
      "-e",
      at(from + length),
      "--rate",
      "1000",
    ];
    return runIn({ home, service }, [...query, ...flags, "-q"]);
  };
  const check = async (
    earlier: [number, number],
    asked: [number, number],
    [cut, output]: [string, readonly string[]],
  ) => {
    const home = createHome();
    const flags = [...output, "--max-window", cut];
    await ask(home, earlier, [...flags, "--cache", "1d"]);
    const plain = await ask(home, asked, flags);
    for (const _ of ["some of it", "all of it"])
      expect(await ask(home, asked, [...flags, "--cache", "1d"])).toEqual(plain);
  };
  await fc.assert(fc.asyncProperty(windows, windows, fc.tuple(cuts, outputs), check), { numRuns: draws(4, 120) });
});
