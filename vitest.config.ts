import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";

export default defineConfig(({ mode }) => ({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: mode === "long" ? configDefaults.exclude : [...configDefaults.exclude, "test/**/*.long.test.ts"],
    setupFiles: ["test/support/setup.ts"],
    globalSetup: ["test/support/build.ts", "test/support/temporary-files.ts"],
    // Modules are loaded once a worker: what helpers leave open, they close at the end of each file (test/support/cleanup.ts).
    isolate: false,
    // More than cores, and many tests at once: some wait for answers and timeouts while others compute. Some of the long ones
    // run real processes by a fast clock, and need their time.
    maxWorkers: availableParallelism() + (mode === "long" ? 1 : 2),
    maxConcurrency: mode === "long" ? 8 : 16,
    // Most of what tests make is short-lived, and a heap that need not grow first: fewer collections, and a tenth less time.
    execArgv: ["--max-semi-space-size=64", "--min-semi-space-size=64", "--initial-heap-size=512"],
    // A hang is a failure; a slow and busy machine is none.
    testTimeout: mode === "long" ? 300_000 : 120_000,
    hookTimeout: 120_000,
    // Every file that has code; scripts/coverage.mjs adds what ran in child processes.
    coverage: { include: ["src/**"] },
  },
}));
