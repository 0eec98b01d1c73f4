import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "rolldown";
import { ascii } from "./scripts/bundle/ascii.mjs";
import { notices } from "./scripts/bundle/notices.mjs";

const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url));

const UNUSED = pathOf("scripts/bundle/unused.cjs");

/**
 * Modules that cost start-up time and serve nothing that ents does, and what stands in for them. What each saves a
 * small request was measured as user and system time, the least of 50 interleaved runs.
 */
const STAND_INS = [
  // 39 ms on Node 20, 27 ms on Node 24
  { module: "undici", importer: /[\\/]src[\\/]/, by: pathOf("scripts/bundle/undici.mjs") },
  // HTTP/2, which ents does not enable: 12 ms on Node 20, 11 ms on Node 24
  { module: "./client-h2.js", importer: /[\\/]undici[\\/]/, by: UNUSED },
  // 3 ms on Node 20, 2 ms on Node 24
  { module: "node:http", importer: /[\\/]undici[\\/]/, by: pathOf("scripts/bundle/no-http.cjs") },
  // Forms to send.
  { module: "../web/fetch/body.js", importer: /[\\/]undici[\\/]/, by: UNUSED },
  // One parser of headers is enough; this one runs on any processor.
  {
    module: "../llhttp/llhttp_simd-wasm.js",
    importer: /[\\/]undici[\\/]/,
    by: pathOf("node_modules/undici/lib/llhttp/llhttp-wasm.js"),
  },
  // Subcommands that are programs of their own.
  { module: "node:child_process", importer: /[\\/]commander[\\/]/, by: UNUSED },
];

/**
 * What loads together is one file: these modules with all that they import and that no line above has. The rest is
 * split as it is loaded. A small request reads 8 files instead of 29, which saves 4 ms on Node 20 and 3 ms on Node 24.
 */
const TOGETHER = {
  first: ["src/main/version.ts", "src/base/exit-codes.ts", "src/files/descriptors.ts", "src/files/folders.ts"],
  command: [
    "src/commands/data.ts",
    "src/commands/all.ts",
    // Small, and of completion and others.
    "src/base/terminal.ts",
    "src/facilities/facility.ts",
    "src/facilities/filter.ts",
    "src/options/address.ts",
    "src/files/stored-list.ts",
    "src/settings/config-keys.ts",
  ],
  completion: ["src/cli/completion/answer.ts"],
  codes: ["src/cli/completion/codes.ts"],
  cli: ["src/main/main.ts"],
  values: ["src/export/output.ts", "src/export/destination/destination.ts"],
  job: ["src/query/query.ts", "src/export/export.ts", "src/format/delimited.ts"],
  service: ["src/source/open-service.ts"],
};

/**
 * The command as one bundle in chunks that load when they are needed; CommonJS, as Node starts it faster. Function
 * names stay, and the maps lead from a stack to src (src/main/main.ts): smaller chunks save 9 ms where nothing is
 * compiled yet. The library (dist/index.js and what it imports) stays plain modules.
 */
const command = defineConfig({
  input: { start: "src/main/start.ts" },
  platform: "node",
  // Its package has no text of its licence, which a bundle would need; it is read from node_modules.
  external: ["@resvg/resvg-wasm"],
  logLevel: "warn",
  plugins: [
    {
      name: "stand-ins",
      resolveId: (module, importer = "") =>
        STAND_INS.find((one) => one.module === module && one.importer.test(importer))?.by,
    },
    notices("THIRD-PARTY-NOTICES"),
    ascii(),
  ],
  output: {
    dir: "dist",
    format: "cjs",
    minify: { mangle: { keepNames: true } },
    // "hidden": Node is not to look for the maps at every start.
    sourcemap: "hidden",
    sourcemapExcludeSources: true,
    codeSplitting: {
      groups: [{ name: "runtime", test: /rolldown.runtime/, priority: 10 }, ...Object.entries(TOGETHER).map(toGroup)],
    },
    entryFileNames: "command/[name].cjs",
    chunkFileNames: "command/[name]-[hash].cjs",
  },
});

/** The script of html pages, as text that src/format/html.ts reads. */
const page = defineConfig({
  input: pathOf("src/format/picture/page/browser/script.ts"),
  platform: "browser",
  logLevel: "warn",
  output: { file: "dist/page.js", format: "iife", minify: true },
});

export default [command, page];

/** @param {[string, string[]]} together @param {number} index */
function toGroup([name, files], index) {
  const paths = files.map(pathOf);
  const moved = paths.find((path) => !existsSync(path));
  if (moved !== undefined) throw new Error(`rolldown.config.mjs names ${moved}, which is not there`);
  return { name, priority: 9 - index, test: (module) => paths.includes(module) };
}
