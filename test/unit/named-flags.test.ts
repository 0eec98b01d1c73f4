/** Some texts name a flag of a higher floor, which they cannot import; such flags must exist. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadCommands } from "../../src/cli/explain.ts";
import { COMMANDS } from "../../src/commands/all.ts";
import { COMMON_OPTIONS } from "../../src/options/fetch-options.ts";
import { flagOf } from "../../src/options/spec.ts";

const SRC = join(import.meta.dirname, "../../src");
/** Commander's own, one of 'ents help', two of V8 and one of Node. */
const OTHERS = ["--help", "--version", "--json", "--liftoff-only", "--jitless", "--disable-wasm-trap-handler"];

/**
 * The flags in a file's texts; comments may mention other tools' flags, and page styles have variables that look like
 * flags.
 */
function listNamed(path: string): string[] {
  const code = readFileSync(join(SRC, path), "utf8")
    .split("\n")
    .filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line) && /["'`]/.test(line) && !line.includes(":root{"))
    .join("\n");
  return [...code.matchAll(/(?<![\w-]|var\()--[a-z][a-z-]*[a-z](?!-\$)/g)].map(([flag]) => flag);
}

test("every flag that a text of the source names exists", async () => {
  const flags = (await loadCommands(COMMANDS)).flatMap(({ table }) =>
    Object.entries(table).map(([key, spec]) => flagOf(key, spec)),
  );
  const common = Object.entries(COMMON_OPTIONS).map(([key, spec]) => flagOf(key, spec));
  const known = new Set([...flags, ...common, ...OTHERS]);
  const named = readdirSync(SRC, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .flatMap((path) => listNamed(path).map((flag) => ({ path, flag })));
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(({ flag }) => !known.has(flag))).toEqual([]);
});
