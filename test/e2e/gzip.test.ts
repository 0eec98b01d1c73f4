/** `-o FILE.gz`: the same text, compressed; formats that cannot be compressed are refused. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { formatList } from "../../src/base/phrases.ts";
import { describeFormat, findFormats } from "../../src/format/registry.ts";
import { CUT, fetchWhole, QUERY, runIn, startWorldService } from "../faults/world-service.ts";
import { hours, type World } from "../faults/world.ts";
import { stopAfter } from "../resume/partial.ts";
import { some } from "../support/extent.ts";
import { createHome, type Home } from "../support/run-ents.ts";
import { HAS_LINKS, HAS_SHELL } from "../support/platform.ts";

function unpack(home: Home, name: string): string {
  return gunzipSync(readFileSync(home.path(name))).toString();
}

async function exportTo(home: Home, line: string, world: Partial<World> = {}) {
  const service = await startWorldService({ world });
  return {
    ...(await runIn({ home, service }, [...QUERY, ...CUT, "-o", ...line.split(" ")])),
    requests: service.requests.length,
  };
}

const NAMES = [
  ["OUT.CSV.GZ", "csv", ""],
  ["out.jsonl.gz", "ndjson", "--shape wide --interval-end"],
  ["out.json.gz", "json", ""],
  ["out.txt.gz", "csv", "-f csv --time-zone utc"],
  ["out.csv.gz", "csv", ""],
  ["out.tsv.gz", "tsv", "--no-header --null NA --shape wide"],
  ["out.ndjson.gz", "ndjson", "--time-format unix"],
  ["out.gz", "csv", "-f csv"],
] as const;

test.concurrent.for(some(4, NAMES))("%s: the bytes of a plain %s %s", async ([name, format, line]) => {
  const home = createHome();
  expect(await exportTo(home, `${name} ${line}`.trimEnd())).toMatchObject({ code: 0, stdout: "", stderr: "" });
  expect(unpack(home, name)).toBe(
    await fetchWhole(QUERY, ["-f", format, ...line.replace("-f csv", "").split(" ").filter(Boolean)]),
  );
  expect(readdirSync(home.folder)).toEqual([name]);
  // The gzip header has no time, neither of the file nor of the run (RFC 1952, MTIME).
  expect(readFileSync(home.path(name)).subarray(0, 8)).toEqual(Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]));
});

test.skipIf(!HAS_SHELL).concurrent("gzip reads it, and two exports have the same bytes", async () => {
  const home = createHome();
  await exportTo(home, "a.csv.gz");
  await exportTo(home, "b.csv.gz");
  expect(execFileSync("gzip", ["-dc", home.path("a.csv.gz")], { encoding: "utf8" })).toBe(
    await fetchWhole(QUERY, ["-f", "csv"]),
  );
  expect(readFileSync(home.path("b.csv.gz"))).toEqual(readFileSync(home.path("a.csv.gz")));
});

test.concurrent("a list too", async () => {
  const home = createHome();
  expect(await home.run(["metrics", "-o", "metrics.csv.gz"])).toMatchObject({ code: 0, stderr: "" });
  expect(unpack(home, "metrics.csv.gz")).toBe((await home.run(["metrics", "-f", "csv"])).stdout);
});

test.skipIf(!HAS_LINKS).concurrent("the user's name for the file decides, not that of a link's target", async () => {
  const home = createHome();
  symlinkSync("store", home.path("link.csv.gz"));
  symlinkSync("store.gz", home.path("link.csv"));
  await exportTo(home, "link.csv.gz");
  await exportTo(home, "link.csv");
  const whole = await fetchWhole(QUERY, ["-f", "csv"]);
  expect(unpack(home, "store")).toBe(whole);
  expect(readFileSync(home.path("store.gz"), "utf8")).toBe(whole);
  expect(readlinkSync(home.path("link.csv.gz"))).toBe("store");
});

test.skipIf(!HAS_SHELL).concurrent("a named pipe gets plain text, whatever its name", async () => {
  const home = createHome();
  const service = await startWorldService();
  execFileSync("mkfifo", [home.path("pipe.csv.gz")]);
  const reader = home.shell("cat pipe.csv.gz");
  expect(await runIn({ home, service }, [...QUERY, ...CUT, "-o", "pipe.csv.gz"])).toMatchObject({
    code: 0,
    stderr: "",
  });
  expect((await reader).stdout).toBe(await fetchWhole(QUERY, ["-f", "csv"]));
});

test.concurrent("a column that appears late restarts the file", async () => {
  const home = createHome();
  const world = {
    series: [{ labels: { region: "NSW1" } }, { labels: { region: "NSW1", fueltech: "wind" }, from: hours(5) }],
  };
  expect(await exportTo(home, "out.csv.gz", world)).toMatchObject({ code: 0, stderr: "" });
  expect(unpack(home, "out.csv.gz")).toBe(await fetchWhole(QUERY, ["-f", "csv"], world));
});

test.concurrent("a stopped export resumes, with the bytes of an uninterrupted one", async () => {
  const command = [...QUERY, ...CUT, "-f", "csv", "-o", "old.csv.gz"];
  const other = createHome();
  await exportTo(other, "old.csv.gz");
  const { home, service } = await stopAfter(3, command, "old.csv.gz");
  expect(existsSync(home.path("old.csv.gz"))).toBe(false);
  const run = await runIn({ home, service }, command);
  expect(run).toMatchObject({ code: 0, stderr: expect.stringContaining("resuming: 3 of 7 requests") as string });
  expect(readFileSync(home.path("old.csv.gz"))).toEqual(readFileSync(other.path("old.csv.gz")));
});

test.concurrent("the closing line shows the size of the file", async () => {
  const home = createHome();
  const service = await startWorldService();
  const run = await runIn({ home, service }, [...QUERY, ...CUT, "-o", "out.csv.gz"], { columns: 100 });
  expect(readFileSync(home.path("out.csv.gz")).length).toBeLessThan(10_000);
  expect(run.stderr).toMatch(/ents: wrote out\.csv\.gz: 378 rows, [2-9]\.\d kB, 7 requests, /);
});

const COMPRESSED = findFormats(({ gzip }) => gzip);
const ENDINGS = COMPRESSED.flatMap((name) => describeFormat(name).extensions.map((extension) => `.${extension}.gz`));
const USE_FORMAT = `use ${formatList(COMPRESSED, "or")}, or a file name without .gz`;
const USE_ENDING = `use ${formatList(ENDINGS, "or")}, or choose the format with --format`;

test.concurrent.for([
  ["x.txt.gz", "", "cannot write x.txt.gz: table cannot be compressed", USE_FORMAT],
  ["x.csv.gz", "-f table", "cannot write x.csv.gz: table cannot be compressed", USE_FORMAT],
  ["x.gz", "", "unknown file extension .gz", USE_ENDING],
  ["x.dat.gz", "", "unknown file extension .dat.gz", USE_ENDING],
] as const)("-o %s %s is a usage error, before any request", async ([name, flags, message, hint]) => {
  const home = createHome();
  writeFileSync(home.path(name), "old");
  const run = await exportTo(home, `${name} ${flags}`.trimEnd());
  expect(run).toMatchObject({ code: 2, stdout: "", stderr: `ents: ${message}\n      ${hint}\n`, requests: 0 });
  expect(readFileSync(home.path(name), "utf8")).toBe("old");
});
