/** A cache on a disk that cannot be written: a warning, and the run uses what is there. */
import { readdirSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { CUT, QUERY, runIn, startWorldService } from "../faults/world-service.ts";
import { type FileCall, watchFileCalls } from "../files/file-calls.ts";
import { createHome } from "../support/run-ents.ts";

let failing: { readonly calls: readonly FileCall["name"][]; readonly code: string } | undefined;

beforeAll(() =>
  watchFileCalls(({ name, path }) => {
    if (failing?.calls.includes(name) && /[\\/]answers[\\/]/.test(path))
      throw Object.assign(new Error(name), { code: failing.code });
  }),
);

const CACHE = [...QUERY, ...CUT, "--cache", "12h"];

test.each([
  ["full", { calls: ["appendFile"], code: "ENOSPC" }, "the disk is full"],
  ["full when it is synced", { calls: ["sync"], code: "EDQUOT" }, "the disk quota is used up"],
  ["read-only", { calls: ["appendFile", "lutimes", "rename"], code: "EROFS" }, "the file system is read-only"],
] as const)("one that is %s", async (_, failure, reason) => {
  const asker = { home: createHome(), service: await startWorldService() };
  const plain = await runIn(asker, [...QUERY, ...CUT]);
  failing = failure;
  const run = await runIn(asker, CACHE);
  const folder = asker.home.path("cache/answers");
  expect(run).toEqual({
    ...plain,
    stderr: `ents: warning: cannot store responses in the cache in ${folder}: ${reason}\n`,
  });
  expect(readdirSync(folder)).toEqual([]);
  failing = undefined;
  await runIn(asker, CACHE);
  const before = asker.service.requests.length;
  failing = failure;
  const later = await runIn(asker, CACHE);
  expect(later).toEqual({
    ...plain,
    stderr: expect.stringMatching(/^ents: note: 7 of 7 responses are from the cache[^\n]*\n$/) as string,
  });
  expect(asker.service.requests).toHaveLength(before);
  failing = undefined;
});
