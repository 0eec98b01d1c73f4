/** Node 22.1 and later keep compiled code between runs, in a folder that no other user may write to. */
import { chmodSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { nodes } from "./nodes.ts";
import { BIN, createFolder, runCommand } from "./process.ts";

const PLAN = [
  "market",
  "NEM",
  "-m",
  "price",
  "-i",
  "1d",
  "-s",
  "2025-01-01",
  "-e",
  "2025-01-02",
  "--dry-run",
  "-f",
  "csv",
];

describe.each(nodes)("on Node %s", (version, node) => {
  const keeps = Number.parseInt(version.slice(1), 10) >= 22;

  function plan(cache: string): string {
    const { code, stdout } = runCommand([node, BIN, ...PLAN], createFolder(), { ENTS_CACHE_DIR: cache });
    expect(code).toBe(0);
    return stdout;
  }

  test("it is in the cache directory, and the next run prints the same", () => {
    const cache = join(createFolder(), "cache");
    expect(plan(cache)).toBe(plan(cache));
    expect(keeps ? readdirSync(join(cache, "code")) : []).toHaveLength(keeps ? 1 : 0);
  });

  test.each([0o770, 0o777])("a folder that others may write to (mode %o) is not used", (mode) => {
    const cache = createFolder();
    const folder = join(cache, "code");
    mkdirSync(folder);
    chmodSync(folder, mode);
    plan(cache);
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each(["/dev/null/nowhere", "/proc/nowhere", ""])("without a cache directory (%j), nothing is kept", (cache) => {
    expect(plan(cache)).toContain("/v4/market/network/NEM");
  });
});
