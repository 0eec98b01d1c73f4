/** Prints the extent of the tests, and the seed of their random values. */
import type { TestProject } from "vitest/node";

export function setup({ config }: TestProject): void {
  const { ENTS_TEST_EXTENT: extent, ENTS_TEST_SEED: seed } = config.env;
  process.stdout.write(`extent ${extent}, ENTS_TEST_SEED=${seed}\n`);
}
