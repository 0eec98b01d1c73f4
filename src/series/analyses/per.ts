/** `--per`: one result in each period, with a first column `period`; of pictures, a series for each period. */
import type { Zone } from "../../time/zone.ts";
import type { Column, Row, RowKeys, Shape, Table } from "../layout/layout.ts";
import type { Chunk } from "../merge.ts";
import { joinTimeSeries } from "../join.ts";
import { findFirstInstant, splitTimeSeries } from "../overlap.ts";
import type { Points } from "../points.ts";
import { findClockOffset, mapPoints, type TimeSeries } from "../time-series.ts";
import type { Analysis, ApplyOptions } from "./analysis.ts";
import { addPeriodLabel, namePeriod, PERIOD_NAMES, type PeriodKind, periodStart } from "./periods.ts";
import { type AnalysisResult, PERIOD_LABEL } from "./result.ts";

interface PerOptions {
  readonly per: PeriodKind;
  readonly zone: Zone;
  /** True if a picture is drawn. */
  readonly isDrawn: boolean;
  /** Makes what is applied to one period. */
  readonly create: () => Analysis;
}

/** The part of a chunk that is in one period; `period` is empty if it has no points. */
interface Piece {
  readonly chunk: Chunk;
  readonly period: string;
}

const PERIOD: Column = { name: PERIOD_LABEL, kind: "key" };

export class PerAnalysis implements Analysis {
  readonly keys: RowKeys | undefined;
  readonly figures: readonly Column[] | undefined;
  readonly shape: Shape | undefined;
  readonly #options: PerOptions;
  readonly #first: Analysis;
  /** The periods so far, with the position of the first row of each. */
  readonly #periods: { readonly name: string; readonly from: number; readonly keys: RowKeys | undefined }[] = [];
  /** By position, the position in the result of its period. */
  readonly #own: number[] = [];

  constructor(options: PerOptions) {
    const first = options.create();
    const { keys, figures, shape } = first;
    this.#options = options;
    this.#first = first;
    this.figures = figures;
    this.shape = shape;
    this.keys =
      keys && !options.isDrawn
        ? { columns: [PERIOD, ...keys.columns], cellsAt: (position) => this.#cellsAt(position) }
        : keys;
  }

  async *apply(chunks: AsyncIterable<Chunk>, options: ApplyOptions): AsyncGenerator<Chunk> {
    const results = this.#applyEach(chunks, options);
    if (this.#options.isDrawn) {
      yield await this.#joinDrawn(results);
      return;
    }
    const whole: Chunk[] = [];
    const tables: PeriodTable[] = [];
    for await (const { chunk, period } of results) {
      const { table, lines: _lines, ...analysis } = chunk.analysis ?? {};
      const placed = { ...chunk, timeSeries: this.#place(chunk.timeSeries), analysis };
      if (table) tables.push({ period, table });
      if (table || options.isWhole) whole.push(placed);
      else yield placed;
    }
    if (whole.length === 0) return;
    yield {
      heads: whole.flatMap(({ heads }) => heads),
      timeSeries: joinTimeSeries(whole.map(({ timeSeries }) => timeSeries)),
      analysis: { ...whole.at(-1)?.analysis, ...(tables.length > 0 ? { table: joinPeriodTables(tables) } : {}) },
    };
  }

  /** The results of each period, in order. */
  async *#applyEach(chunks: AsyncIterable<Chunk>, options: ApplyOptions): AsyncGenerator<Piece> {
    const pieces = cutChunks(chunks, this.#options);
    let next = await pieces.next();
    let analysis: Analysis;
    do {
      let period = "";
      const own = async function* (): AsyncGenerator<Chunk> {
        while (!next.done && (period === "" || next.value.period === "" || next.value.period === period)) {
          period ||= next.value.period;
          yield next.value.chunk;
          next = await pieces.next();
        }
      };
      analysis = this.#periods.length === 0 ? this.#first : this.#options.create();
      for await (const chunk of analysis.apply(own(), options)) {
        if (this.#periods.at(-1)?.name !== period)
          this.#periods.push({ name: period, from: this.#own.length, keys: analysis.keys });
        yield { chunk, period };
      }
    } while (!next.done);
  }

  /** Gives all rows positions of their own. */
  #place(timeSeries: readonly TimeSeries[]): TimeSeries[] {
    const positions = new Set(timeSeries.flatMap(({ series }) => series.flatMap(({ points }) => [...points.instants])));
    const placed = new Map<number, number>();
    for (const position of [...positions].sort((a, b) => a - b)) placed.set(position, this.#own.push(position) - 1);
    return mapPoints(
      timeSeries,
      ({ points }): Points => ({
        ...points,
        instants: Array.from(points.instants, (own) => placed.get(own) as number),
      }),
    );
  }

  #cellsAt(position: number) {
    const period = this.#periods.findLast(({ from }) => from <= position);
    return [period?.name ?? null, ...(period?.keys?.cellsAt(this.#own[position] as number) ?? [])];
  }

  async #joinDrawn(results: AsyncIterable<Piece>): Promise<Chunk> {
    const { per } = this.#options;
    const drawn: (readonly TimeSeries[])[] = [];
    const picked: (readonly TimeSeries[])[] = [];
    const heads: Chunk["heads"][] = [];
    let analysis: AnalysisResult | undefined;
    for await (const { chunk, period } of results) {
      heads.push(chunk.heads);
      analysis = chunk.analysis;
      if (chunk.analysis?.picked) picked.push(chunk.analysis.picked);
      drawn.push(chunk.analysis?.picked ? chunk.timeSeries : addPeriodLabel(chunk.timeSeries, period));
    }
    const of = PERIOD_NAMES[per];
    const marked = { picked: joinTimeSeries(picked), about: `${analysis?.about ?? ""} in each ${of}` };
    return {
      heads: heads.flat(),
      timeSeries: picked.length > 0 ? joinTimeSeries(drawn) : drawn.flat(),
      analysis:
        picked.length > 0
          ? { ...analysis, ...marked }
          : { ...analysis, periods: { names: this.#periods.map(({ name }) => name), of } },
    };
  }
}

/** Cuts chunks where a period begins. */
async function* cutChunks(
  chunks: AsyncIterable<Chunk>,
  { per, zone }: Pick<PerOptions, "per" | "zone">,
): AsyncGenerator<Piece> {
  for await (const chunk of chunks) {
    const { heads, timeSeries, ...others } = chunk;
    const [item] = timeSeries;
    const offset = item ? findClockOffset(item) : 0;
    const startOf = (instant: number) => periodStart(per, zone.toWallClock(instant, offset));
    let left = timeSeries;
    let first = findFirstInstant(left);
    if (!Number.isFinite(first)) {
      yield { chunk, period: "" };
      continue;
    }
    for (let told = heads; Number.isFinite(first); told = []) {
      const start = startOf(first);
      const [own, rest] = splitTimeSeries(
        left,
        findFirstLater(left, (instant) => startOf(instant) > start),
      );
      yield { chunk: { ...others, heads: told, timeSeries: own }, period: namePeriod(per, start) };
      left = rest;
      first = findFirstInstant(left);
    }
  }
}

/** The first instant that is later, of instants of which all before it are not; Infinity if none is. */
function findFirstLater(timeSeries: readonly TimeSeries[], isLater: (instant: number) => boolean): number {
  let next = Number.POSITIVE_INFINITY;
  for (const { instants } of timeSeries.flatMap(({ series }) => series.map(({ points }) => points))) {
    let [low, high] = [0, instants.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isLater(instants[middle] as number)) high = middle;
      else low = middle + 1;
    }
    next = Math.min(next, instants[low] ?? Number.POSITIVE_INFINITY);
  }
  return next;
}

interface PeriodTable {
  readonly period: string;
  readonly table: Table;
}

/** One table: labels may come in some periods alone. */
function joinPeriodTables(tables: readonly PeriodTable[]): Table {
  const widest = tables.reduce((most, one) => (one.table.columns.length > most.table.columns.length ? one : most));
  const { columns } = widest.table;
  return {
    columns: [PERIOD, ...columns],
    rows: tables.flatMap(({ period, table }) => {
      const places = columns.map(({ name }) => table.columns.findIndex((column) => column.name === name));
      return Array.from(table.rows, (row): Row => [period, ...places.map((at) => row[at] ?? null)]);
    }),
  };
}
