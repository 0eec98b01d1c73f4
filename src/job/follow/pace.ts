/** When to ask next: once an interval, shortly after a bucket has ended. */
import type { Context } from "../../base/context.ts";
import { MINUTE } from "../../time/local-time.ts";
import type { Calendar } from "./calendar.ts";

/** A clock that a step back does not stop: the later of this machine's and its time since the start. */
export function createClock({ now, monotonic }: Pick<Context, "now" | "monotonic">): () => number {
  const lag = now() - monotonic();
  return () => Math.max(now(), monotonic() + lag);
}

/** Shares of an interval by which a request may come after a bucket's end: which one suits the service shows. */
const DELAYS = [1 / 20, 1 / 8, 1 / 4, 1 / 2];
const MAX_FIRST_DELAY = 5 * MINUTE;
/** At most so much later, at random: not everybody asks in the same second. */
const SPREAD = 1 / 30;
const MAX_SPREAD = 10_000;

export interface Pace {
  /** The bucket that has just ended did not come: later next time, and early again where that does not help. */
  miss(): void;
  /** Milliseconds to wait after so many failures in a row, where the next request is not due before. */
  again(failures: number): number;
  /** The time of the next request: after the first bucket that ends after `since`. `end`: where one ends. */
  next(calendar: Pick<Calendar, "endOf" | "goBack">, end: number, since: number): number;
}

export function createPace(random: () => number): Pace {
  let misses = 0;
  return {
    miss: () => {
      misses += 1;
    },
    // The first retries of a request are over.
    again: (failures) => MINUTE * 2 ** (failures - 1) * (1 + random() / 10),
    next: ({ endOf, goBack }, end, since) => {
      let due = end;
      while (due <= since) due = endOf(due);
      // This machine's clock may be behind the service's.
      while (goBack(due, 1) > since) due = goBack(due, 1);
      const length = endOf(due) - due;
      const delay = length * (DELAYS[misses % DELAYS.length] as number);
      const spread = Math.min(length * SPREAD, MAX_SPREAD) * random();
      return due + (misses % DELAYS.length === 0 ? Math.min(delay, MAX_FIRST_DELAY) : delay) + spread;
    },
  };
}

/** A machine that sleeps, or whose clock is set, is noticed so soon. */
const STEP_MS = 5000;

/** Waits for so many milliseconds, by the clock or by the time that this machine was awake. @throws the signal's reason. */
export async function pause(ms: number, { now, monotonic, sleep, signal }: PauseContext): Promise<void> {
  const [clock, awake] = [now(), monotonic()];
  const left = () => ms - Math.max(now() - clock, monotonic() - awake);
  while (left() > 0) await sleep(Math.min(left(), STEP_MS), signal);
}

type PauseContext = Pick<Context, "now" | "monotonic" | "sleep" | "signal">;
