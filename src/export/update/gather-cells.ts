/** Reads all cells once, for what must be known before the output is written. */
import type { CellQuery } from "../../store/cells.ts";
import { removeWindow } from "../../plan/request-path.ts";
import type { Gaps } from "../../series/gaps.ts";
import { type KnownColumns, startColumns } from "../../series/layout/columns.ts";
import { countValues, findLastInstant } from "../../series/overlap.ts";
import { createFetchAcrossGap, createGaps } from "../../source/fetch-series.ts";
import { countResponses } from "../progress.ts";
import type { Build } from "../build.ts";
import { decideGaps, survey } from "../gather.ts";
import type { StoredCell } from "./open-cells.ts";
import { readCells } from "./read-cells.ts";

export interface GatheredCells {
  readonly columns: KnownColumns;
  readonly gaps: Gaps;
  /** By the name of the cell. */
  readonly values: ReadonlyMap<string, CellValues>;
  /** The instant of the last point of all; -Infinity without points. */
  readonly lastOfCells: number;
  /** Names of cells that lack a series which those before and after them have. */
  readonly lacking: readonly string[];
  /** What a request across a gap showed; undefined if none was made. */
  readonly fills: boolean | undefined;
}

/** Numbers of values. */
interface CellValues {
  /** Up to the last point of the output before. */
  readonly before: number;
  /** In the output. */
  readonly written: number;
}

interface Gathering {
  readonly periods: readonly (readonly StoredCell[])[];
  readonly query: CellQuery;
  /** True if the service may be asked across a gap. */
  readonly asks: boolean;
  /** The instant of the last point of the output before. */
  readonly last: number;
}

/** @throws {Damaged} a stored response cannot be read. */
export async function gatherCells({ periods, query, asks, last }: Gathering, build: Build): Promise<GatheredCells> {
  const { folder, plan, service, progress, options, output, context } = build;
  const { concurrency } = options;
  const gaps = createGaps({ ...plan, query, windows: [{ window: query.window, requests: [] }] });
  const values = new Map<string, CellValues>();
  let lastOfCells = Number.NEGATIVE_INFINITY;
  const onCell: Parameters<typeof readCells>[1]["onCell"] = (
    { wholeName: cell },
    { values: count, decoded: { timeSeries } },
    part,
  ) => {
    const { before, written } = values.get(cell) ?? { before: 0, written: 0 };
    lastOfCells = Math.max(lastOfCells, findLastInstant(timeSeries));
    values.set(cell, {
      before: before + countValues(timeSeries, last + 1),
      written: written + (part.timeSeries === timeSeries ? count : countValues(part.timeSeries)),
    });
  };
  const start = startColumns(query.metrics, { interval: query.interval, pivot: output.layout.pivot });
  const windows = readCells(periods, { folder, query, concurrency, context, onCell });
  const { columns, open } = await survey(windows, { gaps, columns: start, query });
  const source = countResponses(service.client, progress);
  const limits = { interval: query.interval, maxWindow: plan.limits?.maxWindow };
  const across = createFetchAcrossGap({ ...plan, query, limits }, { source, signal: context.signal });
  const fills = asks && gaps.evidence.fills === undefined ? await decideGaps(open, gaps.evidence, across) : undefined;
  if (gaps.evidence.fills === undefined) gaps.evidence.assume(folder.journal.fills);
  const lacks = ({ from, until, request: { path } }: StoredCell) =>
    open.some((gap) => removeWindow(gap.path) === removeWindow(path) && gap.from <= from && until <= gap.to);
  const lacking = periods
    .flat()
    .filter(lacks)
    .map(({ name }) => name);
  return { columns, gaps, values, lastOfCells, lacking, fills };
}
