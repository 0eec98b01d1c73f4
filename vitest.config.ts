import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";

/** What each extent leaves out (test/support/extent.ts). */
const LEFT_OUT = {
  quick: ["test/**/*.full.test.ts", "test/**/*.long.test.ts"],
  full: ["test/**/*.long.test.ts"],
  long: [],
};

/** Files whose tests all need names that Windows does not allow. */
const NOT_ON_WINDOWS = process.platform === "win32" ? ["test/completion/files.test.ts"] : [];

/** `npm test` is quick, unless all is demanded of it, as `.ci/run` does. */
function extentOf(mode: string): keyof typeof LEFT_OUT {
  if (mode === "full" || mode === "long") return mode;
  return process.env["ENTS_TEST_ALL"] === undefined ? "quick" : "full";
}

/** The seed of all that tests draw: fixed, so that a commit has one verdict. Before a release, that of the day. */
function seedOf(mode: string): string {
  const today = new Date().toJSON().slice(0, 10).replaceAll("-", "");
  return process.env["ENTS_TEST_SEED"] ?? (mode === "long" ? today : "1");
}

export default defineConfig(({ mode }) => ({
  test: {
    env: { ENTS_TEST_EXTENT: extentOf(mode), ENTS_TEST_SEED: seedOf(mode) },
    include: ["test/**/*.test.ts"],
    exclude: [...configDefaults.exclude, ...NOT_ON_WINDOWS, ...LEFT_OUT[extentOf(mode)]],
    setupFiles: ["test/support/setup.ts"],
    globalSetup: ["test/support/build.ts", "test/support/temporary-files.ts", "test/support/print-seed.ts"],
    // Modules are loaded once a worker: what helpers leave open, they close at the end of each file
    // (test/support/cleanup.ts).
    isolate: false,
    // Many tests at once, and in a full run more workers than cores: some wait for answers and timeouts while others
    // compute. Each worker loads and warms up all code for itself, a tenth of a quick run. Some of the long ones run
    // real processes by a fast clock, and need their time.
    maxWorkers: availableParallelism() + { quick: 1, full: 2, long: 1 }[extentOf(mode)],
    maxConcurrency: mode === "long" ? 8 : 16,
    // Most of what tests make is short-lived, and a heap that need not grow first: fewer collections, and a tenth less
    // time.
    execArgv: ["--max-semi-space-size=64", "--min-semi-space-size=64", "--initial-heap-size=512"],
    // A hang is a failure; a machine that is slow and busy is not. Among others the slowest test takes three minutes,
    // and 400 nights half an hour.
    testTimeout: mode === "long" ? 7_200_000 : 1_800_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 300_000 } },
    // Every file that has code. What runs in child processes does not count.
    coverage: { include: ["src/**"] },
  },
}));
