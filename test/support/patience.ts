/** Timeouts that even a machine ten times slower does not reach: no test is about speed. */

/** How long tests wait for something that must end, in milliseconds. */
export const PATIENCE_MS = 300_000;

/** A `--timeout` long enough for slow machines, for commands that must give up on silence. */
export const TIMEOUT = "10s";
