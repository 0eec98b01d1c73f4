import { AnswerLog } from "../../format/datapackage.ts";
import type { Encoding } from "../../format/encode.ts";
import type { Column } from "../../series/layout/table.ts";
import { SeriesLog } from "../../series/series-log.ts";
import { countPoints } from "../../series/settle.ts";
import { type Kept, listKeptSeries } from "./kept.ts";

/** What an output holds, as it passes. */
export class ResultLog {
  columns: readonly Column[] = [];
  readonly answers = new AnswerLog();
  readonly series: SeriesLog;
  #points = 0;
  #rows = 0;

  /** `kept`: what it holds already. */
  constructor(kept?: Kept) {
    this.series = new SeriesLog(listKeptSeries(kept));
  }

  /** Rows, or points, that passed. */
  get rows(): number {
    return this.#rows || this.#points;
  }

  /** The encoding, with this log told. */
  watch(encoding: Encoding): Encoding {
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
        this.#points += chunk.unknown?.data.length ?? countPoints(chunk.timeSeries);
        encoding.onChunk?.(chunk);
      },
    };
  }
}
