/** Two simultaneous exports to the same output: only one keeps answers. */
import { writeFileSync } from "node:fs";
import promises, { mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { EntsError, messageOf } from "../../src/base/errors.ts";
import { takeLock } from "../../src/files/lock.ts";
import { runs } from "../support/extent.ts";
import { ENDED, identify, processOf } from "./processes.ts";
import { HAS_LINKS } from "../support/platform.ts";

let root: string;
let count = 0;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "ents-lock-"));
});

afterAll(() => rm(root, { recursive: true }));

function newPath(): string {
  return join(root, `lock-${count++}`);
}

function take(path: string, pid: number): Promise<() => Promise<void>> {
  return takeLock({ path, guards: "out.csv", process: processOf(pid) });
}

const REFUSAL = /^another ents \(process \d+\) is writing out\.csv$/;

/** Takes the lock many times at once: returns the releases of those who got it and the messages of the others. */
async function takeAtOnce(path: string, takers: number) {
  const taking = Array.from({ length: takers }, async (_, index) => {
    for (let turn = (index * 3 + takers) % 11; turn > 0; turn--) await new Promise((resolve) => setImmediate(resolve));
    return take(path, 100 + index);
  });
  const outcomes = await Promise.allSettled(taking);
  return {
    releases: outcomes.filter((outcome) => outcome.status === "fulfilled").map(({ value }) => value),
    errors: outcomes.filter((outcome) => outcome.status === "rejected").map(({ reason }) => reason as unknown),
  };
}

/** The files beside a lock, by the endings of their names. */
async function listBeside(path: string): Promise<string[]> {
  const name = path.slice(root.length + 1);
  return (await readdir(root)).filter((file) => file.startsWith(`${name}.`));
}

async function age(path: string, seconds: number): Promise<void> {
  const then = new Date(Date.now() - seconds * 1000);
  await utimes(path, then, then);
}

// Some tests wait for a second, so they run at the same time.
describe.concurrent("a lock", () => {
  test("of a running process is not taken; the message names the process, the guarded file, and what to do", async () => {
    const path = newPath();
    const content = JSON.stringify(identify(77));
    await writeFile(path, content);
    await age(path, 3600);
    const thrown = await take(path, 1).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(EntsError);
    expect(thrown).toMatchObject({ kind: "output", message: "another ents (process 77) is writing out.csv" });
    expect((thrown as EntsError).hint).toContain(path);
    expect(await readFile(path, "utf8")).toBe(content);
  });

  test("of an ended process is taken over at once, and then held", async () => {
    const path = newPath();
    await writeFile(path, JSON.stringify(identify(ENDED)));
    const release = await take(path, 5);
    await expect(take(path, 6)).rejects.toMatchObject({ message: "another ents (process 5) is writing out.csv" });
    await release();
    expect(await listBeside(path)).toEqual([]);
    await expect(readFile(path)).rejects.toMatchObject({ code: "ENOENT" });
  });

  test.each([
    ["half written", '{"host":"he'],
    ["empty", ""],
    ["no lock of ents", "77\n"],
  ])("that is %s, as of a process killed while taking it, is taken over within a second or two", async (_, content) => {
    const path = newPath();
    await writeFile(path, content);
    const started = Date.now();
    const release = await take(path, 1);
    expect(Date.now() - started).toBeGreaterThan(500);
    await release();
    await expect(readFile(path)).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("of another machine is taken over after a minute without a touch", async () => {
    const path = newPath();
    await writeFile(path, JSON.stringify(identify(77, { host: "there" })));
    await age(path, 20);
    await expect(take(path, 1)).rejects.toMatchObject({
      kind: "output",
      message: expect.stringContaining("another ents") as string,
    });
    await age(path, 100);
    await (await take(path, 1))();
    await expect(readFile(path)).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("is not released by a process that no longer holds it", async () => {
    const path = newPath();
    const release = await take(path, 1);
    const content = JSON.stringify(identify(2));
    await writeFile(path, content);
    await release();
    expect(await readFile(path, "utf8")).toBe(content);
  });

  test.each(["a directory", ...(HAS_LINKS ? ["a dangling link"] : [])])(
    "that is %s is an error at once, and stays",
    async (what) => {
      const path = newPath();
      if (what === "a directory") await mkdir(path);
      else await symlink(join(root, "nowhere"), path);
      await expect(take(path, 1)).rejects.toMatchObject({
        kind: "output",
        message: `cannot lock out.csv: ${path} is not a file`,
      });
      expect(await readdir(root)).toContain(path.slice(root.length + 1));
      expect(await readdir(root)).not.toContain("nowhere");
    },
  );

  test.each([
    [{ host: "far-away", namespace: "n2" }, "on the machine or in the container far-away"],
    [{ namespace: "n2" }, "in another container of this machine"],
  ])(
    "of a process that cannot be checked (%j) says where that is, and how long its lock counts",
    async (other, place) => {
      const path = newPath();
      await writeFile(path, JSON.stringify(identify(1, other)));
      await age(path, 20);
      await expect(take(path, 1)).rejects.toMatchObject({
        message: `another ents ${place} is writing out.csv, or was until it ended`,
        hint: expect.stringMatching(/its lock counts for (?:40|39|38) more seconds$/) as string,
      });
    },
  );

  test("that another process is about to remove is left to it", async () => {
    const path = newPath();
    const abandoned = JSON.stringify(identify(ENDED));
    await writeFile(path, abandoned);
    await writeFile(`${path}.removing`, JSON.stringify(identify(77)));
    await expect(take(path, 1)).rejects.toMatchObject({ message: expect.stringContaining("another ents") as string });
    expect(await readFile(path, "utf8")).toBe(abandoned);
  });

  test("that another process takes over first is left to it", async () => {
    const path = newPath();
    await writeFile(path, JSON.stringify(identify(ENDED)));
    const taken = JSON.stringify(identify(77));
    const process = processOf(1);
    const isGone: typeof process.isGone = (holder) => {
      if (holder.pid !== ENDED) return false;
      writeFileSync(path, taken);
      return true;
    };
    await expect(takeLock({ path, guards: "out.csv", process: { ...process, isGone } })).rejects.toMatchObject({
      message: "another ents (process 77) is writing out.csv",
    });
    expect(await readFile(path, "utf8")).toBe(taken);
  });

  test.each([
    ["at once", JSON.stringify(identify(ENDED))],
    ["within a second or two", ""],
  ])("that another process was removing when it was killed is taken %s", async (_, guard) => {
    const path = newPath();
    await writeFile(path, JSON.stringify(identify(ENDED)));
    await writeFile(`${path}.removing`, guard);
    await (await take(path, 1))();
    expect(await listBeside(path)).toEqual([]);
  });

  test("removes what a killed process left beside it", async () => {
    const path = newPath();
    await writeFile(`${path}.removing`, "");
    await (await take(path, 1))();
    expect(await listBeside(path)).toEqual([]);
  });

  test("is taken by one of many at once", async () => {
    for (let round = 0; round < runs(8, 30); round++) {
      const path = newPath();
      const { releases, errors } = await takeAtOnce(path, 20);
      expect(releases).toHaveLength(1);
      expect(errors.filter((error) => !/another ents/.test(messageOf(error)))).toEqual([]);
      expect(await listBeside(path)).toEqual([]);
      for (const release of releases) await release();
      const next = await takeAtOnce(path, 3);
      expect(next.releases).toHaveLength(1);
    }
  });

  test("of an ended process is taken over by one of many at once", async () => {
    const check = async (takers: number) => {
      const path = newPath();
      await writeFile(path, JSON.stringify(identify(ENDED)));
      const { releases, errors } = await takeAtOnce(path, takers);
      expect(releases).toHaveLength(1);
      expect(
        errors.filter((error) => !REFUSAL.test(messageOf(error)) && !/another ents/.test(messageOf(error))),
      ).toEqual([]);
    };
    for (let round = 0; round < runs(4, 20); round++)
      await Promise.all(Array.from({ length: runs(8, 15) }, (_, index) => check(3 + (index % 8))));
  });
});

test("a lock that Windows is still removing (EPERM) is waited for; another EPERM is an error after a second", async () => {
  const open = vi.spyOn(promises, "open");
  const refused = Object.assign(new Error("EPERM"), { code: "EPERM" });
  open.mockRejectedValueOnce(refused).mockRejectedValueOnce(refused);
  syncBuiltinESMExports();
  const release = await take(newPath(), 1);
  expect(open.mock.calls.length).toBeGreaterThan(2);
  await release();
  open.mockRejectedValue(refused);
  await expect(take(newPath(), 1)).rejects.toBe(refused);
  open.mockRestore();
  syncBuiltinESMExports();
});
