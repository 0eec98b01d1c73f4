/** `--partition`: a folder with one file for each period. Each appears whole, and is replaced whole. */
import type { Context } from "../../../base/context.ts";
import type { Report } from "../../../base/report.ts";
import { describeFormat } from "../../../format/registry.ts";
import { type Dataset, type DatasetRequest, putFiles } from "./put-files.ts";
import type { GapOptions } from "../../../series/gaps.ts";
import { approximateMs } from "../../../time/duration.ts";
import { formatStamp, MINUTE } from "../../../time/local-time.ts";
import { describeOrigin } from "../../package/origin.ts";
import type { Destination } from "../interface.ts";
import { chooseExtent } from "./choose-extent.ts";
import { checkContinues, inspect } from "./inspect.ts";
import { describeNew, describeUpdate } from "./report.ts";
import { useFolder } from "./use-folder.ts";
import { checkInterval } from "../continue/check-interval.ts";
import { createNetworkClock } from "../continue/network-clock.ts";
import { findKnownGaps, listNulls } from "../continue/nulls-before.ts";

/** @throws {EntsError} usage: the folder has data that this run would not continue; output: it cannot be read. */
export async function openDataset(
  request: DatasetRequest,
  context: Context,
  report: Pick<Report, "done" | "note" | "warn">,
): Promise<Destination> {
  const { query, output, target, about, options } = request;
  const { update, revise } = options;
  const interval = update ? checkInterval(query) : undefined;
  const found = await inspect(target);
  const { descriptor } = found;
  if (descriptor) checkContinues(target.name, descriptor, { ...describeOrigin(about, output), isUpdate: update });
  const extent =
    descriptor && interval ? await chooseExtent(request, { descriptor, interval }, { context, report }) : { query, from: undefined };
  const dataset: Dataset = { request, found, extent, fileName: `data.${describeFormat(output.formatName).extensions[0]}` };
  let size = 0;
  return {
    query: extent.query,
    rewritable: true,
    settlesAfter: update ? approximateMs(revise) : 0,
    continues: update && descriptor !== undefined,
    gaps: descriptor && findKnownGaps(descriptor, request.more, listKeptGaps(dataset)),
    tells: update || descriptor !== undefined,
    ...(extent.from === undefined ? {} : { written: { ...query, window: { ...query.window, start: extent.from } } }),
    get size() {
      return size;
    },
    put: (chunks, encoding) =>
      useFolder({ ...dataset, target, process: context.process }, async () => {
        const done = await putFiles(dataset, { chunks, encoding }, context);
        if (!done) return;
        size = done.written.reduce((sum, { bytes }) => sum + bytes, 0);
        if (descriptor || update) report.done(`${target.name}: ${descriptor ? describeUpdate(done) : describeNew(done)}`);
        for (const warning of done.warnings) report.warn(`${target.name}: ${warning}`);
      }),
  };
}

/** For a service that fills gaps: a null before the first partition that is written, from which gaps are filled. Those before it are filled already. */
function listKeptGaps({ request, found: { descriptor }, extent }: Dataset): Pick<GapOptions, "before" | "from"> {
  const { window, interval } = extent.query;
  if (!descriptor || extent.from === undefined || window.start === undefined || interval === undefined) return {};
  const clock = createNetworkClock(request.query.network, descriptor.offset);
  const { offset } = clock;
  const from = extent.from - offset;
  const before = listNulls(descriptor.series, {
    from,
    start: window.start,
    clock,
    interval,
    spell: (instant) => formatStamp(instant + offset, offset / MINUTE),
  });
  return { before, from };
}
