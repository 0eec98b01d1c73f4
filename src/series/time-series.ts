import type { JsonObject, LosslessNumber } from "../base/json.ts";
import type { Points } from "./points.ts";

/** A label's value: text, a boolean (`renewable`), a number, or nothing. */
export type Label = string | boolean | LosslessNumber | null;

/** One series of a TimeSeries: `results[]`. */
export interface Series {
  /** Every field that the service sent, in its order; `data` is null: `points` has it. */
  readonly fields: JsonObject;
  /** `columns`, in the service's order. */
  readonly labels: Readonly<Record<string, Label>>;
  readonly points: Points;
}

/** One item of `data`: the series of one metric (in-practice.md, The TimeSeries item). */
export interface TimeSeries {
  /** Every field that the service sent, in its order; `results` is null: `series` has it. */
  readonly fields: JsonObject;
  readonly network: string;
  readonly metric: string;
  readonly unit: string;
  readonly series: readonly Series[];
}
