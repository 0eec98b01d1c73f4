/** Random choices, repeatable by seed. */
import { createRandom } from "./random.ts";

export interface Chance {
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** An integer from 0 to `count` - 1. */
  below(count: number): number;
  pick<T>(list: readonly T[]): T;
  /** True with a chance of one in `count`. */
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
