import { AnswerLog } from "../../format/datapackage.ts";
import type { Encoding } from "../../format/encode.ts";
import type { Column } from "../../series/layout/layout.ts";
import { SeriesLog } from "../../series/series-log.ts";
import { countPoints } from "../../series/overlap.ts";
import { findClockOffset } from "../../series/time-series.ts";

/** What an output holds, as it passes. */
export class ResultLog {
  columns: readonly Column[] = [];
  readonly answers = new AnswerLog();
  readonly series = new SeriesLog();
  gaps: Encoding["gaps"];
  /** UTC offsets of network time, in minutes, as its timestamps are printed. */
  readonly #offsets = new Set<number>();
  #points = 0;
  #rows = 0;

  /** The UTC offset of network time, in minutes; undefined where it changes. */
  get offset(): number | undefined {
    const [offset] = this.#offsets;
    return this.#offsets.size === 1 ? offset : undefined;
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
        this.#points += chunk.unknown?.data.length ?? countPoints(chunk.timeSeries);
        encoding.onChunk?.(chunk);
      },
    };
  }
}
