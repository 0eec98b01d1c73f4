/** What a shell does with this process on its terminal: stops it (Ctrl-Z), resumes it in the background (bg) or in front (fg). */
import type { JobControl, TerminalUse } from "../base/context.ts";
import { readStatus } from "./process-identity.ts";

/** Signals that end the process, without a word to the rest of it. */
const DEADLY = ["SIGHUP", "SIGQUIT"] as const;

/** So soon a signal that ends the process has come, too, if it came with the one that resumes it (kill %1). */
const RESUME_MS = 20;

export function createJobControl(signal: AbortSignal): JobControl {
  /** As the system does with those that set a terminal up: in the background, the processes of this job stop here. */
  const claim = () => {
    if (signal.aborted || !isInBackground()) return true;
    process.kill(0, "SIGTTOU");
    return !isInBackground();
  };
  return {
    use: ({ leave, enter }) => {
      let isUsed = true;
      const resume = () => {
        setTimeout(() => {
          if (!isUsed || !claim()) return;
          // Nobody tells a process that is not in front of a new size.
          process.kill(process.pid, "SIGWINCH");
          enter();
        }, RESUME_MS);
      };
      const stop = () => {
        leave();
        // By its default action, which a handler replaces.
        process.off("SIGTSTP", stop).kill(process.pid, "SIGTSTP");
        process.on("SIGTSTP", stop);
        // Where no shell could resume it, the system has not stopped it.
        resume();
      };
      const die = (name: NodeJS.Signals) => {
        leave();
        release();
        process.kill(process.pid, name);
      };
      const release = () => {
        isUsed = false;
        process.off("SIGTSTP", stop).off("SIGCONT", resume);
        for (const name of DEADLY) process.off(name, die);
      };
      process.on("SIGTSTP", stop).on("SIGCONT", resume);
      for (const name of DEADLY) process.on(name, die);
      return { claim, release } satisfies TerminalUse;
    },
  };
}

/** Of processes without a terminal, and where there is no /proc, false. */
function isInBackground(): boolean {
  const status = readStatus("self");
  return status !== undefined && status.foreground > 0 && status.foreground !== status.group;
}
