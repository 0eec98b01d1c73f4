/** What was stored when a run finished: later runs may have superseded some of it. Pure. */
import { basename } from "node:path/posix";
import { findRunOfResponse } from "./response-file.ts";
import type { FinishedRun } from "./journal.ts";

/** The folder of superseded responses (`--history`), which no update uses. */
export const HISTORY = "history";

/**
 * The paths of the responses that an output was made from, among all that are stored; undefined if some have been
 * deleted since. Those in the history of which the journal does not know the end are of a time that it has lost.
 */
export function findStored(
  paths: readonly string[],
  runs: readonly FinishedRun[],
  { run }: FinishedRun,
): string[] | undefined {
  const later = runs.filter((other) => other.run > run);
  if (later.some(({ superseded }) => superseded === undefined)) return undefined;
  const received = (name: string) => findRunOfResponse(name) <= run;
  const before = new Set(runs.filter((other) => other.run <= run).flatMap(({ superseded = [] }) => superseded));
  const since = new Set(
    later.flatMap(({ superseded = [] }) => superseded).filter((name) => received(name) && !before.has(name)),
  );
  const stored = paths.filter((path) => since.has(basename(path)) || (received(path) && !before.has(path)));
  const present = new Set(stored.map((path) => basename(path)));
  return [...since].every((name) => present.has(name)) ? stored : undefined;
}
