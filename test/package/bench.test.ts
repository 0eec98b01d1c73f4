/** The benchmark in its short form fails if two ways write different bytes. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { isDue, LONG } from "../support/extent.ts";
import { ROOT } from "./process.ts";

test.runIf(LONG && isDue(existsSync("/usr/bin/time")))("the benchmark runs", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(ROOT, "bench/run.mjs"), "--quick"]);
  expect(stdout).toContain("1,382,400 points in 6 responses");
});
