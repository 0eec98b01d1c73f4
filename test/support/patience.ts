/** Limits that a machine ten times slower does not reach: no test is about how fast it is. */

/** How long tests wait for what must end, in milliseconds. */
export const PATIENCE_MS = 300_000;

/** `--timeout` of a command that gives up on silence, and until then has to get all that was sent to it. */
export const TIMEOUT = "10s";
