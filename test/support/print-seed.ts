/** Says how much of the tests runs, and the seed of all that they draw. */
import type { TestProject } from "vitest/node";

export function setup({ config }: TestProject): void {
  const { ENTS_TEST_EXTENT: extent, ENTS_TEST_SEED: seed } = config.env;
  process.stdout.write(`extent ${extent}, ENTS_TEST_SEED=${seed}\n`);
}
