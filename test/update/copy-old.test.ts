/** The copy of an old file is made while it is hashed, or shares its blocks; it stays nowhere but where it is taken. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { beforeEach, expect, test } from "vitest";
import { Interrupted } from "../../src/base/errors.ts";
import { formatHash } from "../../src/files/hash-file.ts";
import { openFileSink } from "../../src/job/destination/file.ts";
import type { FileTarget } from "../../src/job/destination/target.ts";
import { copyOld } from "../../src/job/destination/update/copy-old.ts";
import { type FileCall, watchFileCalls } from "../files/file-calls.ts";
import { atEndOfFile } from "../support/cleanup.ts";
import { createHome, type Home } from "../support/run-ents.ts";
import { createNights, FILE, QUERY, REGIONS } from "./nights.ts";

const { copyFile } = promises;
let isShared = false;
replaceCopyFile(async (from, to, flags = 0) => {
  // As on a disk that shares blocks, and on one that cannot.
  if (!isShared) throw Object.assign(new Error("not supported"), { code: "ENOTSUP" });
  await copyFile(from, to, flags & ~promises.constants.COPYFILE_FICLONE_FORCE);
});
atEndOfFile(() => replaceCopyFile(copyFile));

let onCall: (call: FileCall) => void;
await watchFileCalls((call) => onCall(call));

beforeEach(() => {
  isShared = false;
  onCall = () => {};
});

function replaceCopyFile(by: typeof copyFile): void {
  promises.copyFile = by;
  syncBuiltinESMExports();
}

const PARTS = 5;
/** The last one is shorter. No two are alike. */
const BYTES = Buffer.from(Float64Array.from({ length: (PARTS * 512 * 1024) / 8 - 1 }, (_, index) => index).buffer);
const PROCESS = { identity: { host: "here", boot: "1", namespace: "1", pid: 1, started: "1" }, isGone: () => false };

function createOld(): { home: Home; target: FileTarget; open: (signal?: AbortSignal, isDry?: boolean) => ReturnType<typeof copyOld> } {
  const home = createHome();
  const path = home.path("old");
  writeFileSync(path, BYTES, { mode: 0o640 });
  const target: FileTarget = { kind: "file", name: "old", path, old: statSync(path) };
  return {
    home,
    target,
    open: (signal = new AbortController().signal, isDry = false) => copyOld(target, { process: PROCESS, signal }, isDry),
  };
}

const hash = (...bytes: Buffer[]) => `sha256:${createHash("sha256").update(Buffer.concat(bytes)).digest("hex")}`;

test.each([
  ["written", false, PARTS],
  ["shared", true, 0],
])("a copy that is %s: each time it is taken, it begins as asked, and goes on with what is written then", async (_, shared, writes) => {
  isShared = shared;
  const calls: FileCall[] = [];
  onCall = (call) => calls.push(call);
  const { home, target, open } = createOld();
  const copy = await open();
  expect(copy.hash).toBe(hash(BYTES));
  expect(calls.filter(({ name }) => name === "appendFile")).toHaveLength(writes);
  expect(calls.at(-1)?.name).toBe("datasync");
  for (const bytes of [0, 700_000, BYTES.length]) {
    const begun = await copy.take(bytes);
    const kept = BYTES.subarray(0, bytes);
    expect(formatHash(begun.hash.copy())).toBe(hash(kept));
    const sink = await openFileSink(target, PROCESS, { begun });
    await sink.write("and more\n");
    const [name = ""] = readdirSync(home.folder).filter((one) => one.endsWith("ents-tmp"));
    expect(readFileSync(home.path(name)).equals(Buffer.concat([kept, Buffer.from("and more\n")]))).toBe(true);
    expect(statSync(home.path(name)).mode & 0o777).toBe(0o640);
    await sink.discard();
  }
  await copy.discard();
  expect(readdirSync(home.folder)).toEqual(["old"]);
});

test.each([[1], [2], [PARTS - 1]])("a signal while part %i is written: no other is, and nothing stays", async (number) => {
  const stop = new AbortController();
  let writes = 0;
  onCall = ({ name }) => {
    if (name === "appendFile" && ++writes === number) stop.abort(new Interrupted("SIGTERM"));
  };
  const { home, open } = createOld();
  await expect(open(stop.signal)).rejects.toThrow("stopped by SIGTERM");
  expect([writes, readdirSync(home.folder)]).toEqual([number, ["old"]]);
});

test.each<[FileCall["name"], number]>([
  ["open", 1],
  ["chmod", 1],
  ["appendFile", 1],
  ["appendFile", PARTS],
])("%s fails, call %i: nothing stays", async (name, number) => {
  const { home, open } = createOld();
  let calls = 0;
  onCall = (call) => {
    if (call.name === name && call.path.endsWith("ents-tmp") && ++calls === number)
      throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
  };
  await expect(open()).rejects.toMatchObject({ kind: "output", message: "cannot write old: the disk is full" });
  expect(readdirSync(home.folder)).toEqual(["old"]);
});

test("what the disk fails on before anybody waits for it is told at the end", async () => {
  onCall = ({ name }) => {
    if (name === "datasync") throw Object.assign(new Error("i/o error"), { code: "EIO" });
  };
  const { home, target, open } = createOld();
  const begun = await (await open()).take(1000);
  const sink = await openFileSink(target, PROCESS, { begun });
  await expect(sink.commit()).rejects.toThrow("cannot write old: ");
  await sink.discard();
  expect([readdirSync(home.folder), readFileSync(target.path).equals(BYTES)]).toEqual([["old"], true]);
});

test("a dry run writes nothing", async () => {
  const names: string[] = [];
  onCall = ({ name, path }) => names.push(`${name} ${path.endsWith("ents-tmp") ? "the copy" : "the file"}`);
  const { open } = createOld();
  const copy = await open(undefined, true);
  await copy.discard();
  expect([copy.hash, [...new Set(names)]]).toEqual([hash(BYTES), ["open the file"]]);
});

test.each([
  ["another query", ["-m", "energy"], { code: 2, copies: 1 }],
  ["an invalid token", [], { code: 3, copies: 1 }],
  ["a dry run", ["--dry-run"], { code: 0, copies: 0 }],
])("%s: only the file and its description stay", async (_, flags, expected) => {
  const { home, service, world } = await createNights();
  let copies = 0;
  onCall = (call) => {
    if (isCopy(call)) copies++;
  };
  const { code } = await home.run([...QUERY, ...flags, "-o", FILE, "--update"], {
    env: { ENTS_BASE_URL: service.url, ENTS_TOKEN: "two words" },
    clock: { now: () => world.now },
  });
  expect([{ code, copies }, readdirSync(home.folder).sort()]).toEqual([expected, FILES]);
});

test("an update that starts over leaves nothing of its first attempt", async () => {
  let unit = "MW";
  const nights = await createNights([], REGIONS, { mark: (text) => text.replaceAll('"unit":"MW"', `"unit":"${unit}"`) });
  unit = "kW";
  let copies = 0;
  onCall = (call) => {
    if (isCopy(call)) copies++;
  };
  const { code } = await nights.update();
  expect([code, copies, readdirSync(nights.home.folder).sort()]).toEqual([0, 2, FILES]);
});

const FILES = [FILE, `${FILE}.datapackage.json`];

/** The last step of making one. */
function isCopy({ name, path }: FileCall): boolean {
  return name === "datasync" && path.endsWith("ents-tmp");
}
