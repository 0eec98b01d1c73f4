/**
 * How much of the tests runs. `npm test` has the quick extent. `npm run test:full`, and `npm test` in `.ci/run`, run
 * all fixed cases and need other programs. `npm run test:long` also runs many random cases.
 */
const EXTENT = process.env["ENTS_TEST_EXTENT"];
export const LONG = EXTENT === "long";
export const FULL = LONG || EXTENT === "full";

/** The number of random cases; a quick run has a third of a full one, unless it has a number of its own. */
export function draws(usual: number, long: number, full?: number): number {
  return LONG ? long : runs(full === undefined ? Math.ceil(usual / 3) : usual, full ?? usual);
}

/** Fixed cases, or how many. */
export function runs<T>(quick: T, full: T): T {
  return FULL ? full : quick;
}

/** What the sandbox takes up to some seconds for. */
const MONTHS = /^\$ .* (?:-i (?:3M|season|1y|fy)|-s \d{4}(?:-\d\d)?|--last \dy|--during (?:FY)?\d{4}(?:-Q\d)?)(?= |$)/;

/** False for commands over months or years, in a quick run. */
export function isDueNow(lines: readonly string[]): boolean {
  return FULL || !lines.some((line) => MONTHS.test(line));
}

/** Cases of one kind: the first ones in a quick run, else all. The most different ones come first. */
export function some<T>(quick: number, cases: readonly T[]): readonly T[] {
  return FULL ? cases : cases.slice(0, quick);
}

const required = process.env["ENTS_TEST_ALL"];

/**
 * Whether to run tests that need something not every machine has. If it is missing, they are skipped, unless
 * `ENTS_TEST_ALL` requires them: then they fail. `1` requires all, `unprivileged` all but those that need root.
 */
export function isDue(isHere: boolean, needs?: "root"): boolean {
  return isHere || required === "1" || (required === "unprivileged" && needs !== "root");
}
