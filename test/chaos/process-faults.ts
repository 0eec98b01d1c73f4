/** Process faults: ents is stopped, killed, or short of resources. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Chance } from "../support/chance.ts";
import type { End, Fault, MakeFault } from "./fault.ts";

const RUN_MS = 800;

/** How a signal may end the process; before ents listens, and at a second signal, the system's default applies. */
const SIGNALS: Readonly<Record<string, readonly End[]>> = {
  SIGINT: [130, "SIGINT"],
  SIGTERM: [143, "SIGTERM"],
  SIGKILL: ["SIGKILL"],
  SIGHUP: [129, "SIGHUP"],
};

function makeSignals(chance: Chance): Fault {
  const names = Object.keys(SIGNALS) as NodeJS.Signals[];
  const sent = Array.from({ length: chance.pick([1, 1, 2]) }, () => [chance.pick(names), chance.below(RUN_MS)] as const);
  return {
    name: sent.map(([signal, ms]) => `${signal} after ${ms} ms`).join(", then "),
    ends: [0, ...sent.flatMap(([signal]) => SIGNALS[signal] as readonly End[])],
    act: async (_, { child, finished }) => {
      for (const [signal, ms] of sent) {
        await Promise.race([sleep(ms), finished]);
        child.kill(signal);
      }
    },
  };
}

/** A limit in the shell's blocks of 512 bytes; the smallest limits are below the size of an answer. */
const SIZE: MakeFault = (chance) => {
  const blocks = chance.pick([0, 1, 8, 16, 24, 40, 60, 100]);
  return { name: `no file over ${blocks} blocks`, ends: [0, 6], shell: `ulimit -f ${blocks};` };
};

const HANDLES: MakeFault = (chance) => {
  const count = 21 + chance.below(16);
  return { name: `no more than ${count} open files`, ends: [0, 5, 6], shell: `ulimit -n ${count};` };
};

const STDOUT: MakeFault = (chance) => {
  const [redirection, ends] = chance.pick([
    [">&-", [0, 6]],
    ["2>&-", [0]],
    ["< /dev/null > /dev/full", [0, 6]],
    ["2> /dev/full", [0, 6]],
  ] as const);
  return { name: `streams: ${redirection}`, ends, shell: `exec ${redirection};` };
};

export const PROCESS_FAULTS: readonly MakeFault[] = [...Array.from({ length: 8 }, () => makeSignals), SIZE, SIZE, HANDLES, STDOUT];
