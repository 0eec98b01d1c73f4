/** Sums and means in columns of doubles, a row for each: there may be millions. */
import { lengthen } from "./number-list.ts";
import type { Points } from "./points.ts";

/** Sums of doubles whose rounding errors are added at the end (Neumaier), so that they hardly depend on their order. */
class CompensatedSums {
  #sums = new Float64Array(1);
  #lost = new Float64Array(1);

  add(row: number, value: number): void {
    if (row >= this.#sums.length) [this.#sums, this.#lost] = [lengthen(this.#sums, row), lengthen(this.#lost, row)];
    const before = this.#sums[row] as number;
    const sum = before + value;
    this.#sums[row] = sum;
    this.#lost[row] =
      (this.#lost[row] as number) + (Math.abs(before) >= Math.abs(value) ? before - sum + value : value - sum + before);
  }

  at(row: number): number {
    const sum = this.#sums[row] ?? 0;
    return Number.isFinite(sum) ? sum + (this.#lost[row] as number) : sum;
  }
}

/** The means of values; of a computed ratio, the ratio of the sums. */
export class Means {
  /** One more than the number of values; 0 without any point. */
  #counts = new Float64Array(1);
  readonly #sums = new CompensatedSums();
  #ratio: { readonly over: CompensatedSums; readonly under: CompensatedSums; readonly most: number } | undefined;

  /** Adds a value to a row; NaN for a null. */
  add(row: number, value: number): void {
    if (row >= this.#counts.length) this.#counts = lengthen(this.#counts, row);
    const isValue = !Number.isNaN(value);
    this.#counts[row] = 1 + this.count(row) + Number(isValue);
    if (isValue) this.#sums.add(row, value);
  }

  /** Adds what was divided at a point to a row, also if its value is null. */
  addParts(row: number, ratio: Points["ratio"], index: number): void {
    if (!ratio || Number.isNaN(ratio.under[index])) return;
    this.#ratio ??= {
      over: new CompensatedSums(),
      under: new CompensatedSums(),
      most: ratio.most ?? Number.POSITIVE_INFINITY,
    };
    this.#ratio.over.add(row, ratio.over[index] as number);
    this.#ratio.under.add(row, ratio.under[index] as number);
  }

  /** True if a row has a point, perhaps a null. */
  has(row: number): boolean {
    return (this.#counts[row] ?? 0) > 0;
  }

  /** How many values a mean is of. */
  count(row = 0): number {
    return Math.max(0, (this.#counts[row] ?? 0) - 1);
  }

  sum(row = 0): number {
    return this.#sums.at(row);
  }

  /** NaN without values. */
  mean(row = 0): number {
    if (!this.#ratio) return this.sum(row) / this.count(row);
    const [over, under] = [this.#ratio.over.at(row), this.#ratio.under.at(row)];
    return under > 0 ? Math.min(over / under, this.#ratio.most) : Number.NaN;
  }
}
