import { EntsError } from "../base/errors.ts";

/** Does the work, then closes. What closing fails on changes nothing of the outcome. */
export async function closeAfter(work: () => Promise<void>, close: (done: boolean) => Promise<void>): Promise<void> {
  let done = false;
  try {
    await work();
    done = true;
  } catch (error) {
    // The output is written.
    done = error instanceof EntsError && error.kind === "incomplete";
    throw error;
  } finally {
    await close(done).catch(() => {});
  }
}
