/** A reader of the output who leaves: noticed without a write, also while a request waits. */
import { BrokenPipe } from "../../base/errors.ts";
import type { Context } from "../../base/context.ts";

/** A reader who has left is noticed so soon. */
const READER_MS = 1000;

/** Runs with a context that is stopped when there is no reader any more. */
export async function whileRead(context: Context, run: (context: Context) => Promise<void>): Promise<void> {
  const { hasReader } = context.stdout;
  if (!hasReader) return run(context);
  // A reader is known by its process, which may end with the first lines.
  hasReader();
  const left = new AbortController();
  const timer = setInterval(() => {
    if (!hasReader()) left.abort(new BrokenPipe("the reader closed the pipe"));
  }, READER_MS);
  try {
    await run({ ...context, signal: AbortSignal.any([context.signal, left.signal]) });
  } finally {
    clearInterval(timer);
  }
}
