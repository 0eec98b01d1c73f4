/** The stack of a bug, as in a bug report: from the real bundle, with the names and lines of src. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { nodes } from "./nodes.ts";
import { BIN, createFolder, type Ended, ROOT, runCommand } from "./process.ts";

const PLAN = ["market", "NEM", "-m", "price", "-i", "1d", "-s", "2025-01-01", "-e", "2025-01-02", "--dry-run"];

/**
 * Runs `ents` on a Node whose `encodeURIComponent` fails except for addresses; nothing expects that, so it is reported
 * as a bug.
 */
function runBroken(node: string, args: readonly string[]): Ended {
  const home = createFolder();
  const preload = join(home, "break.cjs");
  const encode = '(text) => { if (/^http/.test(text)) return text; throw new TypeError("broken on purpose"); }';
  writeFileSync(preload, `globalThis.encodeURIComponent = ${encode};\n`);
  return runCommand([node, BIN, ...args], home, { NODE_OPTIONS: `--require=${preload}` });
}

describe.each(nodes)("on Node %s", (_version, node) => {
  test("-v shows functions by their names, and their lines in src", () => {
    const { code, stderr } = runBroken(node, [...PLAN, "-v"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^ents: a bug in ents: broken on purpose$/m);
    const [, name = "", file = "", line = ""] =
      /^ +at (\w+) \((src\/plan\/[\w/-]+[.]ts):(\d+):\d+\)$/m.exec(stderr) ?? [];
    const source = readFileSync(join(ROOT, file), "utf8").split("\n");
    expect(source[Number(line) - 1]).toContain("encodeURIComponent(");
    expect(source.slice(0, Number(line)).join("\n")).toContain(`function ${name}(`);
    expect(stderr).toMatch(/^ +at \w+ \(src\/plan\/plan[.]ts:\d+:\d+\)$/m);
    expect(stderr).not.toContain("dist/command");
  });

  test("without -v, it shows none", () => {
    const { code, stderr } = runBroken(node, PLAN);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^ents: a bug in ents: broken on purpose$/m);
    expect(stderr).not.toMatch(/^ +at /m);
  });
});
