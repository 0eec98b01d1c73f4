/** File systems that cannot sync: everything is still written. A disk that fails to sync is an error. */
import { readFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { expect, test } from "vitest";
import { syncFile } from "../../src/files/temporary.ts";
import { createNights, expectWhole } from "../update/nights.ts";
import { watchFileCalls } from "./file-calls.ts";

let refused: string | undefined;
await watchFileCalls(({ name }) => {
  if (name === "sync" && refused !== undefined) throw Object.assign(new Error("sync"), { code: refused });
});

test.each(["EINVAL", "ENOSYS", "ENOTSUP"])(
  "a file and its stored responses are written if syncing fails with %s",
  async (code) => {
    refused = code;
    const nights = await createNights(["--max-window", "5d"]);
    await nights.night(11);
    await expectWhole(nights);
    refused = undefined;
  },
);

test("a file handle needs no method for it: those of Yarn's Plug'n'Play have none", async () => {
  const handle = await open(import.meta.filename, "r+");
  const sync = () => Promise.reject(new Error("Method not implemented."));
  await expect(syncFile(Object.assign(handle, { sync }))).resolves.toBeUndefined();
  await handle.close();
});

test("a disk that fails to sync is exit 6, and the file stays", async () => {
  const nights = await createNights();
  const before = readFileSync(nights.home.path("power.csv"));
  refused = "EIO";
  expect(await nights.update()).toMatchObject({ code: 6 });
  refused = undefined;
  expect(readFileSync(nights.home.path("power.csv"))).toEqual(before);
});
