/** Choices at random that a seed repeats. */
import { createRandom } from "./random.ts";

export interface Chance {
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** A whole number from 0 to `count` - 1. */
  below(count: number): number;
  pick<T>(list: readonly T[]): T;
  /** True once in so many times. */
  oneIn(count: number): boolean;
}

export function createChance(seed: number): Chance {
  const random = createRandom(seed);
  const below = (count: number) => Math.floor(random() * count);
  return {
    random,
    below,
    pick: <T>(list: readonly T[]) => list[below(list.length)] as T,
    oneIn: (count) => below(count) === 0,
  };
}
