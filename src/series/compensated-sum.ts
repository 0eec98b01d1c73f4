/** A sum of doubles whose rounding errors are added at the end (Neumaier), so that it hardly depends on their order. */
export class CompensatedSum {
  #sum = 0;
  #lost = 0;

  add(value: number): void {
    const before = this.#sum;
    this.#sum = before + value;
    this.#lost += Math.abs(before) >= Math.abs(value) ? before - this.#sum + value : value - this.#sum + before;
  }

  get value(): number {
    return Number.isFinite(this.#sum) ? this.#sum + this.#lost : this.#sum;
  }
}

/** The mean of values; of a computed ratio, the ratio of the sums. */
export class Mean {
  /** How many values it is of. */
  count = 0;
  readonly sum = new CompensatedSum();
  readonly #products = new CompensatedSum();
  #divisors = 0;

  /** `divisor`: of a ratio, what it was divided by; otherwise 0. */
  add(value: number, divisor: number): void {
    this.count++;
    this.sum.add(value);
    if (divisor === 0) return;
    this.#divisors += divisor;
    this.#products.add(value * divisor);
  }

  /** NaN without values. */
  get value(): number {
    return this.#divisors > 0 ? this.#products.value / this.#divisors : this.sum.value / this.count;
  }
}
