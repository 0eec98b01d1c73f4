/*
 * A clock for child processes that goes faster than the real one, and may take steps; NODE_OPTIONS=--import=<this file's URL>.
 * ENTS_TEST_CLOCK, {since, from, speed, steps}: it is `from` when the real one is `since`, and goes so many times faster from
 * then on. From each step on, it is `by` milliseconds ahead. Waits take as much less time.
 */
import { createRequire, syncBuiltinESMExports } from "node:module";

const { since, from, speed, steps } = JSON.parse(process.env.ENTS_TEST_CLOCK);
const real = Date.now;
const run = () => (real() - since) * (real() < since ? 1 : speed);
const now = () => from + run();
const timers = createRequire(import.meta.url)("node:timers/promises");
const { setTimeout: wait } = timers;

Date.now = () => steps.filter((step) => now() >= step.from).reduce((sum, { by }) => sum + by, now());
// What the sources read, and what Node's own parts do.
process.hrtime.bigint = () => BigInt(Math.round(run() * 1e6));
performance.now = run;
timers.setTimeout = (ms, ...rest) => wait(ms / speed, ...rest);
syncBuiltinESMExports();
