import { fileURLToPath } from "node:url";
import { defineConfig } from "rolldown";
import { notices } from "./scripts/bundle/notices.mjs";

const stand = (name) => fileURLToPath(new URL(`scripts/bundle/${name}`, import.meta.url));

/**
 * Modules that cost start-up time and serve nothing that ents does, and what stands in for them. What each saves a small
 * request (child_process: `--help`) was measured as user and system time, the least of 50 interleaved runs.
 */
const STAND_INS = [
  // 39 ms on Node 20, 27 ms on Node 24
  { module: "undici", importer: /[\\/]src[\\/]/, by: stand("undici.mjs") },
  // 12 ms on Node 20, 11 ms on Node 24
  { module: "node:http2", importer: /[\\/]undici[\\/]/, by: stand("no-http2.cjs") },
  // 3 ms on Node 20, 2 ms on Node 24
  { module: "node:http", importer: /[\\/]undici[\\/]/, by: stand("no-http.cjs") },
  // 4 ms on Node 20, 1 ms on Node 24
  { module: "node:child_process", importer: /[\\/]commander[\\/]/, by: stand("no-child-process.cjs") },
];

/**
 * What loads together is one file, with all that it imports and that no line above has; the rest is split as it is loaded.
 * A small request reads 8 files instead of 29, which saves 4 ms on Node 20 and 3 ms on Node 24.
 */
const TOGETHER = [
  { name: "runtime", test: /rolldown.runtime/ },
  { name: "version", test: /src.main.version[.]ts/ },
  { name: "cli", test: /src.main.process[.]ts/ },
  { name: "command", test: /src.commands.data[.]ts/ },
  { name: "values", test: /src.(options.parse|job.output|job.destination.destination)[.]ts/ },
  { name: "request", test: /src.(query.query|job.export|format.delimited)[.]ts/ },
];

/**
 * The command as one bundle in chunks that load when they are needed; CommonJS, as Node starts it faster. Function names
 * stay, and the maps lead from a stack to src (src/main/stack.ts): smaller chunks save 9 ms where nothing is compiled yet.
 * The library (dist/index.js and what it imports) stays plain modules.
 */
export default defineConfig({
  input: { start: "src/main/start.ts" },
  platform: "node",
  logLevel: "warn",
  plugins: [
    {
      name: "stand-ins",
      resolveId: (module, importer = "") => STAND_INS.find((one) => one.module === module && one.importer.test(importer))?.by,
    },
    notices("THIRD-PARTY-NOTICES"),
  ],
  output: {
    dir: "dist",
    format: "cjs",
    minify: { mangle: { keepNames: true } },
    // "hidden": Node is not to look for the maps at every start.
    sourcemap: "hidden",
    sourcemapExcludeSources: true,
    codeSplitting: { groups: TOGETHER.map((group, index) => ({ ...group, priority: TOGETHER.length - index })) },
    entryFileNames: "command/[name].cjs",
    chunkFileNames: "command/[name]-[hash].cjs",
  },
});
