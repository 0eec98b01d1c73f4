/** The last line of an update. */
import { formatCount, formatNumber } from "../../base/phrases.ts";
import type { Change } from "../../store/compare.ts";
import type { RequestLogEntry } from "../../store/journal.ts";
import type { Chunk } from "../../series/merge.ts";
import { timestampAt } from "../../series/point-operations.ts";
import { findNetworkOffset } from "../../series/time-series.ts";
import type { FileJob } from "../job.ts";
import type { Output } from "../output.ts";
import { type Comparison, sumValues } from "./compare-segments.ts";
import { type AskState, countRechecked, type OpenSegments } from "./open-segments.ts";
import { describeShare } from "../quota.ts";
import { UPKEEP_FLAGS } from "../../options/upkeep-options.ts";

/** Watches for the last timestamp of an output, as printed. */
export function createLastWatch({ printTimestamp }: Pick<Output, "printTimestamp">) {
  let last = { instant: Number.NEGATIVE_INFINITY, timestamp: undefined as string | undefined };
  return {
    timestamp: () => last.timestamp,
    /** In milliseconds since 1970 UTC; null without points. */
    instant: () => (Number.isFinite(last.instant) ? last.instant : null),
    onChunk: ({ timeSeries }: Chunk) => {
      for (const item of timeSeries) {
        for (const { points } of item.series) {
          const instant = points.instants.at(-1) ?? Number.NEGATIVE_INFINITY;
          if (instant <= last.instant) continue;
          const timestamp = timestampAt(points, points.instants.length - 1);
          last = { instant, timestamp: printTimestamp(timestamp, instant, findNetworkOffset(item)) };
        }
      }
    },
  };
}

interface UpdateResult extends Pick<Comparison, "added" | "restated" | "withdrawn" | "largest" | "held"> {
  readonly isFirst: boolean;
  readonly asked: readonly RequestLogEntry[];
  /** The last timestamp, as printed. */
  readonly until: string | undefined;
}

/** Returns the last line that a run prints. */
export function describeUpdate({ target: { name }, progress, destination }: FileJob, outcome: UpdateResult): string {
  const { added, restated, withdrawn, largest, held, asked, until, isFirst } = outcome;
  const end = until === undefined ? "" : `, up to ${until}`;
  const { points, service } = progress.count;
  const wrote = destination.wrote === undefined ? "" : `; ${destination.wrote}`;
  if (isFirst) return `${name}: new, ${formatCount(points, "point")}${end}${wrote}`;
  const rechecked = countRechecked(asked);
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

function describeChange({ timestamp, metric, labels, old, now }: Change): string {
  const values = Object.values(labels).flatMap((value) => (value === null ? [] : String(value)));
  return `${[metric, ...values].join(" ")} from ${old} to ${now} at ${timestamp}`;
}

/** The service's version in the last response of this run; undefined if none has one. */
export function findVersion({ segments, run: own }: FileJob["folder"]): string | undefined {
  const received = segments.filter(({ run, facts }) => run === own && facts.version !== undefined);
  return received.toSorted((a, b) => b.receivedAt - a.receivedAt)[0]?.facts.version;
}

/**
 * Why all older values may be others by now, and what it costs to ask for them: the service has a new version, or a
 * recheck found a change. Undefined without such a reason, or if an earlier run has said so.
 */
export function explainDoubt(
  [open, state]: readonly [OpenSegments, AskState],
  { folder, keyLimits }: FileJob,
  wasCatchingUp: boolean,
): [string, string] | undefined {
  const names = new Set(state.asked.map(({ name }) => name));
  const left = open
    .lay(state.grid)
    .flat()
    .filter(({ name }) => !names.has(name)).length;
  const before = folder.journal.runs.findLast(({ version }) => version !== undefined)?.version;
  const version = findVersion(folder);
  const isNew = before !== undefined && version !== undefined && version !== before;
  const hasFound = !wasCatchingUp && open.isCatchingUp(state);
  if (left === 0 || !(isNew || hasFound)) return undefined;
  const why = [
    ...(isNew ? [`the service's version is now ${version} (it was ${before})`] : []),
    ...(hasFound ? ["a recheck found restated values, so the next updates recheck 50 older responses each"] : []),
  ];
  const cost = [formatCount(left, "request"), describeShare(left, keyLimits)].filter(Boolean).join(", ");
  return [why.join("; "), `to recheck all older responses now, add ${UPKEEP_FLAGS.recheck} all once (${cost})`];
}
