/** `<output>.ents/`: a kept answer comes back unchanged, or not at all. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { ResponseFolder } from "../../src/store/response-folder.ts";
import type { FinishedRun } from "../../src/store/journal.ts";
import type { Response } from "../../src/source/response.ts";
import { processOf } from "../files/processes.ts";
import { createHome, type Home } from "../support/run-ents.ts";
import { HAS_SHELL } from "../support/platform.ts";

const PATH =
  "/v4/data/network/NEM?metrics=power&interval=1h&date_start=2026-01-01T00%3A00%3A00&date_end=2026-01-02T00%3A00%3A00";
const BODY = '{"version":"4.5","data":[]}';
const RESPONSE: Response = {
  status: 200,
  receivedAt: 1_770_000_000_000,
  gzip: false,
  bytes: Buffer.from(BODY),
  retryAfter: undefined,
};

const RUN: FinishedRun = {
  run: 1_770_000_000_000,
  at: 1_770_000_000_001,
  query: { network: "NEM" },
  start: 0,
  rows: 1,
  bytes: 2,
  hash: "",
  added: 0,
  restated: 0,
  withdrawn: 0,
  requests: 1,
  held: 0,
  grid: { maxWindow: undefined },
  settled: null,
  last: null,
  asked: [["all.1f0c9a3e", "missing", "new"]],
  values: {},
  lacking: [],
};

function createFolder({ folder }: Home, startedAt = RUN.run): ResponseFolder {
  const options = { output: "a.csv", isDataset: false, service: "http://127.0.0.1/", startedAt };
  return new ResponseFolder(options, { cwd: folder, process: { ...processOf(process.pid), uid: process.getuid?.() } });
}

async function keepOne(home: Home): Promise<string> {
  const folder = createFolder(home);
  await folder.open();
  await folder.keep({ path: PATH, response: RESPONSE });
  await folder.finish(RUN);
  await folder.close(false);
  return home.path(`a.csv.ents/${readdirSync(home.path("a.csv.ents")).find((name) => name.endsWith(".gz"))}`);
}

async function look(home: Home): Promise<ResponseFolder> {
  const folder = createFolder(home, RUN.run + 1);
  await folder.look();
  return folder;
}

async function findOne(folder: ResponseFolder): Promise<Response | undefined> {
  const [answer] = folder.responses;
  return answer && folder.read(answer);
}

test.skipIf(!HAS_SHELL)(
  "a response is found by its window, shown by zcat, and says which request it answers",
  async () => {
    const home = createHome();
    const path = await keepOne(home);
    expect(path).toMatch(/\/2026-01-01T0000_2026-01-02T0000\.[0-9a-f]{8}\.1770000000000\.json\.gz$/);
    expect(execFileSync("gzip", ["-dc", path], { encoding: "utf8" })).toBe(BODY);
    expect(readFileSync(path, "latin1")).toContain(`"path":"${PATH}"`);
    const folder = await look(home);
    expect(folder.responses).toMatchObject([
      { path: PATH, status: 200, receivedAt: RESPONSE.receivedAt, run: RUN.run },
    ]);
    const found = await findOne(folder);
    expect(execFileSync("gzip", ["-dc"], { input: found?.bytes, encoding: "utf8" })).toBe(BODY);
  },
);

test.each([
  ["cut", (path: string) => truncateSync(path, 300)],
  ["of other bytes", (path: string) => writeFileSync(path, readFileSync(path, "latin1").replace(/.$/s, "?"), "latin1")],
  ["of another program", (path: string) => writeFileSync(path, gzipSync(BODY))],
  ["empty", (path: string) => truncateSync(path, 0)],
  ["gone", (path: string) => rmSync(path)],
  [
    "a link",
    (path: string) => {
      writeFileSync(`${path}.2`, readFileSync(path));
      rmSync(path);
      symlinkSync(`${path}.2`, path);
    },
  ],
])("a file that is %s is no response", async (_, spoil) => {
  const home = createHome();
  spoil(await keepOne(home));
  expect(await findOne(await look(home))).toBeUndefined();
});

test("a journal that is cut at any byte has the runs whose lines are whole, and goes on", async () => {
  const home = createHome();
  await keepOne(home);
  const path = home.path("a.csv.ents/journal.ndjson");
  const line = readFileSync(path, "utf8");
  for (let size = 0; size <= 2 * line.length; size++) {
    writeFileSync(path, `${line}${line.replace(String(RUN.at), String(RUN.at + 5))}`.slice(0, size));
    const folder = await look(home);
    // The line's final newline may be missing.
    const count = Math.floor((size + 1) / line.length);
    expect(folder.journal.last?.at).toBe([undefined, RUN.at, RUN.at + 5][count]);
    if (size % 50 > 0) continue;
    await folder.finish({ ...RUN, at: 7 });
    expect((await look(home)).journal.last?.at).toBe(7);
  }
});

test.skipIf(!HAS_SHELL)(
  "what a run has changed is shown by zcat; what one that was killed had noted goes",
  async () => {
    const home = createHome();
    await keepOne(home);
    const folder = await look(home);
    const change = {
      timestamp: "2026-01-01T00:00:00Z",
      network: "NEM",
      metric: "power",
      labels: { region: "é" },
      old: "1.50",
      now: undefined,
    };
    await folder.finish(RUN, Readable.from([change, change]));
    const line = '["2026-01-01T00:00:00Z","NEM","power",{"region":"é"},"1.50",null]\n';
    const path = home.path(`a.csv.ents/changes.${RUN.run}.ndjson.gz`);
    expect(execFileSync("gzip", ["-dc", path], { encoding: "utf8" })).toBe(line.repeat(2));
    const later = path.replace(String(RUN.run), String(RUN.run + 1));
    writeFileSync(later, "cut");
    await folder.open();
    await folder.close(true);
    expect([path, later].map((one) => existsSync(one))).toEqual([true, false]);
  },
);

test("a folder in which nothing was kept is gone at the end; one of a finished run stays", async () => {
  const home = createHome();
  const folder = createFolder(home);
  await folder.open();
  await folder.close(true);
  expect(readdirSync(home.folder).filter((name) => name.endsWith(".ents"))).toEqual([]);
  await keepOne(home);
  const later = createFolder(home);
  await later.open();
  await later.close(true);
  expect(readdirSync(home.path("a.csv.ents")).toSorted()).toEqual([expect.stringMatching(/\.gz$/), "journal.ndjson"]);
});
