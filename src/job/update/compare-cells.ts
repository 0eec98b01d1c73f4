/** Compares what the cells have with what the last run's output was made from, and counts that nothing is missing. */
import { usageError } from "../../base/errors.ts";
import { formatCount } from "../../base/phrases.ts";
import { isOtherForm } from "../../kept/answer-facts.ts";
import type { KeptCell } from "../../kept/answer-folder.ts";
import type { Grid } from "../../kept/cells.ts";
import { type Change, comparePoints } from "../../kept/compare.ts";
import type { Journal } from "../../kept/journal.ts";
import { UPKEEP_FLAGS } from "../../options/upkeep-options.ts";
import type { BuildTarget } from "../build.ts";
import type { Descriptor } from "../package/descriptor.ts";
import { freeBodies } from "../../series/merge.ts";
import type { GatheredCells } from "./gather-cells.ts";
import type { KeptPlace } from "./open-cells.ts";
import type { LocalTime } from "../../time/local-time.ts";
import { cutToOutput, readPlace, type Reader } from "./read-cells.ts";

export interface Comparison {
  /** The number of new points with a value, in cells that the output had before. */
  readonly added: number;
  /** Points that were restated or withdrawn. */
  readonly changes: readonly Change[];
  /** The number of values that the newest responses lack, and that stay for now. */
  readonly held: number;
  /** The number of values withdrawn, by the name of the cell. */
  readonly withdrawn: ReadonlyMap<string, number>;
  /** Places that the output did not have before. */
  readonly isNew: ReadonlySet<KeptPlace>;
  /** Stored responses that are superseded. */
  readonly superseded: ReadonlySet<KeptCell>;
}

interface Compared extends Reader {
  readonly grid: Grid;
  /** Number of the last run that finished. */
  readonly finished: number;
  /** The end of what its output had and that is over by now, in network time. */
  readonly settled: LocalTime;
  /** True if this run's response to a place has the points that were there before. */
  readonly isSame: (place: KeptPlace) => boolean;
  /** The responses that count now. */
  readonly after: (place: KeptPlace) => readonly KeptCell[];
}

export async function compareCells(
  places: readonly KeptPlace[],
  { finished, settled, isSame, after, ...reader }: Compared,
): Promise<Comparison> {
  let [added, held] = [0, 0];
  const changes: Change[] = [];
  const withdrawn = new Map<string, number>();
  const isNew = new Set<KeptPlace>();
  const needed = new Set<KeptCell>();
  for (const place of places) {
    const { answers, cell } = place;
    const before = answers.filter(({ run }) => run <= finished);
    if (before.length === 0) isNew.add(place);
    const [newest] = answers;
    // What a run that failed received may have changed something.
    if (newest && (answers.length === 1 || (before.length === answers.length - 1 && isSame(place)))) {
      needed.add(newest);
      continue;
    }
    const content = await readPlace(place, after(place), reader);
    held += content.held;
    for (const source of content.sources) needed.add(source);
    if (before.length === 0 || before.length === answers.length) continue;
    // Later values are new.
    const until = Math.min(place.until, settled);
    const { answer: old } = await readPlace({ ...place, until }, before, reader);
    // With other labels, points have other names: they are neither new nor withdrawn.
    const isRenamed = isOtherForm((before[0] as KeptCell).facts.form, (answers[0] as KeptCell).facts.form);
    for (const change of comparePoints(old.timeSeries, cutToOutput(content, reader.query, reader.grid).timeSeries)) {
      if (change.now === undefined) withdrawn.set(cell, (withdrawn.get(cell) ?? 0) + 1);
      if (change.old !== undefined && (change.now !== undefined || !isRenamed)) changes.push(change);
      else if (!isRenamed) added++;
    }
    freeBodies([...old.timeSeries, ...content.answer.timeSeries]);
  }
  // A response to a whole cell may be needed for one of its halves.
  const superseded = new Set(places.flatMap(({ answers }) => answers.filter((answer) => !needed.has(answer))));
  return { added, changes, held, withdrawn, isNew, superseded };
}

/** The instant of the last point of the output before; -Infinity if it is unknown, so that nothing is counted. */
export function findLast({ latest }: Pick<Journal, "latest">, described: Descriptor | undefined): number {
  return (described?.series ?? []).reduce((most, { last }) => Math.max(most, Date.parse(last)), latest);
}

/** An update never writes fewer values than the last run did, less those that are withdrawn. */
interface Balance {
  readonly target: BuildTarget;
  readonly journal: Journal;
  readonly described: Descriptor | undefined;
  readonly gathered: Pick<GatheredCells, "values">;
  readonly comparison: Pick<Comparison, "withdrawn">;
  /** The end of this output, in milliseconds since 1970 UTC. */
  readonly until: number;
}

/**
 * Counts values up to the last point of the output before: by cell, where the journal has their numbers, so that gains in one do not
 * hide losses in another; otherwise as a whole, by the description.
 * @throws {EntsError} usage: some are missing.
 */
export function checkBalance({ target, journal, described, gathered, comparison, until }: Balance): void {
  const lacking = Array.from(journal.values, ([cell, noted]) => {
    const found = gathered.values.get(cell);
    return found ? Math.max(0, noted - (comparison.withdrawn.get(cell) ?? 0) - found.before) : 0;
  });
  const missing = lacking.reduce((sum, count) => sum + count, 0);
  if (missing > 0) throw refuse(target, missing);
  // A smaller window has fewer values.
  if (journal.last || !described || findLast(journal, described) >= until) return;
  const found = [...gathered.values.values()].reduce((sum, { before }) => sum + before, 0);
  const noted = described.files.reduce((sum, { values = 0 }) => sum + values, 0);
  if (found < noted) throw refuse(target, noted - found);
}

function refuse({ name }: BuildTarget, missing: number): Error {
  return usageError(
    `${name} is unchanged: it has ${formatCount(missing, "value")} that are neither stored nor in the service's data any more`,
    `restore the stored responses from a backup, choose another file, or add ${UPKEEP_FLAGS.overwrite} to write what there is`,
  );
}
