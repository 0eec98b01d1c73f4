/** A clock that stands still until it is advanced. */

interface Sleeper {
  readonly at: number;
  wake(): void;
}

export interface FakeClock {
  monotonic(): number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Acts at a time, however late that is. */
  at(time: number, act: () => void): void;
  /** Advances from one event to the next until none is left. */
  run(): Promise<void>;
}

/** `late`: how much each sleep overshoots, as timers do. */
export function createClock(late: () => number = () => 0): FakeClock {
  const sleepers: Sleeper[] = [];
  let time = 0;
  const at = (when: number, act: () => void) => void sleepers.push({ at: when, wake: act });
  return {
    monotonic: () => time,
    at,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
        at(time + ms + late(), resolve);
      }),
    run: async () => {
      for (;;) {
        for (let turn = 0; turn < 20; turn++) await Promise.resolve();
        const [next] = sleepers.toSorted((a, b) => a.at - b.at);
        if (!next) return;
        sleepers.splice(sleepers.indexOf(next), 1);
        time = Math.max(time, next.at);
        next.wake();
      }
    },
  };
}
