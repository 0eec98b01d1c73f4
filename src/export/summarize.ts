/** `--summary`: prints the statistics of a result on standard error. */
import type { Surroundings } from "../base/report.ts";
import { listSummary } from "../format/summary-lines.ts";
import { noValueText } from "../format/text-width.ts";
import type { Plan } from "../plan/plan.ts";
import { Summary } from "../series/summary.ts";
import type { Output } from "./output.ts";
import type { Observer } from "./observe.ts";

/** Width of standard error if it is not a terminal or its width is unknown. */
const WIDTH = 80;

export function createSummarizer(
  { query, now }: Plan,
  { zone, limits, formatOptions: { partial = [] } }: Pick<Output, "zone" | "limits" | "formatOptions">,
  { context, report }: Surroundings,
): Observer {
  const summary = new Summary(query, now, { partial: partial.flatMap(({ starts }) => starts), limits });
  let isUnknown = false;
  return {
    onChunk: ({ timeSeries, unknown }) => {
      isUnknown ||= unknown !== undefined;
      summary.add(timeSeries);
    },
    finish: () => {
      if (isUnknown) return report.print(["no summary: the response has series of an unknown shape"]);
      const width = (context.stderr.isTerminal && context.stderr.columns) || WIDTH;
      report.print(listSummary(summary, { zone, width, none: noValueText(context.stdout.unicode) }));
    },
  };
}
