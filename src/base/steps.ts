/** A long computation of many short steps: whoever runs it can let signals through between two of them. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Undefined: it is not time yet. Rejects where the computation is not to go on. */
export type Pause = () => Promise<void> | undefined;

export function runAtOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

export async function runWithPauses<T>(steps: Steps<T>, pause: Pause): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    const pausing = pause();
    if (pausing) await pausing;
  }
}
