/** A long computation in short steps, so that signals can be handled between them. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Returns undefined while no pause is due. Rejects to stop the computation. */
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
