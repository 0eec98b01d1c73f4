/** A home that holds one old output file, and proof that a failure leaves it alone. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect } from "vitest";
import { createHome, type Home, type Run } from "../support/run-ents.ts";

const OLD = "what was there\r\nbefore\n";

/** The file is `old.csv`. */
export function createHomeWithFile(): Home {
  const home = createHome();
  writeFileSync(home.path("old.csv"), OLD);
  return home;
}

/** The file has its old bytes, and nothing else is in the folder: no temporary file, no config. */
export function expectUntouched(home: Home): void {
  expect(readFileSync(home.path("old.csv"), "utf8")).toBe(OLD);
  expect(readdirSync(home.folder)).toEqual(["old.csv"]);
}

/** An error of DESIGN: `ents: ` and what went wrong, in one to three lines, no stack, and no data. */
export function expectError(run: Run, code: number, says: RegExp): void {
  expect(run).toMatchObject({ code, stdout: "", stderr: expect.stringMatching(says) as string });
  expect(run.stderr).toMatch(/^ents: [^\n]+\n( {6}[^\n]+\n){0,2}$/);
  expect(run.stderr).not.toMatch(/^\s+at /m);
}
