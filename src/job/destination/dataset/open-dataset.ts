/** `--partition`: a folder with one file for each period. Each appears whole, and is replaced whole, if its rows have changed. */
import type { Context } from "../../../base/context.ts";
import type { Destination } from "../interface.ts";
import { checkFree, inspect } from "./inspect.ts";
import { nameData } from "./partition.ts";
import { type Dataset, type DatasetRequest, putFiles } from "./put-files.ts";
import { describeWritten } from "./report.ts";
import { useFolder } from "./use-folder.ts";

/** @throws {EntsError} usage: the folder has data that this run would not replace; output: it cannot be read. */
export async function openDataset(request: DatasetRequest, context: Context): Promise<Destination> {
  const { output, target, options } = request;
  const found = await inspect(target);
  if (!options.update) checkFree(target.name, found);
  const dataset: Dataset = { request, found, fileName: nameData(output.formatName) };
  let size = 0;
  let wrote: string | undefined;
  return {
    get wrote() {
      return wrote;
    },
    get size() {
      return size;
    },
    put: (chunks, encoding, put = {}) =>
      useFolder({ ...dataset, target, process: context.process }, async () => {
        const done = await putFiles(dataset, { ...put, chunks, encoding }, context);
        size = done.bytes;
        wrote = describeWritten(done);
      }),
  };
}
