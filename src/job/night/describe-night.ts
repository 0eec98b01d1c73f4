import { formatCount, formatNumber } from "../../base/numbers.ts";
import type { Change } from "../../kept/compare.ts";
import type { Build } from "../build.ts";
import type { Night } from "./compare-answers.ts";

interface Told extends Pick<Night, "added" | "changes"> {
  readonly isFirst: boolean;
  /** Answers. */
  readonly rechecked: number;
  /** The last timestamp, as printed. */
  readonly until: string | undefined;
}

/** What a run did, in one line. */
export function describeNight({ target: { name }, parts: { progress, destination } }: Pick<Build, "target" | "parts">, told: Told): string {
  const { added, changes, rechecked, until, isFirst } = told;
  const end = until === undefined ? "" : `, until ${until}`;
  const { points, service } = progress.count;
  const wrote = destination.wrote === undefined ? "" : `; ${destination.wrote}`;
  if (isFirst) return `${name}: new, ${formatCount(points, "point")}${end}${wrote}`;
  const restated = changes.filter(({ now }) => now !== undefined);
  const largest = restated.reduce<Change | undefined>((most, one) => (most && sizeOf(most) >= sizeOf(one) ? most : one), undefined);
  const parts = [
    `${formatCount(added, "value")} added`,
    `${formatNumber(restated.length)} restated${largest ? ` (largest change: ${describeChange(largest)})` : ""}`,
    `${formatNumber(changes.length - restated.length)} withdrawn`,
    ...(rechecked > 0 ? [`${formatCount(rechecked, "answer")} rechecked`] : []),
    formatCount(service, "request"),
  ];
  return `${name}: ${parts.join(", ")}${end}${wrote}`;
}

function sizeOf({ old, now }: Change): number {
  return Math.abs(Number(now) - Number(old)) || 0;
}

function describeChange({ stamp, metric, labels, old, now }: Change): string {
  const values = Object.values(labels).flatMap((value) => (value === null ? [] : String(value)));
  return `${[metric, ...values].join(" ")} from ${old} to ${now} at ${stamp}`;
}
