/** A fault: what is planted before a run, what happens during it, which ends are right, and how it is mended. */
import type { ProcessOptions, Run, Started } from "../support/run-ents.ts";
import type { Chance } from "../support/chance.ts";
import type { Scene } from "./scene.ts";
import type { Trouble } from "./service.ts";

export type End = number | NodeJS.Signals;

export interface Fault {
  readonly name: string;
  /** Exit codes, and signals that may end the process. */
  readonly ends: readonly End[];
  readonly trouble?: Trouble;
  /** Changes the scene before the run. */
  readonly plant?: (scene: Scene) => unknown;
  /** Goes on beside the run; it may be over before. */
  readonly act?: (scene: Scene, started: Started) => Promise<unknown>;
  /** Makes all well for the second run; what is foreign stays. */
  readonly mend?: (scene: Scene) => unknown;
  /** What has to hold after the first run; else it throws. */
  readonly check?: (scene: Scene, outcome: { readonly run: Run; readonly whole: string }) => unknown;
  /** How the second run may end; it is done, by default. */
  readonly again?: readonly End[];
  readonly env?: (scene: Scene) => Readonly<Record<string, string>>;
  readonly user?: ProcessOptions["user"];
  /** Shell commands before ents, such as `ulimit`. */
  readonly shell?: string;
  /** Where to, in place of the usual file. */
  readonly output?: string;
  /** Outputs beside the usual one, such as the target of a link. */
  readonly outputs?: readonly string[];
  readonly touched?: readonly string[];
  readonly foreign?: readonly string[];
  /** Whether the output may be missing after the run. */
  readonly mayLose?: boolean;
  /** Who has to be asked, where the fault has to do with it; else it may be the sandbox inside ents. */
  readonly asks?: "the service" | "another sandbox";
  /** Ends what was started for it. */
  readonly end?: () => unknown;
}

export type MakeFault = (chance: Chance) => Fault;
