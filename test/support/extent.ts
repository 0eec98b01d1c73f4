/** How much of the tests runs: `npm test` the quick extent, `npm run test:long` the long one. */
export const LONG = process.env["MODE"] === "long";

/** A number of runs, of kills, of cases; or what else stands for much work. */
export function runs<T>(quick: T, long: T): T {
  return LONG ? long : quick;
}

/**
 * Whether tests are to run that need what not every machine has. Where it is missing they are skipped; but not where
 * `ENTS_TEST_ALL` says that all are to run: there they fail.
 */
export function isDue(isHere: boolean): boolean {
  return isHere || /^(1|true)$/.test(process.env["ENTS_TEST_ALL"] ?? "");
}
