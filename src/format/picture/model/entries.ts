/** From series to what is drawn of them: signs, and one entry for many small ones. */
import { sum } from "d3-array";
import { findLabel } from "../../../series/time-series.ts";
import { combineLines, type NumberLine, readNumberLine, type DrawnSource } from "./read-points.ts";
import { nameSources } from "./words.ts";

/** Entries of a legend; of more, the smallest become one. */
export const MAX_ENTRIES = 12;

export interface DrawnSeries extends NumberLine {
  readonly name: string;
  /** Undefined for one that stands for many. */
  readonly source?: DrawnSource;
  /** Whether its values are positive in the data, and drawn as negative ones. */
  readonly isFlipped?: boolean;
  /** Values that cannot be drawn. */
  readonly skipped?: number;
}

/** `battery` is charging and discharging in one: beside both it would count them twice. */
export function leaveOutNetBattery(sources: readonly DrawnSource[]): readonly DrawnSource[] {
  const fuels = new Set(sources.map(findFuel));
  const hasBoth = fuels.has("battery_charging") && fuels.has("battery_discharging");
  return hasBoth ? sources.filter((source) => findFuel(source) !== "battery") : sources;
}

export function readEntries(sources: readonly DrawnSource[]): DrawnSeries[] {
  const names = nameSources(sources);
  return sources.map((source, index) => {
    const line = readNumberLine(source);
    const isFlipped = isLoad(source) && sum(line.values) > 0;
    const values = isFlipped ? line.values.map((value) => -value) : line.values;
    return { ...line, name: names[index] as string, source, isFlipped, values };
  });
}

/** What takes power out of the network; services send it as positive numbers. */
function isLoad(source: DrawnSource): boolean {
  const { metric } = source.item;
  if (metric.startsWith("flow_exports")) return true;
  const fuel = findFuel(source);
  return (metric === "power" || metric === "energy") && ["battery_charging", "pumps", "exports"].includes(String(fuel));
}

function findFuel({ series }: DrawnSource): unknown {
  return findLabel(series, "fueltech") ?? findLabel(series, "fueltech_group");
}

/** At most so many. In a stack, what is below the axis is not added to what is above it. */
export function foldSmallest(entries: readonly DrawnSeries[], by: "sum" | "mean", most: number): readonly DrawnSeries[] {
  if (entries.length <= most) return entries;
  const sizes = new Map(entries.map((entry) => [entry, sum(entry.values, Math.abs)]));
  const bySize = entries.toSorted((a, b) => (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0));
  const folded = foldFrom(most - 1);
  return folded.length <= most ? folded : foldFrom(most - 2);

  function foldFrom(rank: number): readonly DrawnSeries[] {
    const smallest = new Set(bySize.slice(rank));
    const isBelow = (entry: DrawnSeries) => by === "sum" && entry.values.some((value) => value < 0);
    const rest = entries.filter((entry) => smallest.has(entry));
    return [
      ...entries.filter((entry) => !smallest.has(entry)),
      ...fold(rest.filter(isBelow), "other below zero", by),
      ...fold(
        rest.filter((entry) => !isBelow(entry)),
        "other",
        by,
      ),
    ];
  }
}

function fold(entries: readonly DrawnSeries[], name: string, by: "sum" | "mean"): readonly DrawnSeries[] {
  return entries.length < 2 ? entries : [{ name: `${name} (${entries.length})`, ...combineLines(entries, by) }];
}
