/** A home with one old output file, and checks that a failure leaves it alone. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect } from "vitest";
import { createHome, type Home, type Run } from "../support/run-ents.ts";

export const OLD = "what was there\r\nbefore\n";

/** The file is `old.csv`. */
export function createHomeWithFile(): Home {
  const home = createHome();
  writeFileSync(home.path("old.csv"), OLD);
  return home;
}

/** Expects the old bytes, and no other file in the folder: no temporary file, no config. */
export function expectUntouched(home: Home): void {
  expect(readFileSync(home.path("old.csv"), "utf8")).toBe(OLD);
  expect(readdirSync(home.folder)).toEqual(["old.csv"]);
}

/** Expects an error as the design has it: one to three lines beginning with `ents: `, no stack, no data. */
export function expectError(run: Run, code: number, says: RegExp): void {
  expect(run).toMatchObject({ code, stdout: "", stderr: expect.stringMatching(says) as string });
  expect(run.stderr).toMatch(/^ents: [^\n]+\n( {6}[^\n]+\n){0,2}$/);
  expect(run.stderr).not.toMatch(/^\s+at /m);
}
