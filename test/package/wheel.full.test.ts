/** The wheel of `npm run wheel`, installed into an environment of Debian's Python, where test_ents.py is its test. */
import { spawnSync } from "node:child_process";
import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { isDue } from "../support/extent.ts";
import { createFolder, ROOT } from "./process.ts";

/** Debian's, which finds Debian's pandas. */
const PYTHON = "/usr/bin/python3";
const hasPandas = spawnSync(PYTHON, ["-c", "import ensurepip, pandas"]).status === 0;

let folder: string;

beforeAll(() => {
  folder = createFolder();
});

function run(file: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): string {
  const whole = { ...process.env, HOME: folder, ...env };
  const { status, stdout, stderr } = spawnSync(file, args, { cwd: folder, env: whole, encoding: "utf8" });
  if (status !== 0) throw new Error(`${file} ${args.join(" ")}: ${stdout}${stderr}`);
  return stdout.trim();
}

function makeWheel(name: string): string {
  return run(process.execPath, [join(ROOT, "scripts/wheel.mjs")], { ENTS_WHEEL: join(folder, name) });
}

test("a wheel is made again with the same bytes", () => {
  expect(readFileSync(makeWheel("again")).equals(readFileSync(makeWheel("once")))).toBe(true);
});

test.runIf(isDue(hasPandas))("one line installs it, and the next two read yesterday's prices", () => {
  run(PYTHON, ["-m", "venv", "--system-site-packages", "venv"]);
  run("venv/bin/pip", ["install", "--quiet", "--no-index", "--no-deps", makeWheel("wheel")]);
  const lines = [
    "import ents",
    'prices = ents.read("market NEM -m price -i 1h -s yesterday -e yesterday -g region --sandbox")',
    "print(len(prices), prices.value.notna().all(), prices.timestamp.dt.tz)",
  ];
  expect(run("venv/bin/python", ["-c", lines.join("\n")])).toBe("120 True UTC+10:00");
  copyFileSync(join(ROOT, "test/package/test_ents.py"), join(folder, "test_ents.py"));
  run("venv/bin/python", ["-m", "unittest", "test_ents"]);
});
