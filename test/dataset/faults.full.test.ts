/** Whatever stops a run, each file is the old one or the new one, and the same command repairs the dataset. */
import {
  appendFileSync,
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { envFor } from "../faults/world-service.ts";
import type { Encoding } from "../../src/format/encode.ts";
import { type FileCall, watchFileCalls } from "../files/file-calls.ts";
import { dieAtRename } from "../support/die-at-rename.ts";
import { asUser, canBeDenied } from "../support/root.ts";
import { createPlace, day, HOURLY, type Place, readData, readDescription, readFiles } from "./datasets.ts";
import { openTemporary } from "../../src/files/temporary.ts";
import { openDataset } from "../../src/export/destination/dataset/open-dataset.ts";
import { createProcessContext } from "../../src/main/process-context.ts";

const QUERY = [
  "network",
  "NEM",
  "-m",
  "power",
  "-i",
  "1h",
  "-s",
  "2025-01-12",
  "-e",
  "2025-02-09",
  "-g",
  "region",
  "-f",
  "csv",
];
const UPDATE = QUERY.toSpliced(8, 2, "--complete");
const DATASET = ["-o", "d", "--partition", "month"];
const NEW = [...QUERY, ...DATASET];
const NEXT = [...UPDATE, ...DATASET, "--update"];

let onCall: ((call: FileCall) => void) | undefined;
await watchFileCalls((call) => onCall?.(call));

beforeEach(() => {
  onCall = undefined;
});

/** Makes the call with this number fail; the first is 0. */
function failAt(name: FileCall["name"], index: number, code: string): void {
  let left = index;
  onCall = (call) => {
    if (call.name === name && !/[.]response|[.]json[.]gz/.test(call.path) && left-- === 0)
      throw Object.assign(new Error(code), { code });
  };
}

/** A dataset of January and February that is due for an update. */
async function createOld(): Promise<
  Place & { readonly old: Record<string, string>; readonly whole: Record<string, string> }
> {
  const place = await createPlace(HOURLY, day(33));
  expect(await place.run(NEXT)).toMatchObject({ code: 0 });
  const old = readData(place.home.path("d"));
  place.now = day(36);
  await place.run([...UPDATE, "-o", "whole", "--partition", "month"]);
  return Object.assign(place, { old, whole: readData(place.home.path("whole")) });
}

describe("killed when the next rename is due", () => {
  // The order of renames: the mark, January, February, the description; in a new dataset, a response before them.
  test.concurrent.each([1, 2, 3])("at rename %i of a new dataset", async (index) => {
    const place = await createPlace();
    const killed = await die(place, NEW, index + 1);
    expect(killed).toMatchObject({ code: null, signal: "SIGKILL" });
    await place.run([...QUERY, "-o", "whole", "--partition", "month"]);
    const whole = readData(place.home.path("whole"));
    expect(whole).toMatchObject(Object.fromEntries(listVisible(place)));
    expect(listVisible(place)).toHaveLength(index - 1);
    expect(readDescription(place.home.path("d")).ents["unfinished"]).toBe(true);
    expect(await place.run(NEW)).toMatchObject({ code: 0 });
    expect(readData(place.home.path("d"))).toEqual(whole);
  });

  test.concurrent.each([0, 1, 2, 3])("at rename %i of an update", async (index) => {
    const place = await createOld();
    expect(await die(place, NEXT, index)).toMatchObject({ signal: "SIGKILL" });
    for (const [path, text] of listVisible(place)) expect([place.old[path], place.whole[path]]).toContain(text);
    // The killed process had another clock.
    expect(await place.run([...NEXT, "--overwrite"])).toMatchObject({ code: 0 });
    expect(readData(place.home.path("d"))).toEqual(place.whole);
  });
});

function die({ home, service }: Place, args: readonly string[], index: number) {
  return home.spawn(args, { env: { ...envFor(service), ...dieAtRename(home, index) } });
}

/** The files that a reader sees. */
function listVisible({ home }: Place): [path: string, text: string][] {
  return Object.entries(readData(home.path("d"))).filter(([path]) => !/(^|\/)\./.test(path));
}

describe("a full disk", () => {
  test.each([0, 1, 2, 3])("at write %i leaves the old dataset, and nothing of the new", async (index) => {
    const place = await createOld();
    const before = readFiles(place.home.path("d"));
    failAt("appendFile", index, "ENOSPC");
    const { code, stderr } = await place.run(NEXT);
    expect({ code, stderr }).toEqual({
      code: 6,
      stderr: expect.stringMatching(
        /cannot write d\/(_datapackage.json|year=\d+\/month=\d+\/data.csv): the disk is full/,
      ) as string,
    });
    expect(readFiles(place.home.path("d"))).toEqual(before);
    expect(await place.run(NEXT)).toMatchObject({ code: 0 });
    expect(readData(place.home.path("d"))).toEqual(place.whole);
  });

  test("leaves nothing but the responses where no folder was", async () => {
    const place = await createPlace();
    failAt("sync", 1, "ENOSPC");
    expect(await place.run(NEW)).toMatchObject({ code: 6 });
    expect(readdirSync(place.home.path("d"))).toEqual([".ents"]);
  });
});

test.each([1, 2])("a rename that fails, number %i: the next run finishes", async (index) => {
  const place = await createOld();
  failAt("rename", index, "EIO");
  const { code, stderr } = await place.run(NEXT);
  expect({ code, stderr }).toEqual({
    code: 6,
    stderr: expect.stringMatching(
      /^ents: cannot write d\/(_datapackage.json|year=\d+\/month=\d+\/data.csv): the disk reports an error\n      some of its files may be old, others new; run the command again to finish\n$/,
    ) as string,
  });
  for (const [path, text] of listVisible(place)) expect([place.old[path], place.whole[path]]).toContain(text);
  expect(await place.run(NEXT)).toMatchObject({ code: 0 });
  expect(readData(place.home.path("d"))).toEqual(place.whole);
});

test("a service that fails halfway leaves the old dataset, and the same command goes on from there", async () => {
  const place = await createOld();
  const before = readFiles(place.home.path("d"));
  const command = [...NEXT, "--max-window", "2d", "--retries", "0", "--concurrency", "1"];
  place.play = (url, answer) =>
    url.includes("date_start=2025-01-2") ? { status: 403, body: { error: "Not now" } } : answer;
  expect(await place.run(command)).toMatchObject({ code: 3 });
  expect(readFiles(place.home.path("d"))).toEqual(before);
  place.play = undefined;
  const requests = place.service.requests.length;
  // The last request was refused.
  const paid = place.service.requests.slice(0, -1).map(({ url }) => url);
  expect(await place.run(command)).toMatchObject({ code: 0 });
  expect(paid.length).toBeGreaterThan(2);
  expect(place.service.requests.slice(requests).filter(({ url }) => paid.includes(url))).toEqual([]);
  expect(readData(place.home.path("d"))).toEqual(place.whole);
  expect(readdirSync(place.home.folder).toSorted()).toEqual(["d", "whole"]);
});

test("the second of two runs stops, before any request", async () => {
  const place = await createPlace();
  let answerNow: () => void = () => {};
  const after = new Promise<void>((resolve) => (answerNow = resolve));
  place.play = (_url, answer) => ({ ...answer, after });
  const first = place.run(NEW);
  await place.service.received(1);
  const { code, stderr } = await place.run(NEW);
  expect({ code, stderr }).toEqual({
    code: 6,
    stderr: expect.stringMatching(/^ents: another ents \(process \d+\) is writing d\n/) as string,
  });
  expect(place.service.requests).toHaveLength(1);
  answerNow();
  expect(await first).toMatchObject({ code: 0 });
  expect(readdirSync(place.home.path("d")).filter((name) => name !== ".ents")).toEqual([
    "_datapackage.json",
    "year=2025",
  ]);
});

test("a run that finds another's work between its look and its lock stops", async () => {
  const place = await createOld();
  const target = { kind: "folder", name: "d", path: place.home.path("d"), period: "month" } as const;
  const context = createProcessContext(new AbortController().signal);
  const job = { output: { formatName: "csv" }, options: { update: true }, context };
  const dataset = await openDataset(job as unknown as Parameters<typeof openDataset>[0], target);
  appendFileSync(place.home.path("d/_datapackage.json"), " ");
  const chunks = (async function* chunks(): AsyncGenerator<never> {
    yield await Promise.reject(new Error("it works"));
  })();
  await expect(dataset.put(chunks, {} as Encoding)).rejects.toMatchObject({
    kind: "output",
    message: "another ents has written d in the meantime",
  });
  expect(readdirSync(place.home.path("d")).filter((name) => name !== ".ents")).toEqual([
    "_datapackage.json",
    "year=2025",
  ]);
});

test.skipIf(!canBeDenied)("a read-only folder is exit 6, before any request", async () => {
  const { home, service } = await createPlace();
  mkdirSync(home.path("d"));
  chmodSync(home.path("d"), 0o555);
  const { code, stderr } = await home.spawn(NEW, { ...asUser, env: envFor(service) });
  expect({ code, stderr }).toEqual({
    code: 6,
    stderr: `ents: cannot write d: the folder ${home.path("d")} is not writable (permission denied)\n      choose another file with -o\n`,
  });
  expect(service.requests).toEqual([]);
});

test("files of other programs stay", async () => {
  const place = await createOld();
  writeFileSync(place.home.path("d/year=2025/month=02/notes.txt"), "mine");
  writeFileSync(place.home.path("d/.hidden"), "mine");
  place.world = { ...place.world, gaps: [[day(31), day(60)]] };
  expect(await place.run(NEXT)).toMatchObject({ code: 0 });
  place.now += day(1.5) - day(1);
  expect(await place.run([...NEXT, "--recheck", "all"])).toMatchObject({ code: 0 });
  expect(Object.keys(readFiles(place.home.path("d")))).toEqual([
    ".hidden",
    "_datapackage.json",
    "year=2025/month=01/data.csv",
    "year=2025/month=02/notes.txt",
  ]);
});

test("stopped by a signal, it leaves the old dataset", async () => {
  const place = await createOld();
  const before = readFiles(place.home.path("d"));
  place.play = () => ({ instead: "stall" });
  const { child, finished } = place.home.start(NEXT, { env: envFor(place.service) });
  const requests = place.service.requests.length;
  await place.service.received(requests + 1);
  child.kill("SIGINT");
  expect(await finished).toMatchObject({ code: 130 });
  expect(readFiles(place.home.path("d"))).toEqual(before);
});

test("a folder that is a link to another disk is updated there", async () => {
  const place = await createOld();
  const [year, disk] = [place.home.path("d/year=2025"), place.home.path("disk")];
  renameSync(year, disk);
  symlinkSync(disk, year);
  onCall = ({ name, path, to }) => {
    if (name === "rename" && isOn(path) !== isOn(to)) throw Object.assign(new Error("EXDEV"), { code: "EXDEV" });
  };
  const isOn = (path: string) => realpathSync(dirname(path)).startsWith(disk);
  expect(await place.run(NEXT)).toMatchObject({ code: 0 });
  expect([lstatSync(year).isSymbolicLink(), readFiles(disk)]).toEqual([
    true,
    readFiles(place.home.path("whole/year=2025")),
  ]);
  expect(readdirSync(place.home.path("d")).filter((name) => name !== ".ents")).toEqual([
    "_datapackage.json",
    "year=2025",
  ]);
});

test("the temporary file of a killed run is removed from a partition that is written again", async () => {
  const place = await createOld();
  const { identity } = createProcessContext(new AbortController().signal).process;
  const left = join(place.home.path("d/year=2025/month=02"), "data.csv");
  const temporary = await openTemporary(left, {
    process: { identity: { ...identity, pid: 2 ** 30 }, isGone: () => true },
  });
  await temporary.finish();
  expect(readdirSync(dirname(left))).toHaveLength(2);
  expect(await place.run(NEXT)).toMatchObject({ code: 0 });
  expect(readdirSync(dirname(left))).toEqual(["data.csv"]);
});
