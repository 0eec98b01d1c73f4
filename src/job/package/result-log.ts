import { AnswerLog } from "../../format/datapackage.ts";
import type { Encoding, GapFacts } from "../../format/encode.ts";
import type { Column } from "../../series/layout/table.ts";
import { SeriesLog } from "../../series/series-log.ts";
import { stampAt } from "../../series/point-operations.ts";
import { countPoints, findLastInstant } from "../../series/settle.ts";
import { findClockOffset, type TimeSeries } from "../../series/time-series.ts";
import { MINUTE } from "../../time/local-time.ts";
import { findSuffix } from "../../time/stamp.ts";
import { type Kept, listKeptSeries } from "./kept.ts";

/** What an output holds, as it passes. */
export class ResultLog {
  columns: readonly Column[] = [];
  readonly answers = new AnswerLog();
  readonly series: SeriesLog;
  gaps: GapFacts | undefined;
  /** How its newest timestamp ends, as sent. */
  stampSuffix: string | undefined;
  /** UTC offsets of network time, in minutes, as its timestamps are printed; NaN: earlier runs found several, or none. */
  readonly #offsets = new Set<number>();
  #points = 0;
  #rows = 0;

  /** `kept`: what it holds already. */
  constructor(kept?: Kept) {
    this.series = new SeriesLog(listKeptSeries(kept));
    this.stampSuffix = kept?.descriptor?.stampSuffix;
    if (kept?.descriptor && Number.isFinite(kept.until)) this.#offsets.add((kept.descriptor.offset ?? Number.NaN) / MINUTE);
  }

  /** The UTC offset of network time, in minutes; undefined where it changes. */
  get offset(): number | undefined {
    const [offset] = this.#offsets;
    return this.#offsets.size === 1 && !Number.isNaN(offset) ? offset : undefined;
  }

  /** Rows, or points, that passed. */
  get rows(): number {
    return this.#rows || this.#points;
  }

  /** The encoding, with this log told. */
  watch(encoding: Encoding): Encoding {
    this.gaps = encoding.gaps;
    return {
      ...encoding,
      onColumns: (columns) => {
        this.columns = columns;
        encoding.onColumns?.(columns);
      },
      onRows: (rows) => {
        this.#rows += rows;
        encoding.onRows?.(rows);
      },
      onChunk: (chunk) => {
        this.answers.add(chunk.heads);
        this.series.add(chunk.timeSeries);
        for (const item of chunk.timeSeries) if (countPoints([item]) > 0) this.#offsets.add(findClockOffset(item));
        this.stampSuffix = findLastSuffix(chunk.timeSeries) ?? this.stampSuffix;
        this.#points += chunk.unknown?.data.length ?? countPoints(chunk.timeSeries);
        encoding.onChunk?.(chunk);
      },
    };
  }
}

function findLastSuffix(timeSeries: readonly TimeSeries[]): string | undefined {
  const last = findLastInstant(timeSeries);
  const newest = timeSeries.flatMap(({ series }) => series).find(({ points }) => points.instants.at(-1) === last);
  return newest && findSuffix(stampAt(newest.points, newest.points.instants.length - 1));
}
