/**
 * Colours by environment: NO_COLOR, where it is not empty, wins over everything (no-color.org); FORCE_COLOR has the values
 * that Node takes. Node lets FORCE_COLOR win: then a user who has turned colours off for good would get them in a file.
 */
import { afterEach, expect, test, vi } from "vitest";
import { createProcessContext } from "../../src/main/process-context.ts";

afterEach(() => vi.unstubAllEnvs());

function readColors(env: { readonly NO_COLOR?: string; readonly FORCE_COLOR?: string }): readonly boolean[] {
  for (const name of ["NO_COLOR", "FORCE_COLOR"] as const) vi.stubEnv(name, env[name]);
  const { stdout, stderr } = createProcessContext(new AbortController().signal);
  expect([stdout.isTerminal, stderr.isTerminal]).toEqual([false, false]);
  return [stdout.colors, stderr.colors];
}

test.each([
  [{}, false],
  [{ FORCE_COLOR: "1" }, true],
  [{ FORCE_COLOR: "3" }, true],
  [{ FORCE_COLOR: "" }, true],
  [{ FORCE_COLOR: "0" }, false],
  [{ FORCE_COLOR: "false" }, false],
  [{ NO_COLOR: "1" }, false],
  [{ NO_COLOR: "1", FORCE_COLOR: "1" }, false],
  [{ NO_COLOR: "0", FORCE_COLOR: "3" }, false],
  [{ NO_COLOR: "", FORCE_COLOR: "1" }, true],
])("in a pipe, with %j: %s", (env, colors) => {
  expect(readColors(env)).toEqual([colors, colors]);
});
