/** Random numbers, repeatable by seed. */

/** The seed of all random values in the tests (vitest.config.ts). */
export const SEED = Number(process.env["ENTS_TEST_SEED"]);

/** mulberry32: uniform in [0, 1). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
