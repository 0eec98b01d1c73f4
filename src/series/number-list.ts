/** The numbers of the first block, and of the largest. */
const [FIRST, MOST] = [16, 4096];

/** Numbers in 8 bytes each, however many there are, in blocks that double. */
export class NumberList {
  /** All are full but the last. */
  #blocks: Float64Array[] = [];
  /** In the last block. */
  #free = 0;

  add(value: number): void {
    if (this.#free === 0) this.#blocks.push(new Float64Array((this.#free = Math.min(MOST, FIRST * 2 ** this.#blocks.length))));
    const last = this.#blocks.at(-1) as Float64Array;
    last[last.length - this.#free--] = value;
  }

  /** Returns the numbers in ascending order, and keeps none. */
  take(): Float64Array {
    const all = new Float64Array(this.#blocks.reduce((length, block) => length + block.length, -this.#free));
    let at = 0;
    for (const block of this.#blocks) {
      all.set(block.subarray(0, all.length - at), at);
      at += block.length;
    }
    [this.#blocks, this.#free] = [[], 0];
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
