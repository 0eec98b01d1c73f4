const FIRST = 16;

/** Numbers in 8 bytes each, however many there are; memory that is not written yet takes no room. */
export class NumberList {
  #numbers = new Float64Array(FIRST);
  #length = 0;

  add(value: number): void {
    if (this.#length === this.#numbers.length) this.#numbers = lengthen(this.#numbers, this.#length);
    this.#numbers[this.#length++] = value;
  }

  /** Returns the numbers in ascending order, and keeps none. */
  take(): Float64Array {
    const all = this.#numbers.subarray(0, this.#length).sort();
    [this.#numbers, this.#length] = [new Float64Array(FIRST), 0];
    return all;
  }
}

export function joinLists(lists: readonly Float64Array[]): Float64Array {
  const joined = new Float64Array(lists.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const list of lists) {
    joined.set(list, at);
    at += list.length;
  }
  return joined;
}

/** A copy of a column with room for a row, in which all new rows are 0. */
export function lengthen(column: Float64Array, row: number): Float64Array<ArrayBuffer> {
  const longer = new Float64Array(Math.max(2 * column.length, row + 1));
  longer.set(column);
  return longer;
}

/**
 * The number below which a share of sorted numbers lies, from 0 to 1, linear between neighbours, as numpy and DuckDB
 * have it.
 */
export function findQuantile(ascending: Float64Array, share: number): number {
  const place = (ascending.length - 1) * share;
  const below = Math.floor(place);
  const [low, high] = [ascending[below] ?? Number.NaN, ascending[Math.ceil(place)] ?? Number.NaN];
  return low + (high - low) * (place - below);
}
