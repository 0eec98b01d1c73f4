/** The last line of an update. */
import { formatCount, formatNumber } from "../../base/phrases.ts";
import type { Change } from "../../kept/compare.ts";
import type { Asked } from "../../kept/journal.ts";
import type { Chunk } from "../../series/merge.ts";
import { stampAt } from "../../series/point-operations.ts";
import { findNetworkOffset } from "../../series/time-series.ts";
import type { Build } from "../build.ts";
import type { Output } from "../output.ts";
import { type Comparison, sumValues } from "./compare-cells.ts";
import { isDecisive } from "./open-cells.ts";

/** Watches for the last timestamp of an output, as printed. */
export function createLastWatch({ printStamp }: Pick<Output, "printStamp">) {
  let last = { instant: Number.NEGATIVE_INFINITY, stamp: undefined as string | undefined };
  return {
    stamp: () => last.stamp,
    onChunk: ({ timeSeries }: Chunk) => {
      for (const item of timeSeries) {
        for (const { points } of item.series) {
          const instant = points.instants.at(-1) ?? Number.NEGATIVE_INFINITY;
          if (instant <= last.instant) continue;
          const stamp = stampAt(points, points.instants.length - 1);
          last = { instant, stamp: printStamp(stamp, instant, findNetworkOffset(item)) };
        }
      }
    },
  };
}

interface Outcome extends Pick<Comparison, "added" | "restated" | "withdrawn" | "largest" | "held"> {
  readonly isFirst: boolean;
  readonly asked: readonly Asked[];
  /** The last timestamp, as printed. */
  readonly until: string | undefined;
}

/** Returns the last line that a run prints. */
export function describeUpdate({ target: { name }, parts: { progress, destination } }: Build, outcome: Outcome): string {
  const { added, restated, withdrawn, largest, held, asked, until, isFirst } = outcome;
  const end = until === undefined ? "" : `, up to ${until}`;
  const { points, service } = progress.count;
  const wrote = destination.wrote === undefined ? "" : `; ${destination.wrote}`;
  if (isFirst) return `${name}: new, ${formatCount(points, "point")}${end}${wrote}`;
  const rechecked = asked.filter(({ reason, outcome: what }) => !isDecisive(reason) && (what === "same" || what === "changed")).length;
  const parts = [
    `${formatCount(added, "value")} added`,
    `${formatNumber(restated)} restated${largest ? ` (largest change: ${describeChange(largest)})` : ""}`,
    `${formatNumber(sumValues(withdrawn))} withdrawn`,
    ...(held > 0 ? [`${formatNumber(held)} held back for a second night`] : []),
    ...(rechecked > 0 ? [`${formatCount(rechecked, "older response")} rechecked`] : []),
    formatCount(service, "request"),
  ];
  return `${name}: ${parts.join(", ")}${end}${wrote}`;
}

function describeChange({ stamp, metric, labels, old, now }: Change): string {
  const values = Object.values(labels).flatMap((value) => (value === null ? [] : String(value)));
  return `${[metric, ...values].join(" ")} from ${old} to ${now} at ${stamp}`;
}
