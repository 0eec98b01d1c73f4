/**
 * A clock for child processes that runs faster than the real one and may jump; NODE_OPTIONS=--import=<this file's URL>.
 * ENTS_TEST_CLOCK is {since, from, speed, steps}: at the real time `since` it shows `from`, and then runs `speed` times
 * as fast. From each step on, it is `by` milliseconds ahead. Waits are shorter by the same factor.
 */
import { createRequire, syncBuiltinESMExports } from "node:module";

const { since, from, speed, steps } = JSON.parse(process.env.ENTS_TEST_CLOCK);
const real = Date.now;
const run = () => (real() - since) * (real() < since ? 1 : speed);
const now = () => from + run();
const timers = createRequire(import.meta.url)("node:timers/promises");
const { setTimeout: wait } = timers;

Date.now = () => steps.filter((step) => now() >= step.from).reduce((sum, { by }) => sum + by, now());
// For the code of ents, and for Node's own modules.
process.hrtime.bigint = () => BigInt(Math.round(run() * 1e6));
performance.now = run;
timers.setTimeout = (ms, ...rest) => wait(ms / speed, ...rest);
syncBuiltinESMExports();
