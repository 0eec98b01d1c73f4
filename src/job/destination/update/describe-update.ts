import { formatCount, formatNumber } from "../../../base/numbers.ts";
import type { Change, Comparison } from "./compare.ts";
import type { TextForm } from "./text-form.ts";

/** What an update did, in one line. */
export function describeUpdate(
  name: string,
  { added, restated, withdrawn, unchanged, largest, until }: Comparison,
  form: TextForm,
): string {
  const most = largest ? ` (largest change: ${describeChange(largest, form)})` : "";
  const parts = [
    `${formatCount(added, "value")} added`,
    `${formatNumber(restated)} restated${most}`,
    `${formatNumber(withdrawn)} withdrawn`,
    `${formatNumber(unchanged)} unchanged in the revised part`,
  ];
  return `${name}: ${parts.join(", ")}${until === undefined ? "" : `, until ${until}`}`;
}

function describeChange({ stamp, point, now }: Change, form: TextForm): string {
  const { metric, labels, pivoted, value } = point;
  const names = [metric, ...labels.map(([, cell]) => form.read(cell) ?? ""), ...(pivoted === undefined ? [] : [pivoted])];
  return `${names.join(" ")} from ${value} to ${now ?? ""} at ${stamp}`;
}
