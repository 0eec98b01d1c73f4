import { fileURLToPath } from "node:url";
import { defineConfig } from "rolldown";

const stand = (name) => fileURLToPath(new URL(`scripts/bundle/${name}`, import.meta.url));

/** Modules that cost start-up time and serve nothing that ents does, and what stands in for them. */
const STAND_INS = [
  { module: "undici", importer: /[\\/]src[\\/]/, by: stand("undici.mjs") },
  { module: "node:http2", importer: /[\\/]undici[\\/]/, by: stand("no-http2.cjs") },
  { module: "node:child_process", importer: /[\\/]commander[\\/]/, by: stand("no-child-process.cjs") },
];

/**
 * The command as one bundle in lazy chunks, so that a call reads only what it needs; CommonJS, as Node starts it faster.
 * The library (dist/index.js and what it imports) stays plain modules.
 */
export default defineConfig({
  input: { start: "src/main/start.ts" },
  platform: "node",
  plugins: [
    {
      name: "stand-ins",
      resolveId: (module, importer = "") => STAND_INS.find((one) => one.module === module && one.importer.test(importer))?.by,
    },
  ],
  output: {
    dir: "dist/command",
    format: "cjs",
    minify: true,
    // Of its own, so that start needs nothing of the rest for it.
    codeSplitting: { groups: [{ name: "runtime", test: /rolldown.runtime/ }] },
    entryFileNames: "[name].cjs",
    chunkFileNames: "[name]-[hash].cjs",
  },
});
