/**
 * Colours and characters by environment: a non-empty NO_COLOR wins over everything (no-color.org); FORCE_COLOR takes
 * the values that Node does. In Node, FORCE_COLOR wins: a user who has turned colours off for good would get them in a
 * file.
 */
import { afterEach, expect, test, vi } from "vitest";
import type { OutputStream } from "../../src/base/context.ts";
import { createProcessContext } from "../../src/main/process-context.ts";

afterEach(() => vi.unstubAllEnvs());

const NAMES = ["NO_COLOR", "FORCE_COLOR", "LC_ALL", "LC_CTYPE", "LANG", "TERM"] as const;

type Environment = { readonly [name in (typeof NAMES)[number]]?: string };

/** What both outputs, which are not terminals, report about themselves. */
function readOutputs(env: Environment): readonly OutputStream[] {
  for (const name of NAMES) vi.stubEnv(name, env[name]);
  const { stdout, stderr } = createProcessContext(new AbortController().signal);
  expect([stdout.isTerminal, stderr.isTerminal]).toEqual([false, false]);
  return [stdout, stderr];
}

test.each([
  [{}, 1],
  [{ FORCE_COLOR: "1" }, 4],
  [{ FORCE_COLOR: "2" }, 8],
  [{ FORCE_COLOR: "3" }, 24],
  [{ FORCE_COLOR: "true" }, 4],
  [{ FORCE_COLOR: "" }, 1],
  [{ FORCE_COLOR: "0" }, 1],
  [{ FORCE_COLOR: "false" }, 1],
  [{ NO_COLOR: "1" }, 1],
  [{ NO_COLOR: "1", FORCE_COLOR: "1" }, 1],
  [{ NO_COLOR: "0", FORCE_COLOR: "3" }, 1],
  [{ NO_COLOR: "", FORCE_COLOR: "1" }, 4],
])("bits of a colour in a pipe, with %j: %i", (env, depth) => {
  for (const { colors, colorDepth } of readOutputs(env))
    expect({ colors, colorDepth }).toEqual({ colors: depth > 1, colorDepth: depth });
});

test.skipIf(process.platform === "win32").each([
  [{ LANG: "en_AU.UTF-8" }, true],
  [{ LANG: "C.utf8" }, true],
  [{ LANG: "C" }, false],
  [{ LANG: "en_AU.ISO-8859-1" }, false],
  [{}, false],
  [{ LC_CTYPE: "C.UTF-8", LANG: "C" }, true],
  [{ LC_ALL: "C", LC_CTYPE: "C.UTF-8", LANG: "C.UTF-8" }, false],
  [{ LC_ALL: "", LANG: "C.UTF-8" }, true],
  [{ LANG: "C.UTF-8", TERM: "dumb" }, false],
])("more than ASCII, with %j: %s", (env, unicode) => {
  expect(readOutputs(env).map((output) => output.unicode)).toEqual([unicode, unicode]);
});
