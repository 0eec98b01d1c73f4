import type { Context } from "../base/context.ts";

/** Runs what is not worth a longer wait: after so many milliseconds, the signal of its context aborts. */
export async function withPatience<T>(context: Context, ms: number, run: (patient: Context) => Promise<T>): Promise<T> {
  // Not AbortSignal.timeout: Node 20 may collect it before it aborts.
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error("not soon enough")), ms);
  try {
    return await run({ ...context, signal: AbortSignal.any([context.signal, late.signal]) });
  } finally {
    clearTimeout(timer);
  }
}
