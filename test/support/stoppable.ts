/** Commands that a test stops as a signal does: in this process in a quick run, the real binary in a full one. */
import { Interrupted } from "../../src/base/errors.ts";
import { FULL } from "./extent.ts";
import { PATIENCE_MS } from "./patience.ts";
import type { Home, Run, RunOptions } from "./run-ents.ts";

export interface Stoppable {
  /** The real binary's process id. */
  readonly pid: number | undefined;
  readonly finished: Promise<Run>;
  /** Sends the signal and waits for the end. */
  readonly stop: (signal: "SIGINT" | "SIGTERM") => Promise<Run>;
}

/** `isReal`: uses the binary in a quick run, too. */
export function startStoppable(
  home: Home,
  args: readonly string[],
  { isReal = FULL, ...options }: Pick<RunOptions, "env" | "stdin"> & { readonly isReal?: boolean },
): Stoppable {
  if (!isReal) return startHere(home, args, options);
  const { child, finished } = home.start(args, options);
  const stop: Stoppable["stop"] = async (signal) => {
    child.kill(signal);
    const giveUp = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
    const run = await finished;
    clearTimeout(giveUp);
    return run;
  };
  return { pid: child.pid, finished, stop };
}

function startHere(home: Home, args: readonly string[], options: Pick<RunOptions, "env" | "stdin">): Stoppable {
  const stopper = new AbortController();
  const finished = home.run(args, { ...options, clock: "real", signal: stopper.signal });
  const stop: Stoppable["stop"] = async (signal) => {
    stopper.abort(new Interrupted(signal));
    const late = new Promise<never>((_, reject) =>
      setTimeout(reject, PATIENCE_MS, new Error(`${signal} did not end it`)).unref(),
    );
    return Promise.race([finished, late]);
  };
  return { pid: undefined, finished, stop };
}
