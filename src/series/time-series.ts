import type { JsonObject, LosslessNumber } from "../base/json.ts";
import type { Points } from "./points.ts";

/** The value of a label: text, a boolean (`renewable`), a number, or null. */
export type Label = string | boolean | LosslessNumber | null;

/** One series of a TimeSeries: `results[]`. */
export interface Series {
  /** Every field that the service sent, in its order; `data` is null: see `points`. */
  readonly fields: JsonObject;
  /** `columns`, in the service's order. */
  readonly labels: Readonly<Record<string, Label>>;
  readonly points: Points;
}

/** One item of `data`: the series of one metric (in-practice.md, The TimeSeries item). */
export interface TimeSeries {
  /** Every field that the service sent, in its order; `results` is null: see `series`. */
  readonly fields: JsonObject;
  readonly network: string;
  readonly metric: string;
  readonly unit: string;
  readonly series: readonly Series[];
}
