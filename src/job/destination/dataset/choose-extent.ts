import type { Surroundings } from "../interface.ts";
import { checkClock } from "../continue/check-clock.ts";
import { readFolder } from "./partition.ts";
import type { Descriptor } from "../../package/descriptor.ts";
import { findLast } from "../../package/kept.ts";
import { type Extent, findExtent, type Upkeep } from "./extent.ts";
import { findDamaged } from "./inspect.ts";
import { DESCRIPTOR } from "./place.ts";
import type { DatasetRequest } from "./put-files.ts";

/** The part that may be restated; or more, from the first file on that another program has changed or removed. @throws {EntsError} output: its rows are ahead of the clock. */
export async function chooseExtent(
  { query, target, options, more: { since } }: DatasetRequest,
  { descriptor, interval }: { readonly descriptor: Descriptor } & Pick<Upkeep, "interval">,
  { context, report }: Surroundings,
): Promise<Extent> {
  const now = context.now();
  checkClock(target.name, findLast(descriptor.series), { query, now });
  const upkeep = { period: target.period, revise: options.revise, interval, since, now };
  const extent = findExtent(query, descriptor, upkeep);
  if (extent.from === undefined) return extent;
  // Files before the start asked for are not checked: the service may no longer have their data.
  const asked = query.window.start ?? Number.NEGATIVE_INFINITY;
  const from = descriptor.start === asked ? Number.NEGATIVE_INFINITY : asked;
  const damaged = await findDamaged(target, descriptor, { from, until: extent.from, signal: context.signal });
  if (!damaged) return extent;
  report.note(`${target.name}/${damaged.path} does not match ${DESCRIPTOR}; rewriting it and all later files`);
  return findExtent(query, { ...descriptor, unfinished: { from: readFolder(damaged.path) } }, upkeep);
}
