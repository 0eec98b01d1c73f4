/** `--summary`: the figures of a result, on standard error. */
import type { Surroundings } from "../base/report.ts";
import { listSummary } from "../format/summary-lines.ts";
import type { Query } from "../query/query.ts";
import { Summary } from "../series/summary.ts";
import { findLabel } from "../series/time-series.ts";
import type { Zone } from "../time/zone.ts";
import type { Observer } from "./observer.ts";

/** The width of standard error where it is no terminal, or does not say. */
const WIDTH = 80;

export function createSummarizer(query: Query, zone: Zone, { context, report }: Surroundings): Observer {
  let summary = new Summary(query, context.now());
  let isUnknown = false;
  return {
    needsFrom: Number.NEGATIVE_INFINITY,
    start: () => {
      summary = new Summary(query, context.now());
      isUnknown = false;
    },
    take: ({ timeSeries, unknown }) => {
      isUnknown ||= unknown !== undefined;
      summary.add(timeSeries);
    },
    finish: () => {
      if (isUnknown) return report.tell(["no summary: the answer has series of an unknown shape"]);
      const width = (context.stderr.isTerminal && context.stderr.columns) || WIDTH;
      report.tell(listSummary(summary, { zone, width }));
      if (countsBatteriesTwice(summary)) report.warn(BATTERIES);
    },
  };
}

const FUELTECHS = ["battery", "battery_charging", "battery_discharging"];

const BATTERIES = "battery is the net of battery_charging and battery_discharging: adding up all three counts storage twice";

function countsBatteriesTwice({ series }: Summary): boolean {
  return ["fueltech", "fueltech_group"].some((name) => {
    const values = new Set(series.map((one) => findLabel(one.series, name)));
    return FUELTECHS.every((fueltech) => values.has(fueltech));
  });
}
