/** Disks without links and with one owner and mode for all files: FAT, exFAT, network shares. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { createHome } from "../support/run-ents.ts";
import { type FileCall, watchFileCalls } from "./file-calls.ts";

const DAY = [
  "market",
  "NEM",
  "-m",
  "price",
  "-i",
  "1h",
  "-s",
  "2025-01-01",
  "-e",
  "2025-01-01",
  "--max-window",
  "12h",
  "--sandbox",
];
const REFUSED: readonly FileCall["name"][] = ["link", "symlink", "chown", "chmod", "lutimes", "utimes"];

beforeAll(() =>
  watchFileCalls(({ name }) => {
    if (REFUSED.includes(name)) throw Object.assign(new Error(name), { code: "EPERM" });
  }),
);

test("they take an export of several requests, also over an old file, and a token", async () => {
  const home = createHome();
  writeFileSync(home.path("out.csv"), "old");
  expect(await home.run([...DAY, "-q", "-o", "out.csv"])).toMatchObject({ code: 0, stderr: "" });
  expect(readdirSync(home.folder)).toEqual(["out.csv"]);
  expect(readFileSync(home.path("out.csv"), "utf8").split("\n")).toHaveLength(26);
  expect(await home.run(["login", "--no-verify", "-q"], { stdin: "a-token-of-mine" })).toMatchObject({
    code: 0,
    stderr: "",
  });
});
