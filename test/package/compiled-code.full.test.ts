/** Compiled code is kept between runs, in a folder that no other user may write to. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
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

function listFiles(folder: string) {
  return readdirSync(folder).map((name) => {
    const { size, mtimeMs } = statSync(join(folder, name));
    return { path: join(folder, name), size, mtimeMs };
  });
}

describe.each(nodes)("on Node %s", (_, node) => {
  function plan(cache: string): string {
    const { code, stdout } = runCommand([node, BIN, ...PLAN], createFolder(), { ENTS_CACHE_DIR: cache });
    expect(code).toBe(0);
    return stdout;
  }

  test("it is in the cache directory, and the next runs print the same from it", () => {
    const cache = join(createFolder(), "cache");
    const first = plan(cache);
    const files = listFiles(join(cache, "code"));
    expect(files.length).toBeGreaterThan(3);
    expect(plan(cache)).toBe(first);
    expect(listFiles(join(cache, "code"))).toEqual(files);
  });

  test("damaged code is written again", () => {
    const cache = join(createFolder(), "cache");
    const first = plan(cache);
    const whole = listFiles(join(cache, "code"));
    for (const [index, { path, size }] of whole.entries()) {
      const code = readFileSync(path);
      code.writeUInt8(code.readUInt8(size >> 2) ^ 1, size >> 2);
      writeFileSync(path, index % 3 === 0 ? code.subarray(0, size >> 1) : index % 3 === 1 ? code : "");
    }
    expect(plan(cache)).toBe(first);
    expect(listFiles(join(cache, "code")).map(({ size }) => size > 0)).toEqual(whole.map(() => true));
    expect(plan(cache)).toBe(first);
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
