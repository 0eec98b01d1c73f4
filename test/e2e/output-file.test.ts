/** `-o`: the new file appears only once it is complete; until then, the old one stays. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { describe, expect, test } from "vitest";
import { createHome, type Home, type ProcessOptions, runEnts } from "../support/run-ents.ts";
import { isDue, some } from "../support/extent.ts";
import { startService } from "../support/scripted-service.ts";
import { AS_ROOT, asUser, canBeDenied, canMount, NOBODY } from "../support/root.ts";
import { envelope, POWER, TOKEN } from "./envelopes.ts";
import { expectError } from "./old-file.ts";
import { HAS_LINKS, HAS_LONG_NAME_ERROR, HAS_MODES, HAS_SHELL } from "../support/platform.ts";

const ROWS =
  "timestamp,network,metric,unit,value\n2025-01-01T00:00:00+10:00,NEM,power,MW,20380.1976\n2025-01-01T01:00:00+10:00,NEM,power,MW,19727.6194\n";

async function fetchInto(home: Home, path: string, user?: Pick<ProcessOptions, "user">) {
  const service = await startService(() => POWER);
  const args = ["network", "NEM", "-m", "power", "--last", "1d", "-f", "csv", "-o", path];
  const env = { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url };
  const run = await (user ? home.spawn(args, { ...user, env }) : home.run(args, { env }));
  return { ...run, requests: service.requests.length };
}

test.concurrent("a new file, with nothing beside it", async () => {
  const home = createHome();
  expect(await fetchInto(home, "new.csv")).toMatchObject({ code: 0, stdout: "" });
  expect(readFileSync(home.path("new.csv"), "utf8")).toBe(ROWS);
  expect(readdirSync(home.folder)).toEqual(["new.csv"]);
});

test.concurrent.for([200, 255])("a name of %i bytes is written like any other", async (length) => {
  const home = createHome();
  const name = "é".repeat(Math.floor((length - 4) / 2)).padEnd(length - 4 - Math.floor((length - 4) / 2), "x");
  expect(await fetchInto(home, `${name}.csv`)).toMatchObject({ code: 0, stdout: "", stderr: "" });
  expect(readFileSync(home.path(`${name}.csv`), "utf8")).toBe(ROWS);
  expect(readdirSync(home.folder)).toEqual([`${name}.csv`]);
});

test
  .skipIf(!HAS_LONG_NAME_ERROR)
  .concurrent("a name that is too long is exit 6 in plain words, before any request", async () => {
    const run = await fetchInto(createHome(), `${"x".repeat(252)}.csv`);
    expect(run).toMatchObject({ code: 6, requests: 0 });
    expect(run.stderr).toMatch(/^ents: cannot write x+\.csv: its name is too long\n {6}choose another with -o\n$/);
  });

test.concurrent.for([
  [
    "-o=out.csv",
    /^ents: the file name =out\.csv begins with "="\n +use -o out\.csv; for a file of that name, -o \.\/=out\.csv\n$/,
  ],
  ["-o=~/out.csv", /^ents: the file name =~\/out\.csv begins with "="\n +use -o ~\/out\.csv; /],
  [
    "-o~/out.csv",
    /^ents: -o is ~\/out\.csv, and nothing has replaced ~\n +write the whole path; in a shell, leave out the quotes\n/,
  ],
  ["-o$HOME/out.csv", /^ents: -o is \$HOME\/out\.csv, and nothing has replaced \$HOME\n/],
  ["-os3://bucket/out.csv", /^ents: s3:\/\/bucket\/out\.csv is an address, and ents writes to files\n +pipe it/],
] as const)("%s is no file: exit 2, with what was meant", async ([flag, says]) => {
  expectError(await runEnts(["network", "NEM", "-m", "power", "--sandbox", flag]), 2, says);
});

const EMPTY = envelope([{ series: [] }]);
const KEPT = [
  ["p.json", "json"],
  ["p.csv.gz", "csv"],
  ["p.parquet", "parquet"],
  ["p.csv", "csv"],
  ["p.ndjson", "ndjson"],
  ["p.xlsx", "xlsx"],
] as const;

describe.each(some(3, KEPT))("an export without a row", (name, format) => {
  const args = ["network", "NEM", "-m", "power", "--last", "1d", "-f", format, "-o", name];

  test.concurrent(`leaves ${name}, which has rows, unchanged: exit 7`, async () => {
    const home = createHome();
    let body = POWER.body;
    const service = await startService(() => ({ body }));
    const env = { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url };
    expect(await home.run(args, { env })).toMatchObject({ code: 0 });
    const before = readFileSync(home.path(name));
    body = EMPTY;
    for (const flags of [["-q"], ["-q", "--no-resume"]]) {
      const { code, stderr } = await home.run([...args, ...flags], { env });
      expect([code, stderr]).toEqual([
        7,
        `ents: ${name} is unchanged: the service has no data for this query\n      to replace it anyway, add --overwrite\n`,
      ]);
      expect(readFileSync(home.path(name)).equals(before)).toBe(true);
      expect(readdirSync(home.folder)).toEqual([name]);
    }
    expect(await home.run([...args, "-q", "--overwrite"], { env })).toMatchObject({ code: 0, stderr: "" });
    expect(readFileSync(home.path(name)).equals(before)).toBe(false);
  });
});

test.concurrent("a single row without a header is not replaced either", async () => {
  const home = createHome();
  const service = await startService(() => ({ body: EMPTY }));
  const old = "2025-01-01T00:00:00+10:00,NEM,power,MW,1\n";
  writeFileSync(home.path("p.csv"), old);
  const env = { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url };
  expect(await home.run(["network", "NEM", "-m", "power", "-o", "p.csv", "--no-header"], { env })).toMatchObject({
    code: 7,
  });
  expect(readFileSync(home.path("p.csv"), "utf8")).toBe(old);
});

test.concurrent("nor are rows of the size of the header, and nothing is left to resume", async () => {
  const home = createHome();
  const service = await startService(() => ({ body: EMPTY }));
  const env = { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url };
  const query = [
    "network",
    "NEM",
    "-m",
    "power",
    "-i",
    "5m",
    "-s",
    "2025-01-01",
    "-e",
    "2025-01-20",
    "-o",
    "p.csv",
    "-q",
  ];
  const header = (await home.run([...query.slice(0, -2), "-"], { env })).stdout;
  const old = `${header.slice(0, 5)}\n${"x".repeat(header.length - 7)}\n`;
  expect(old).toHaveLength(header.length);
  writeFileSync(home.path("p.csv"), old);
  const { code, stderr } = await home.run(query, { env });
  expect([code, stderr]).toEqual([7, expect.stringMatching(/^ents: p\.csv is unchanged: .*\n.*--overwrite\n$/)]);
  expect(readFileSync(home.path("p.csv"), "utf8")).toBe(old);
});

test.concurrent("an empty list does not replace a file that has entries", async () => {
  const home = createHome();
  for (const flags of [[], ["--codes"]]) {
    const list = (word: string) => home.run(["list", "facilities", word, "--sandbox", "-o", "l.csv", ...flags]);
    expect(await list("wandoan")).toMatchObject({ code: 0 });
    const before = readFileSync(home.path("l.csv"), "utf8");
    expect(await list("zzzqqq")).toMatchObject({
      code: 7,
      stderr: expect.stringContaining("l.csv is unchanged: nothing in the list") as string,
    });
    expect(readFileSync(home.path("l.csv"), "utf8")).toBe(before);
  }
});

test.concurrent("without rows, a new file is the header, and so is one that was only a header", async () => {
  const home = createHome();
  const service = await startService(() => ({ body: EMPTY }));
  const env = { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url };
  for (let run = 0; run < 2; run++) {
    expect(await home.run(["network", "NEM", "-m", "power", "--last", "1d", "-o", "p.csv"], { env })).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("note: the service has no data for this query") as string,
    });
    expect(readFileSync(home.path("p.csv"), "utf8")).toBe("timestamp,network,metric,unit,value\n");
  }
});

test.skipIf(!HAS_MODES).concurrent("the directory keeps its mode", async () => {
  const home = createHome();
  mkdirSync(home.path("data"));
  chmodSync(home.path("data"), 0o751);
  expect(await fetchInto(home, "data/new.csv")).toMatchObject({ code: 0 });
  expect(statSync(home.path("data")).mode & 0o777).toBe(0o751);
});

test.skipIf(!HAS_MODES).concurrent("an old file is replaced, and keeps its permissions", async () => {
  const home = createHome();
  writeFileSync(home.path("old.csv"), "x".repeat(10_000));
  chmodSync(home.path("old.csv"), 0o640);
  expect(await fetchInto(home, "old.csv")).toMatchObject({ code: 0 });
  expect(readFileSync(home.path("old.csv"), "utf8")).toBe(ROWS);
  expect(statSync(home.path("old.csv")).mode & 0o777).toBe(0o640);
});

test
  .skipIf(!isDue(AS_ROOT, "root"))
  .concurrent("an old file is replaced, and keeps its owner and group (needs root)", async () => {
    const home = createHome();
    writeFileSync(home.path("old.csv"), "");
    chownSync(home.path("old.csv"), 12_345, 54_321);
    chmodSync(home.path("old.csv"), 0o640);
    expect(await fetchInto(home, "old.csv")).toMatchObject({ code: 0 });
    expect(statSync(home.path("old.csv"))).toMatchObject({ uid: 12_345, gid: 54_321, mode: 0o100640 });
  });

test.skipIf(!isDue(canMount(), "root"))(
  "a file that is mounted on its own is refused before the first request (needs root, to mount it)",
  async () => {
    const home = createHome();
    for (const name of ["a file.csv", "source"]) writeFileSync(home.path(name), "precious");
    execFileSync("mount", ["--bind", home.path("source"), home.path("a file.csv")]);
    try {
      expect(await fetchInto(home, "a file.csv")).toMatchObject({
        code: 6,
        stderr:
          "ents: cannot replace a file.csv: this file is mounted on its own, as in a container\n      mount its folder instead, or choose another file\n",
        requests: 0,
      });
    } finally {
      execFileSync("umount", [home.path("a file.csv")]);
    }
  },
);

test
  .skipIf(!isDue(AS_ROOT, "root"))
  .concurrent("another user's link in a shared directory is not followed (needs root)", async () => {
    const home = createHome();
    mkdirSync(home.path("shared"));
    chmodSync(home.path("shared"), 0o1777);
    writeFileSync(home.path("mine"), "precious");
    symlinkSync("../mine", home.path("shared/new.csv"));
    lchownSync(home.path("shared/new.csv"), 12_345, 12_345);
    const refused = {
      code: 6,
      stderr: expect.stringContaining("this link in a shared directory belongs to another user") as string,
      requests: 0,
    };
    expect(await fetchInto(home, "shared/new.csv")).toMatchObject(refused);
    expect(readFileSync(home.path("mine"), "utf8")).toBe("precious");
  });

test.concurrent("the same command writes the same bytes", async () => {
  const home = createHome();
  for (const name of ["a.csv", "b.csv"]) await fetchInto(home, name);
  expect(readFileSync(home.path("a.csv"))).toEqual(readFileSync(home.path("b.csv")));
});

test.skipIf(!HAS_LINKS).concurrent("a link stays a link, and its target is replaced", async () => {
  const home = createHome();
  mkdirSync(home.path("data"));
  writeFileSync(home.path("data/real.csv"), "old");
  symlinkSync("data/real.csv", home.path("link.csv"));
  expect(await fetchInto(home, "link.csv")).toMatchObject({ code: 0 });
  expect(lstatSync(home.path("link.csv")).isSymbolicLink()).toBe(true);
  expect(readFileSync(home.path("data/real.csv"), "utf8")).toBe(ROWS);
  expect(readdirSync(home.path("data"))).toEqual(["real.csv"]);
});

test.skipIf(!HAS_LINKS).concurrent("a link to a missing file stays a link, too", async () => {
  const home = createHome();
  mkdirSync(home.path("data"));
  symlinkSync("data/new.csv", home.path("link.csv"));
  expect(await fetchInto(home, "link.csv")).toMatchObject({ code: 0 });
  expect(readlinkSync(home.path("link.csv"))).toBe("data/new.csv");
  expect(readFileSync(home.path("data/new.csv"), "utf8")).toBe(ROWS);
});

test.concurrent.for([
  ["into a folder that is not there", "no/such/new.csv", /no\/such\/new\.csv.*directory does not exist/],
  ["into a folder that is not there, by its name alone", "missing/", /missing\/.*directory does not exist/],
  ["onto a file that is named as a folder", "file/", /file\/.*not a directory/],
  ["onto a folder", ".", /\. *: it is a directory|cannot write \./],
  ["below a file", "file/new.csv", /file\/new\.csv.*not a directory/],
] as [string, string, RegExp][])("%s: exit 6, before anything is sent", async ([, path, says]) => {
  const home = createHome();
  writeFileSync(home.path("file"), "");
  expect(await fetchInto(home, path)).toMatchObject({
    code: 6,
    stdout: "",
    stderr: expect.stringMatching(says) as string,
    requests: 0,
  });
  expect(readdirSync(home.folder)).toEqual(["file"]);
});

test.concurrent("leftovers of an earlier run that cannot be removed do no harm", async () => {
  const home = createHome();
  const leftover = home.path(".new.csv.0123abcd.1.2.0123abcd.ents-tmp");
  mkdirSync(leftover);
  utimesSync(leftover, 0, 0);
  expect(await fetchInto(home, "new.csv")).toMatchObject({ code: 0, stderr: "" });
});

test.skipIf(!canBeDenied).concurrent("onto a read-only file: exit 6, and it is unchanged", async () => {
  const home = createHome();
  if (AS_ROOT) chownSync(home.folder, NOBODY.uid, NOBODY.gid);
  writeFileSync(home.path("old.csv"), "old", { mode: 0o444 });
  const run = await fetchInto(home, "old.csv", asUser);
  expect(run).toMatchObject({
    code: 6,
    stderr: expect.stringMatching(/old\.csv.*permission denied/) as string,
    requests: 0,
  });
  expect(readFileSync(home.path("old.csv"), "utf8")).toBe("old");
  expect(readdirSync(home.folder)).toEqual(["old.csv"]);
});

test.skipIf(!canBeDenied).concurrent("into a read-only folder: exit 6", async () => {
  const home = createHome();
  mkdirSync(home.path("closed"), { mode: 0o555 });
  const run = await fetchInto(home, "closed/new.csv", asUser);
  expect(run).toMatchObject({
    code: 6,
    stderr: expect.stringMatching(/closed\/new\.csv.*permission denied/) as string,
    requests: 0,
  });
});

test.concurrent("a dry run goes to standard output, and leaves the file alone", async () => {
  const home = createHome();
  writeFileSync(home.path("old.csv"), "old");
  const run = await home.run(["network", "NEM", "-m", "power", "--dry-run", "-o", "old.csv", "-q"]);
  expect(run).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("/v4/data/network/NEM?metrics=power") as string,
  });
  expect(readFileSync(home.path("old.csv"), "utf8")).toBe("old");
});

test.skipIf(!HAS_SHELL).concurrent("a named pipe is written to, not replaced", async () => {
  const home = createHome();
  const service = await startService(() => POWER);
  const run = await home.shell(
    "mkfifo pipe; cat pipe > copy.csv & ents network NEM -m power --last 1d -f csv -o pipe; wait; test -p pipe",
    {
      env: { ENTS_TOKEN: TOKEN, ENTS_BASE_URL: service.url },
    },
  );
  expect(run).toMatchObject({ code: 0, stderr: "" });
  expect(readFileSync(home.path("copy.csv"), "utf8")).toBe(ROWS);
  expect(existsSync(home.path("pipe"))).toBe(true);
});
