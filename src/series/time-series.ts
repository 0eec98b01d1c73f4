import type { JsonObject, LosslessNumber } from "../base/json.ts";
import { type Interval, isInterval } from "../base/vocabulary.ts";
import { findOffset, findSentOffset, parseOffset } from "../time/stamp.ts";
import { stampAt } from "./point-operations.ts";
import type { Points } from "./points.ts";

/** The value of a label: text, a boolean (`renewable`), a number, or null. */
export type Label = string | boolean | LosslessNumber | null;

/** Labels by name; a name may be that of a member of every object, such as `constructor`, so that `findLabel` reads them. */
export type Labels = Readonly<Record<string, Label>>;

/** One series of a TimeSeries: `results[]`. */
export interface Series {
  /** Every field that the service sent, in its order; `data` is null, as `points` has it. */
  readonly fields: JsonObject;
  /** `columns`, in the service's order. */
  readonly labels: Labels;
  readonly points: Points;
}

/** One item of `data`: the series of one metric (in-practice.md, The TimeSeries item). */
export interface TimeSeries {
  /** Every field that the service sent, in its order; `results` is null, as `series` has it. */
  readonly fields: JsonObject;
  readonly network: string;
  readonly metric: string;
  readonly unit: string;
  readonly series: readonly Series[];
}

/** For messages. */
export function nameSeries({ fields, labels }: Series): string {
  return typeof fields["name"] === "string" ? fields["name"] : JSON.stringify(labels);
}

/** Null where a series does not have the label. */
export function findLabel({ labels }: Series, name: string): Label {
  return Object.hasOwn(labels, name) ? (labels[name] ?? null) : null;
}

/** The length of the buckets; undefined if the service names none that ents knows. */
export function findInterval({ fields: { interval } }: TimeSeries): Interval | undefined {
  return typeof interval === "string" && isInterval(interval) ? interval : undefined;
}

/** Names the interval asked for where the service names none that ents knows. */
export function resolveInterval(item: TimeSeries, asked: Interval | undefined): TimeSeries {
  if (asked === undefined || findInterval(item) !== undefined) return item;
  return { ...item, fields: { ...item.fields, interval: asked } };
}

/** The UTC offset of the network's time, in minutes; undefined if unknown. */
export function findNetworkOffset({ network, fields }: TimeSeries): number | undefined {
  const offset = findOffset(network, fields["network_timezone_offset"]);
  return offset === undefined ? undefined : parseOffset(offset);
}

/** The UTC offset of the network's time, in minutes; where that is unknown, of the first timestamp, or 0 if it has none. */
export function findClockOffset(item: TimeSeries): number {
  const points = item.series.find((one) => one.points.instants.length > 0)?.points;
  return findNetworkOffset(item) ?? (points ? findSentOffset(stampAt(points, 0)) : 0);
}
