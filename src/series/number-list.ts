const BLOCK = 4096;

/** Numbers in 8 bytes each, however many there are. */
export class NumberList {
  /** All are full but the last. */
  #blocks: Float64Array[] = [];
  #length = 0;

  add(value: number): void {
    const at = this.#length % BLOCK;
    if (at === 0) this.#blocks.push(new Float64Array(BLOCK));
    (this.#blocks.at(-1) as Float64Array)[at] = value;
    this.#length++;
  }

  /** Returns the numbers in ascending order, and keeps none. */
  take(): Float64Array {
    const all = new Float64Array(this.#length);
    for (const [index, block] of this.#blocks.entries()) all.set(block.subarray(0, this.#length - index * BLOCK), index * BLOCK);
    this.#blocks = [];
    this.#length = 0;
    return all.sort();
  }
}

/** The number below which a share of sorted numbers lies, from 0 to 1, linear between neighbours, as numpy and DuckDB have it. */
export function findQuantile(ascending: Float64Array, share: number): number {
  const place = (ascending.length - 1) * share;
  const below = Math.floor(place);
  const [low, high] = [ascending[below] ?? Number.NaN, ascending[Math.ceil(place)] ?? Number.NaN];
  return low + (high - low) * (place - below);
}
