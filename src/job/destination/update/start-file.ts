import { encodeChunks } from "../../../format/encode.ts";
import { formatCount } from "../../../base/numbers.ts";
import type { Chunk } from "../../../series/merge.ts";
import { stampAt } from "../../../series/point-operations.ts";
import { countPoints } from "../../../series/settle.ts";
import { findNetworkOffset } from "../../../series/time-series.ts";
import type { StampPrinter } from "../../../time/stamp-printer.ts";
import type { Destination, Surroundings } from "../interface.ts";
import { openFileSink } from "../file.ts";
import { writeAll } from "../sink.ts";
import type { UpdateFacts } from "./facts.ts";

/** The first run: all of the query into a new file. */
export function startFile({ query, target, describer }: UpdateFacts, settlesAfter: number, { context, report }: Surroundings): Destination {
  return {
    query,
    settlesAfter,
    rewritable: true,
    tells: true,
    put: async (chunks, encoding) => {
      const count: Count = { points: 0, last: Number.NEGATIVE_INFINITY, until: "" };
      const watched = describer.watch(encoding);
      const sink = await openFileSink(target, context.process, describer);
      const write: typeof sink.write = (part) => {
        context.signal.throwIfAborted();
        return sink.write(part);
      };
      await writeAll({ ...sink, write }, encodeChunks(countEach(chunks, count, encoding.printStamp), watched));
      report.done(`${target.name}: a new file, ${formatCount(count.points, "point")}${count.until && `, until ${count.until}`}`);
    },
  };
}

interface Count {
  points: number;
  last: number;
  /** The last timestamp, as printed. */
  until: string;
}

async function* countEach(chunks: AsyncIterable<Chunk>, count: Count, printStamp: StampPrinter): AsyncGenerator<Chunk> {
  for await (const chunk of chunks) {
    count.points += countPoints(chunk.timeSeries);
    for (const item of chunk.timeSeries) {
      for (const { points } of item.series) {
        const instant = points.instants.at(-1) ?? Number.NEGATIVE_INFINITY;
        if (instant <= count.last) continue;
        count.last = instant;
        count.until = printStamp(stampAt(points, points.instants.length - 1), instant, findNetworkOffset(item));
      }
    }
    yield chunk;
  }
}
