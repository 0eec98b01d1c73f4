/** Two exports to the same output at once: one of them writes. */
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EntsError, messageOf } from "../../src/base/errors.ts";
import { takeLock } from "../../src/job/checkpoint/lock.ts";
import { openPieceStore } from "../../src/job/checkpoint/store.ts";

let root: string;
let count = 0;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "ents-lock-"));
});

afterAll(() => rm(root, { recursive: true }));

function newPath(): string {
  return join(root, `lock-${count++}`);
}

const DEAD = 999_999;

/** A process among others, of which only `DEAD` has ended. */
function processOf(id: number) {
  return { id, isRunning: (other: number) => other !== DEAD };
}

const REFUSAL = /^another ents \(process \d+\) is writing out\.csv$/;

/** Many at once: the releases of those who have the lock, and what the others were told. */
async function takeAtOnce(path: string, takers: number) {
  const taking = Array.from({ length: takers }, async (_, index) => {
    for (let turn = (index * 3 + takers) % 11; turn > 0; turn--) await new Promise((resolve) => setImmediate(resolve));
    return takeLock({ path, guards: "out.csv", process: processOf(100 + index) });
  });
  const outcomes = await Promise.allSettled(taking);
  return {
    releases: outcomes.filter((outcome) => outcome.status === "fulfilled").map(({ value }) => value),
    errors: outcomes.filter((outcome) => outcome.status === "rejected").map(({ reason }) => reason as unknown),
  };
}

/** What lies beside a lock, by the endings of its names. */
async function listBeside(path: string): Promise<string[]> {
  const name = path.slice(root.length + 1);
  return (await readdir(root)).filter((file) => file.startsWith(`${name}.`));
}

describe("a lock", () => {
  test("of a process that runs is not taken, and says whose it is and what it guards", async () => {
    const path = newPath();
    await writeFile(path, "77\n");
    const thrown = await takeLock({ path, guards: "out.csv", process: processOf(1) }).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(EntsError);
    expect(thrown).toMatchObject({ kind: "output", message: "another ents (process 77) is writing out.csv" });
    expect((thrown as EntsError).hint).toContain(path);
    expect(await readFile(path, "utf8")).toBe("77\n");
  });

  test.each([`${DEAD}\n`, "", "half", "-3\n", "0\n"])("of a process that has ended, or of none (%j), is taken over", async (content) => {
    const path = newPath();
    await writeFile(path, content);
    const release = await takeLock({ path, guards: "out.csv", process: processOf(5) });
    const second = takeLock({ path, guards: "out.csv", process: processOf(6) });
    await expect(second).rejects.toMatchObject({ message: "another ents (process 5) is writing out.csv" });
    await release();
    expect(await listBeside(path)).toEqual([]);
    await expect(readFile(path)).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("is taken by one of many at once", async () => {
    for (let round = 0; round < 30; round++) {
      const path = newPath();
      const { releases, errors } = await takeAtOnce(path, 20);
      expect(releases).toHaveLength(1);
      expect(errors.filter((error) => !REFUSAL.test(messageOf(error)))).toEqual([]);
      expect(await listBeside(path)).toEqual([]);
      for (const release of releases) await release();
      const next = await takeAtOnce(path, 3);
      expect(next.releases).toHaveLength(1);
    }
  });

  test("whose process has ended is taken over by one of many at once", async () => {
    for (let round = 0; round < 300; round++) {
      const path = newPath();
      await writeFile(path, `${DEAD}\n`);
      const { releases, errors } = await takeAtOnce(path, 3 + (round % 8));
      expect(releases).toHaveLength(1);
      expect(errors.filter((error) => !REFUSAL.test(messageOf(error)))).toEqual([]);
    }
  });
});

test("a second export to the same output stops, and leaves the answers of the first", async () => {
  const output = newPath();
  const identity = ["same"];
  const first = await openPieceStore({ output, identity, fresh: false, cwd: "/", process: processOf(1) });
  await first.keep("/one", { bytes: Buffer.from("{}"), gzip: false });
  for (const other of [identity, ["another"]]) {
    const second = openPieceStore({ output, identity: other, fresh: false, cwd: "/", process: processOf(2) });
    await expect(second).rejects.toMatchObject({ kind: "output", message: `another ents (process 1) is writing ${output}` });
  }
  await first.close(false);
  const third = await openPieceStore({ output, identity, fresh: false, cwd: "/", process: processOf(3) });
  expect(third.found.pieces).toBe(1);
  await third.close(true);
});

test("a lock with the own number is an earlier process's: in a container the number is the same each time", async () => {
  const path = newPath();
  await writeFile(path, "7\n");
  const release = await takeLock({ path, guards: "out.csv", process: { id: 7, isRunning: () => true } });
  await release();
  expect(await listBeside(path)).toEqual([]);
});
