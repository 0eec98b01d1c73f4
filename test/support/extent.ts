/**
 * How much of the tests runs. `npm test` has the quick extent. `npm run test:full` has every case that is fixed, and other
 * programs; so has `npm test` in `.ci/run`. `npm run test:long` also draws many cases by chance.
 */
const EXTENT = process.env["ENTS_TEST_EXTENT"];
export const LONG = EXTENT === "long";
export const FULL = LONG || EXTENT === "full";

/** How many cases are drawn by chance. */
export function draws(quick: number, long: number, full = quick): number {
  return LONG ? long : runs(quick, full);
}

/** Cases that are fixed, or how many. */
export function runs<T>(quick: T, full: T): T {
  return FULL ? full : quick;
}

/** Cases of one kind: the first of them in a quick run, else all. Those that differ most stand first. */
export function some<T>(quick: number, cases: readonly T[]): readonly T[] {
  return FULL ? cases : cases.slice(0, quick);
}

const required = process.env["ENTS_TEST_ALL"];

/**
 * Whether tests are to run that need what not every machine has. Where it is missing they are skipped, unless `ENTS_TEST_ALL`
 * requires them: then they fail. `1` requires all, `unprivileged` all but those that need root.
 */
export function isDue(isHere: boolean, needs?: "root"): boolean {
  return isHere || required === "1" || (required === "unprivileged" && needs !== "root");
}
