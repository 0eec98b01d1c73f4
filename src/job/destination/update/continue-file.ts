/** Continues a file: the rows that are fetched replace its last ones. */
import { EntsError } from "../../../base/errors.ts";
import { formatCount } from "../../../base/numbers.ts";
import { encodeChunks, type Encoding } from "../../../format/encode.ts";
import { addColumns } from "../../../series/layout/columns.ts";
import type { Column } from "../../../series/layout/table.ts";
import type { Chunk } from "../../../series/merge.ts";
import { createStepOf } from "../../../series/gap-evidence.ts";
import type { LocalTime } from "../../../time/local-time.ts";
import { type Kept, listKeptSeries } from "../../package/kept.ts";
import type { Describe } from "../file.ts";
import type { Destination, Surroundings } from "../interface.ts";
import type { ChangeLog } from "./change-log.ts";
import { compareRows, type Comparison, type TakeChanges } from "./compare.ts";
import { checkInstants, checkSeries, checkValues } from "./check-tail.ts";
import { describeUpdate } from "./describe-update.ts";
import { dropBefore } from "../continue/drop-before.ts";
import type { Continued } from "./find-continued.ts";
import { findKnownGaps } from "../continue/nulls-before.ts";
import { KeptWatch, type Settled } from "../continue/kept-watch.ts";
import { nothingCame } from "../bad-night.ts";
import { createGrid, type Grid } from "./grid.ts";
import { toItems } from "../continue/known-columns.ts";
import { isAsFound, withFile } from "./old-file.ts";
import type { UpdateFacts } from "./facts.ts";
import { listPointsBefore } from "./points-before.ts";
import { readGroups, type RowReading } from "./rows.ts";
import { scanSeries } from "./scan-series.ts";
import { type Spliced, writeSpliced } from "./splice.ts";

export interface Continuing extends UpdateFacts, Continued {
  /** The log of `--changes`. */
  readonly log: ChangeLog | undefined;
}

export function continueFile(continuing: Continuing, settlesAfter: number, surroundings: Surroundings): Destination {
  const { query, start, from, clock, descriptor, more } = continuing;
  const startAt = (local: LocalTime) => ({ ...query, window: { ...query.window, start: local } });
  return {
    query: startAt(start),
    written: startAt(Math.max(start, from + clock.offset)),
    rewritable: true,
    gaps: findKnownGaps(descriptor, more, { from, before: listPointsBefore(continuing) }),
    settlesAfter,
    continues: true,
    tells: true,
    put: (chunks, encoding) => putRows(continuing, { chunks, encoding }, surroundings),
  };
}

interface Putting {
  readonly chunks: AsyncIterable<Chunk>;
  readonly encoding: Encoding;
}

async function putRows(continuing: Continuing, { chunks, encoding }: Putting, { context, report }: Surroundings): Promise<void> {
  const { target, old, form, from, splice, descriptor, describer, begin, interval, rows, log } = continuing;
  let kept: Kept = { until: from, rows: 0, descriptor };
  const { isDescribed, more } = continuing;
  const watch = new KeptWatch(target.name, { descriptor, isDescribed, from, interval, more });
  let columns: readonly Column[] = [];
  const onColumns: Encoding["onColumns"] = (known) => {
    columns = known;
    encoding.onColumns?.(known);
  };
  const wider = { ...encoding, columns: addColumns(encoding.columns, toItems(listKeptSeries(kept))), onColumns };
  const parts = encodeChunks(dropBefore(from, chunks, watch), describer.watch(wider, kept));
  const findNewGrid = () => toGrid(columns, continuing);
  const describe: Describe = (file) => describer.describe(file, kept);
  const stays = { ...form, target, grid: old.grid, header: old.header, rows: { from: old.body.from, to: splice }, begin };
  const spliced = await writeSpliced(stays, { parts, findNewGrid, describe }, context);
  const { sink } = spliced;
  let comparison: Comparison;
  let settled: Settled;
  try {
    const grid = findNewGrid();
    const labels = listLabels(grid, continuing);
    const compare = (take?: TakeChanges) => compareTails(continuing, { ...spliced, grid }, { signal: context.signal, take });
    comparison = await compare();
    settled = watch.settle(encoding.gaps, comparison.withdrawnSince);
    if (comparison.until === undefined && comparison.oldRows > 0)
      throw nothingCame(target.name, formatCount(comparison.withdrawn, "value"), "file");
    if (!isDescribed) await checkTails(continuing, { ...spliced, grid, comparison, signal: context.signal });
    if (!(await isAsFound(target, old))) throw refuseChanged(target.name);
    context.signal.throwIfAborted();
    kept = { ...kept, rows: rows - comparison.oldRows, unlikeSince: settled.told?.since, again: settled.again };
    // Before the file is replaced: after that, the next run would not see the changes.
    const isChanged = comparison.restated + comparison.withdrawn > 0;
    const undo = isChanged
      ? await log?.append(compare, { labels, pivot: encoding.layout.pivot, form: form.form, seenAt: context.now() })
      : undefined;
    await sink.commit().catch(async (error: unknown) => {
      if (await isAsFound(target, old)) await undo?.().catch(() => {});
      throw error;
    });
  } catch (error) {
    await sink.discard().catch(() => {});
    throw error;
  }
  report.done(describeUpdate(target.name, comparison, form.form));
  if (settled.told) report.warn(`${target.name}: ${settled.told.text}`);
}

function refuseChanged(name: string): EntsError {
  return new EntsError("output", `cannot update ${name}: another program has changed it meanwhile`, { hint: "run the command again" });
}

interface Compared extends Spliced {
  readonly grid: Grid;
  readonly comparison: Comparison;
  readonly signal: AbortSignal;
}

/** @throws {EntsError} usage: the last rows show that the file is another query's or service's. */
async function checkTails(
  { target, form, from, descriptor, output, interval, clock }: Continuing,
  { sink, range, grid, comparison, signal }: Compared,
) {
  const { series } = descriptor;
  const now = await scanSeries({ ...form, name: target.name, file: sink.file, grid }, range, {
    pivot: output.layout.pivot,
    step: createStepOf(interval, clock.offset),
    signal,
  });
  checkInstants(target.name, comparison, interval);
  checkSeries(target.name, { old: series, now: now.series, from });
  checkValues(target.name, comparison, now.series.length);
}

function toGrid(columns: readonly Column[], { form: { columns: known } }: Continuing): Grid {
  const labels = columns.filter(({ kind }) => kind === "text").map(({ name }) => name);
  const names = columns.map(({ name }) => name);
  return createGrid(names, { ...known, labels }) ?? { names, network: 0, metric: undefined, unit: undefined, labels: [], values: [] };
}

/** The labels of rows, and the pivot's. */
function listLabels({ labels }: Grid, { output }: Continuing): string[] {
  const { pivot } = output.layout;
  return [...labels.map(({ name }) => name), ...(pivot === undefined ? [] : [pivot])];
}

function compareTails(
  { target, old, form, splice }: Continuing,
  { sink, range, grid }: Spliced & { readonly grid: Grid },
  watch: Parameters<typeof compareRows>[2],
): Promise<Comparison> {
  return withFile(target, (file) => {
    const older: RowReading = { ...form, name: target.name, file, grid: old.grid };
    const newer: RowReading = { ...older, file: sink.file, grid };
    return compareRows(
      { reading: older, groups: readGroups(older, { from: splice, to: old.body.to }) },
      { reading: newer, groups: readGroups(newer, range) },
      watch,
    );
  });
}
