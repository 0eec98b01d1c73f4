/** The compiled code that ents keeps between runs belongs to this user alone, and only affects speed. */
import {
  chmodSync,
  chownSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isDue } from "../support/extent.ts";
import { nodes } from "./nodes.ts";
import { BIN, createFolder, ROOT, runCommand } from "./process.ts";

const ROOT_IS_DUE = isDue(process.getuid?.() === 0, "root");
const PLAN = ["market", "NEM", "-m", "price", "-i", "1d", "-s", "2025-01-01", "-e", "2025-01-02", "--dry-run", "-f", "csv"];

/** Names each file that is compiled. */
const COUNT_SCRIPTS = `const vm = require("node:vm");
const { Script } = vm;
vm.Script = function (code, options) {
  process.stderr.write(options.filename + "\\n");
  return new Script(code, options);
};
`;

describe.each(nodes)("on Node %s", (version, node) => {
  /** Tests of the file system run on one Node only. */
  const isOwn = node === process.execPath;
  const onOwn = <T>(few: readonly T[], all: readonly T[]) => (isOwn ? all : few);
  const codeIn = (cache: string) => join(cache, "code", `${version}-${process.arch}`);

  function plan(home: string, env: Readonly<Record<string, string>> = {}): string {
    const { code, stdout } = runCommand([node, BIN, ...PLAN], home, env);
    expect(code).toBe(0);
    return stdout;
  }

  function openCache(mode: number): { readonly cache: string; readonly folder: string } {
    const opened = openBelow(createFolder());
    chmodSync(opened.folder, mode);
    return opened;
  }

  function openBelow(cache: string): { readonly cache: string; readonly folder: string } {
    const folder = codeIn(cache);
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o700);
    return { cache, folder };
  }

  test("each chunk is loaded once, also from stored code", () => {
    const home = createFolder();
    const preload = join(home, "count.cjs");
    writeFileSync(preload, COUNT_SCRIPTS);
    const env = { ENTS_CACHE_DIR: join(home, "cache"), NODE_OPTIONS: `--require=${preload}` };
    const loads = [1, 2].map(() =>
      runCommand([node, BIN, ...PLAN], home, env)
        .stderr.trim()
        .split("\n"),
    );
    for (const loaded of loads) expect(loaded).toEqual([...new Set(loaded)]);
    expect(loads[1]).toEqual(loads[0]);
    expect(loads[0]?.length).toBeGreaterThan(3);
  });

  test("it is stored in the cache directory, only for this user, and the next run prints the same", () => {
    const home = createFolder();
    const first = plan(home, { XDG_CACHE_HOME: join(home, "xdg") });
    const folder = codeIn(join(home, "xdg", "ents"));
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const kept = readdirSync(folder);
    expect(kept.length).toBeGreaterThan(3);
    for (const name of kept) {
      expect(readdirSync(join(ROOT, "dist", "command"))).toContain(name.replace(/[.]code$/, ""));
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    }
    const written = kept.map((name) => statSync(join(folder, name)).mtimeMs);
    expect(plan(home, { XDG_CACHE_HOME: join(home, "xdg") })).toBe(first);
    expect(kept.map((name) => statSync(join(folder, name)).mtimeMs)).toEqual(written);
  });

  test("damaged code is made again, and an existing cache directory keeps its mode", () => {
    const { cache, folder } = openCache(0o700);
    chmodSync(cache, 0o711);
    const first = plan(cache, { ENTS_CACHE_DIR: cache });
    const kept = readdirSync(folder).map((name) => join(folder, name));
    for (const path of kept) writeFileSync(path, readFileSync(path).subarray(0, 100));
    expect(plan(cache, { ENTS_CACHE_DIR: cache })).toBe(first);
    for (const path of kept) expect(statSync(path).size).toBeGreaterThan(100);
    expect(statSync(cache).mode & 0o777).toBe(0o711);
  });

  test.runIf(isOwn)("what cannot be put in place leaves nothing half-written", () => {
    const { cache, folder } = openCache(0o700);
    const first = plan(cache, { ENTS_CACHE_DIR: cache });
    const [name] = readdirSync(folder) as [string];
    rmSync(join(folder, name));
    mkdirSync(join(folder, name));
    expect(plan(cache, { ENTS_CACHE_DIR: cache })).toBe(first);
    expect(readdirSync(folder).filter((one) => !one.endsWith(".code"))).toEqual([]);
  });

  test.each(onOwn([0.7], [0, 3, 40, 0.3, 0.7, -1]))("a changed byte (at %d) is detected: the code is made again, never run", (at) => {
    const { cache, folder } = openCache(0o700);
    const first = plan(cache, { ENTS_CACHE_DIR: cache });
    const kept = readdirSync(folder).map((name) => join(folder, name));
    const sound = kept.map((path) => readFileSync(path));
    for (const [index, path] of kept.entries()) {
      const content = Buffer.from(sound[index] as Buffer);
      const place = at < 0 ? content.length - 1 : at < 1 ? Math.floor(content.length * at) : at;
      content[place] = (content[place] as number) ^ 0x20;
      writeFileSync(path, content);
    }
    expect(plan(cache, { ENTS_CACHE_DIR: cache })).toBe(first);
    for (const path of kept) expect(statSync(path).size).toBeGreaterThan(100);
  });

  test.each(onOwn([0o755], [0o755, 0o770, 0o777]))("a folder that others can enter (mode %o) is not used", (mode) => {
    const { cache, folder } = openCache(mode);
    plan(cache, { ENTS_CACHE_DIR: cache });
    expect(readdirSync(folder)).toEqual([]);
  });

  test.runIf(isOwn && ROOT_IS_DUE)("another user's folder is not used, nor another user's file (needs root)", () => {
    const { cache, folder } = openCache(0o700);
    chownSync(folder, 12345, 12345);
    plan(cache, { ENTS_CACHE_DIR: cache });
    expect(readdirSync(folder)).toEqual([]);
    chownSync(folder, 0, 0);
    plan(cache, { ENTS_CACHE_DIR: cache });
    for (const name of readdirSync(folder)) chownSync(join(folder, name), 12345, 12345);
    plan(cache, { ENTS_CACHE_DIR: cache });
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).uid).toBe(0);
  });

  const OPENINGS = [
    ["is another user's", (above: string) => chownSync(above, 12345, 12345)],
    ["others can write to", (above: string) => chmodSync(above, 0o777)],
    ["its group can write to", (above: string) => chmodSync(above, 0o770)],
  ] as const;

  test.runIf(ROOT_IS_DUE && isOwn).each(OPENINGS)(
    "a folder below one that %s is not used: it could be replaced (needs root)",
    (_, open) => {
      for (const levels of [["x"], ["x", "y"]]) {
        const above = createFolder();
        const { folder } = openBelow(join(above, ...levels));
        open(join(above, "x"));
        plan(above, { ENTS_CACHE_DIR: join(above, ...levels) });
        expect(readdirSync(folder)).toEqual([]);
      }
    },
  );

  test.runIf(isOwn && ROOT_IS_DUE)("a folder that is reached through another user's link is not used (needs root)", () => {
    const above = createFolder();
    const { folder } = openBelow(join(above, "own"));
    symlinkSync(join(above, "own"), join(above, "link"));
    plan(above, { ENTS_CACHE_DIR: join(above, "link") });
    expect(readdirSync(folder)).not.toEqual([]);
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
    lchownSync(join(above, "link"), 12345, 12345);
    plan(above, { ENTS_CACHE_DIR: join(above, "link") });
    expect(readdirSync(folder)).toEqual([]);
  });

  test("NODE_DISABLE_COMPILE_CACHE turns it off, and a home that is not a folder does no harm", () => {
    const home = createFolder();
    const said = plan(home, { NODE_DISABLE_COMPILE_CACHE: "1" });
    expect(readdirSync(home)).toEqual([]);
    const nowhere = [{ ENTS_CACHE_DIR: "/dev/null/nowhere" }, { ENTS_CACHE_DIR: "/proc/nowhere" }, { HOME: "" }];
    for (const env of onOwn(nowhere.slice(0, 1), nowhere)) expect(plan(home, env)).toBe(said);
  });
});
