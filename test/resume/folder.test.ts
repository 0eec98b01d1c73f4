/** The folder of kept answers belongs to this user alone, and ents touches only its own files there. */
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { execFileSync } from "node:child_process";
import { basename, join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { expectError } from "../e2e/old-file.ts";
import { envFor, fetchWhole, OUT, PIECES, QUERY, runIn } from "../faults/world-service.ts";
import { isDue } from "../support/extent.ts";
import { AS_ROOT, canBeNobody, NOBODY } from "../support/root.ts";
import type { Home } from "../support/run-ents.ts";
import { COMMAND, listKept, PARTIAL, stopAfter } from "./partial.ts";
import { HAS_MODES } from "../support/platform.ts";

let whole: string;

beforeAll(async () => {
  whole = await fetchWhole(QUERY, ["-f", "csv"]);
});

/** Names and contents of all files below a folder; links are not followed. */
function look(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  const read = (path: string) => {
    const status = lstatSync(path);
    if (status.isSymbolicLink()) return `-> ${readlinkSync(path)}`;
    return status.isFile() ? readFileSync(path, "latin1") : `${status.mode.toString(8)} ${status.uid}`;
  };
  return Object.fromEntries(names.map((name) => [name, read(join(folder, name))]));
}

const EXPOSED: readonly [name: string, expose: (home: Home, folder: string) => void, why: string, asRoot?: boolean][] =
  [
    ["a link to a folder", (home, folder) => replaceByLink(home, folder), "it is a link, not a folder"],
    [
      "a link to nowhere",
      (home, folder) => symlinkSync(home.path("nowhere"), emptied(folder)),
      "it is a link, not a folder",
    ],
    ["a file", (_, folder) => writeFileSync(emptied(folder), "mine"), "it is not a folder"],
    ["a named pipe", (_, folder) => void execFileSync("mkfifo", [emptied(folder)]), "it is not a folder"],
    ["open to all", (_, folder) => chmodSync(folder, 0o777), "other users can write to it"],
    ["open to its group", (_, folder) => chmodSync(folder, 0o770), "other users can write to it"],
    [
      "another user's (needs root)",
      (_, folder) => chownSync(folder, NOBODY.uid, NOBODY.gid),
      "it belongs to another user",
      true,
    ],
  ];

function replaceByLink(home: Home, folder: string): void {
  renameSync(folder, home.path("photos"));
  writeFileSync(home.path("photos/summer.jpg"), "mine");
  symlinkSync("photos", folder);
}

function emptied(folder: string): string {
  rmSync(folder, { recursive: true });
  return folder;
}

/** Windows has no other kinds. */
const isPossible = ([what]: readonly [string, ...unknown[]]) => HAS_MODES || ["a file", "a folder"].includes(what);

test.concurrent.for(EXPOSED.filter(isPossible))(
  "if the folder is %s: exit 6, nothing is changed or sent",
  async ([, expose, why, asRoot], context) => {
    if (asRoot && !isDue(AS_ROOT, "root")) return context.skip("needs root");
    const { home, service, before } = await stopAfter(2);
    expose(home, home.path(PARTIAL));
    const files = look(home.folder);
    const run = await runIn({ home, service }, COMMAND);
    expectError(run, 6, new RegExp(`^ents: cannot store responses in ${PARTIAL}: ${why}\n`));
    // It may have what the service no longer has: it is not to be deleted.
    expect(run.stderr).not.toMatch(/delete|--no-resume/);
    expect(run.stderr.includes(`run 'chmod go-w ${PARTIAL}', or`)).toBe(why.includes("other users"));
    expect(look(home.folder)).toEqual(files);
    // It works without a folder, and leaves this one alone.
    expect(await runIn({ home, service }, [...COMMAND, "--no-resume"])).toMatchObject({ code: 0, stderr: "" });
    expect(look(home.folder)).toEqual({ ...files, [OUT]: whole });
    expect(service.requests).toHaveLength(before + PIECES);
  },
);

test.concurrent("a link with the name of a stored response: its target is neither read nor overwritten, and stays", async () => {
  const { home, service, before } = await stopAfter(3);
  const [first = "", second = "", third = ""] = listKept(home);
  // Links to a valid answer, to a file of the user, and to nothing.
  renameSync(first, home.path("answer"));
  symlinkSync(home.path("answer"), first);
  writeFileSync(home.path("mine"), "mine");
  rmSync(second);
  symlinkSync(home.path("mine"), second);
  rmSync(third);
  symlinkSync(home.path("nowhere"), third);
  const answer = readFileSync(home.path("answer"));
  expect(await runIn({ home, service }, COMMAND)).toMatchObject({ code: 0, stderr: "" });
  expect(readFileSync(home.path(OUT), "utf8")).toBe(whole);
  expect(service.requests).toHaveLength(before + PIECES);
  expect(readFileSync(home.path("answer"))).toEqual(answer);
  expect(readFileSync(home.path("mine"), "utf8")).toBe("mine");
  expect(readdirSync(home.folder)).toEqual(["answer", "mine", OUT]);
});

test.concurrent("a named pipe, another user's file and a folder with the names of stored responses are not read (needs root)", async ({
  skip,
}) => {
  if (!AS_ROOT) return skip("needs root");
  const { home, service, before } = await stopAfter(3);
  const [first = "", second = "", third = ""] = listKept(home);
  rmSync(first);
  execFileSync("mkfifo", [first]);
  chownSync(second, NOBODY.uid, NOBODY.gid);
  rmSync(third);
  mkdirSync(third);
  const run = await runIn({ home, service }, [...COMMAND, "--concurrency", "1"]);
  // A folder in the place of a response is not removed.
  expect(run).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^ents: warning: cannot store responses in [^\n]+\n$/) as string,
  });
  expect(readdirSync(home.path(PARTIAL))).toEqual([basename(third)]);
  rmSync(home.path(PARTIAL), { recursive: true });
  expect(readFileSync(home.path(OUT), "utf8")).toBe(whole);
  expect(readdirSync(home.folder)).toEqual([OUT]);
  expect(service.requests.length).toBeGreaterThanOrEqual(before + PIECES);
});

test.concurrent("the user's files in it stay, whatever their names", async () => {
  const { home, service } = await stopAfter(2);
  const [kept = ""] = listKept(home);
  const names = [
    "holiday.jpg",
    "notes.json.gz",
    `${basename(kept)}.bak`,
    `.${basename(kept)}.ents-tmp`,
    "lock.txt",
    ".json.gz",
  ];
  for (const name of names) writeFileSync(join(home.path(PARTIAL), name), "mine");
  expect(await runIn({ home, service }, COMMAND)).toMatchObject({ code: 0 });
  expect(readdirSync(home.path(PARTIAL)).sort()).toEqual([...names].sort());
});

const LOCKS: readonly [string, (lock: string, home: Home) => void][] = [
  ["a link to a file", (lock: string, home: Home) => symlinkSync(home.path(OUT), lock)],
  ["a link to nowhere", (lock: string, home: Home) => symlinkSync(home.path("nowhere"), lock)],
  ["a folder", (lock: string) => mkdirSync(lock)],
  ["a named pipe", (lock: string) => void execFileSync("mkfifo", [lock])],
];

test.concurrent.for(LOCKS.filter(isPossible))(
  "if the lock is %s: exit 6, nothing is changed or sent",
  async ([, plant]) => {
    const { home, service, before } = await stopAfter(2);
    plant(join(home.path(PARTIAL), "lock"), home);
    const files = look(home.folder);
    expectError(await runIn({ home, service }, COMMAND), 6, /^ents: cannot lock old\.csv: [^\n]*lock is not a file\n/);
    expect(look(home.folder)).toEqual(files);
    expect(service.requests).toHaveLength(before);
  },
);

test.skipIf(!isDue(canBeNobody, "root"))(
  "a user who may write to the directory, but not to another user's folder in it (needs root)",
  async () => {
    const { home, service } = await stopAfter(2);
    chmodSync(home.folder, 0o1777);
    chmodSync(home.path(OUT), 0o666);
    chmodSync(home.path(PARTIAL), 0o755);
    const files = look(home.path(PARTIAL));
    const run = await home.start(COMMAND, { user: NOBODY, env: envFor(service) }).finished;
    expect(run).toMatchObject({
      code: 6,
      stderr: expect.stringContaining(`${PARTIAL}: it belongs to another user`) as string,
    });
    expect(look(home.path(PARTIAL))).toEqual(files);
    expect(await runIn({ home, service }, COMMAND)).toMatchObject({ code: 0 });
  },
);
