/** What a start must not load: Node modules that take milliseconds and that the command does not need. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BIN, createFolder, runCommand } from "./process.ts";

const REQUEST = [
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
  "-f",
  "csv",
  "--retries",
  "0",
];
const UNKNOWN_SCOPE = ["--base-url", "http://127.0.0.1:1"];

/** The Node modules and the chunks that a command has loaded by its end. */
function listLoaded(args: readonly string[], code: number): string[] {
  const home = createFolder();
  const preload = join(home, "list.cjs");
  writeFileSync(preload, `process.on("exit", () => process.stderr.write(${LIST}));\n`);
  // Without compiled code, Node loads the chunks itself.
  const env = { NODE_OPTIONS: `--require=${preload}`, NODE_DISABLE_COMPILE_CACHE: "1", ENTS_TOKEN: "a-token" };
  const ended = runCommand([process.execPath, BIN, ...args], home, env);
  expect(ended.code).toBe(code);
  const loaded = /^loaded (.*)$/m.exec(ended.stderr)?.[1] ?? "";
  return loaded
    .split(",")
    .map((name) => name.replace("NativeModule ", "").replace(/^.*[\\/](.*)-[\w-]{8}\.cjs$/, "$1"));
}

const LIST = "`\\nloaded ${[...process.moduleLoadList, ...Object.keys(require.cache)].join()}\\n`";

const SPARED = ["crypto", "fs/promises", "http", "http2", "perf_hooks"];

/** The chunks for TAB. */
const FOR_TAB = ["codes", "completion"];

/** What checks files. */
const OF_ZOD = ["schemas", "stored-settings"];

test.each([
  { what: "help", args: ["--help"], code: 0, spared: SPARED },
  { what: "a dry run", args: [...REQUEST, "--dry-run"], code: 0, spared: [...SPARED, ...FOR_TAB, ...OF_ZOD] },
  { what: "a request", args: [...REQUEST, ...UNKNOWN_SCOPE], code: 5, spared: [...SPARED, ...FOR_TAB, ...OF_ZOD] },
])("$what avoids modules that are slow to load", ({ args, code, spared }) => {
  const loaded = listLoaded(args, code);
  expect(loaded).toContain("stream");
  expect(spared.filter((name) => loaded.includes(name))).toEqual([]);
});

test("luxon is loaded for a time zone that needs it", () => {
  const load = (zone: string) => listLoaded([...REQUEST, ...UNKNOWN_SCOPE, "--time-zone", zone], 5);
  expect(load("utc")).not.toContain("iana-zone");
  expect(load("Australia/Sydney")).toContain("iana-zone");
});
