import { defineConfig } from "rolldown";

/**
 * The command as one bundle in lazy chunks, so that a call reads only what it needs; CommonJS, as Node starts it faster.
 * The library (dist/index.js and what it imports) stays plain modules.
 */
export default defineConfig({
  input: { start: "src/main/start.ts" },
  platform: "node",
  output: {
    dir: "dist/command",
    format: "cjs",
    minify: true,
    entryFileNames: "[name].cjs",
    chunkFileNames: "[name]-[hash].cjs",
  },
});
