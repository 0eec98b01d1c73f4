/** How much of the tests runs: `npm test` the quick extent, `npm run test:long` the long one. */
export const LONG = process.env["MODE"] === "long";

/** A number of runs, of kills, of cases; or what else stands for much work. */
export function runs<T>(quick: T, long: T): T {
  return LONG ? long : quick;
}

/** Cases of one kind: the first of them in a quick run, all in a long one. Those that differ most stand first. */
export function some<T>(quick: number, cases: readonly T[]): readonly T[] {
  return runs(cases.slice(0, quick), cases);
}

const required = process.env["ENTS_TEST_ALL"];

/**
 * Whether tests are to run that need what not every machine has. Where it is missing they are skipped, unless `ENTS_TEST_ALL`
 * requires them: then they fail. `1` requires all, `unprivileged` all but those that need root.
 */
export function isDue(isHere: boolean, needs?: "root"): boolean {
  return isHere || required === "1" || (required === "unprivileged" && needs !== "root");
}
