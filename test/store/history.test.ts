/** What was stored when a run finished, by the names of files and the journal. */
import { expect, test } from "vitest";
import { findStored, type FinishedRun } from "../../src/store/journal.ts";
const name = (segment: string, run: number) => `2026-01-${segment}T0000_open.0123abcd.${run}.json.gz`;
const createRun = (run: number, ...superseded: string[]) => ({ run, superseded }) as unknown as FinishedRun;

/** Run 1 receives two segments; 2 supersedes one of them, and 4 the response of 2. Run 3 has failed. */
const RUNS = [createRun(1), createRun(2, name("01", 1)), createRun(4, name("01", 2))];
const PATHS = [name("01", 4), name("09", 1), name("09", 3), `history/${name("01", 1)}`, `history/${name("01", 2)}`];
const find = (run: number, paths = PATHS, runs = RUNS) =>
  findStored(paths, runs, runs.find((one) => one.run === run) as FinishedRun);

test("each run had what it or an earlier one received, until a later one superseded it", () => {
  expect(find(1)).toEqual([name("09", 1), `history/${name("01", 1)}`]);
  expect(find(2)).toEqual([name("09", 1), `history/${name("01", 2)}`]);
  expect(find(4)).toEqual([name("01", 4), name("09", 1), name("09", 3)]);
});

test("what is deleted cannot be shown, and what came later can", () => {
  const left = PATHS.filter((path) => path !== `history/${name("01", 1)}`);
  expect([find(1, left), find(2, left)?.length]).toEqual([undefined, 2]);
});

test("a run before one of which nothing is known cannot be shown", () => {
  expect(find(1, PATHS, [createRun(1), { run: 2 } as FinishedRun])).toBeUndefined();
});

test("what a lost part of the journal has superseded is of no run that is known", () => {
  expect(find(4, [...PATHS, `history/${name("17", 1)}`])).not.toContain(`history/${name("17", 1)}`);
});
