import type { Chunk } from "../../../series/merge.ts";
import { splitTimeSeries } from "../../../series/settle.ts";
import type { KeptWatch } from "./kept-watch.ts";

/** What an output that is continued gets of the chunks. */
export async function* dropBefore(from: number, chunks: AsyncIterable<Chunk>, watch: KeptWatch): AsyncGenerator<Chunk> {
  for await (const chunk of chunks) {
    const [, timeSeries] = splitTimeSeries(chunk.timeSeries, from);
    watch.add(timeSeries);
    yield { ...chunk, timeSeries };
  }
}
