/** `ents` as an operating system process. */
import { BrokenPipe, Interrupted, isBrokenPipe } from "../base/errors.ts";
import { createProcessContext } from "./process-context.ts";
import { main } from "./main.ts";

/** Runs the command line of this process; resolves to its exit code. */
export async function runProcess(): Promise<number> {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    // Once: a second Ctrl-C gets Node's default handling.
    process.once(signal, () => controller.abort(new Interrupted(signal)));
  }
  const context = createProcessContext(controller.signal);
  for (const { stream } of [context.stdout, context.stderr]) {
    stream.on("error", (error) => {
      if (isBrokenPipe(error) && stream === context.stdout.stream) controller.abort(new BrokenPipe("the reader closed the pipe"));
    });
  }
  return main(process.argv.slice(2), context);
}
