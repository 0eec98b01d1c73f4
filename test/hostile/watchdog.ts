/** Ends this process if a piece of work that never yields takes too long, and names it; a timer could not. */
import { Worker } from "node:worker_threads";

export interface Watchdog {
  /** Starts the work with this seed. */
  watch(seed: number): void;
  rest(): void;
  stop(): void;
}

const PROGRAM = `
  const { workerData: { shared, maxMs } } = require("node:worker_threads");
  const [SEED, SINCE] = [0, 1];
  const state = new Float64Array(shared);
  setInterval(() => {
    // Read once: it may become 0 at any time.
    const since = state[SINCE];
    if (since === 0 || Date.now() - since < maxMs) return;
    require("node:fs").writeSync(2, "\\nseed " + state[SEED] + " hangs: it has not ended after " + maxMs + " ms\\n");
    process.kill(process.pid, "SIGKILL");
  }, 500);
`;

export function startWatchdog(maxMs: number): Watchdog {
  const shared = new SharedArrayBuffer(16);
  const state = new Float64Array(shared);
  const worker = new Worker(PROGRAM, { eval: true, workerData: { shared, maxMs } });
  worker.unref();
  return {
    watch: (seed) => {
      state[0] = seed;
      state[1] = Date.now();
    },
    rest: () => void (state[1] = 0),
    stop: () => void worker.terminate(),
  };
}
