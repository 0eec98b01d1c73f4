/** The packed package, on every Node that it supports (nodes.ts). */
import { execFile } from "node:child_process";
import { readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isDue } from "../support/extent.ts";
import { compileConsumer, type Installed, installPacked } from "./installed.ts";
import { nodes } from "./nodes.ts";

const run = promisify(execFile);
const HOURS = [
  "network",
  "NEM",
  "--metrics",
  "power",
  "--sandbox",
  "-s",
  "2025-01-01",
  "-e",
  "2025-01-01",
  "-i",
  "1h",
  "-f",
  "csv",
];
const SUPPORTED = ["20.18", "20.19", "22", "24", "26"];

const missing = SUPPORTED.filter((release) => !nodes.some(([version]) => version.startsWith(`v${release}.`)));

let installed: Installed;
let env: NodeJS.ProcessEnv;

beforeAll(() => {
  installed = installPacked();
  env = {
    ...process.env,
    ENTS_CONFIG_DIR: `${installed.project}/config`,
    ENTS_CACHE_DIR: `${installed.project}/cache`,
  };
});

afterAll(() => rmSync(installed.project, { recursive: true, force: true }));

async function runEnts(node: string, args: readonly string[]): Promise<string> {
  const { stdout } = await run(node, [installed.bin, ...args], { cwd: installed.project, env });
  return stdout;
}

describe("the tarball", () => {
  test("holds the program, its types and its documents, and nothing else", () => {
    const stray = installed.files.filter(
      (path) =>
        !/^(bin\/(ents|package\.json)|dist\/.+\.(c?js|d\.ts)|dist\/command\/.+\.cjs\.map|dist\/command\/help\/ents[a-z-]*\.(80|100)\.txt|dist\/THIRD-PARTY-NOTICES|docs\/.+|package\.json|README\.md|LICENSE|(CHANGELOG|SECURITY)\.md)$/.test(
          path,
        ),
    );
    expect(stray).toEqual([]);
    for (const path of [
      "bin/ents",
      "dist/index.js",
      "dist/index.d.ts",
      "dist/THIRD-PARTY-NOTICES",
      "LICENSE",
      "README.md",
      "docs/ents.1",
    ]) {
      expect(installed.files).toContain(path);
    }
  });

  test("runs nothing on installation, which npm would warn about", () => {
    const { scripts } = JSON.parse(readFileSync(join(dirname(installed.bin), "../package.json"), "utf8")) as {
      scripts: object;
    };
    expect(Object.keys(scripts).filter((name) => /^(pre|post)?(install|prepare)$/.test(name))).toEqual([]);
  });

  test("has a program that the shell can run", () => {
    expect(statSync(installed.bin).mode & 0o111).toBe(0o111);
    expect(readFileSync(installed.bin, "utf8").split("\n")[0]).toBe("#!/usr/bin/env node");
  });
});

describe.each(nodes)("on Node %s", (_version, path) => {
  test("ents says its version", async () => {
    expect(await runEnts(path, ["--version"])).toBe(`${installed.version}\n`);
  });

  test("ents fetches a day from its sandbox, hour by hour, the same bytes as on any Node", async () => {
    const csv = await runEnts(path, HOURS);
    const [header = "", ...rows] = csv.trimEnd().split("\n");
    expect(header).toMatch(/^timestamp,network,metric,unit,(.+,)?value$/);
    const timestamps = new Set(rows.map((row) => row.split(",")[0]));
    const hours = Array.from({ length: 24 }, (_, hour) => `2025-01-01T${String(hour).padStart(2, "0")}:00:00+10:00`);
    expect([...timestamps]).toEqual(hours);
    expect(csv).toBe(path === process.execPath ? csv : await runEnts(process.execPath, HOURS));
  });
});

test.skipIf(!isDue(missing.length === 0))("every supported Node is among ENTS_TEST_NODES", () => {
  expect(missing).toEqual([]);
});

describe("as a library", () => {
  let program: string;

  beforeAll(() => {
    program = compileConsumer(installed.project);
  });

  test.each(nodes)("a compiled program uses it on Node %s", async (_version, path) => {
    const { stdout } = await run(path, [program], { cwd: installed.project, env });
    expect(stdout).toBe("consumed\n");
  });
});
