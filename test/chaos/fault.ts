/** A fault: what is set up before a run, what happens during it, which ends are allowed, and how it is fixed. */
import type { ProcessOptions, Run, Started } from "../support/run-ents.ts";
import type { Chance } from "../support/chance.ts";
import type { Scene } from "./scene.ts";
import type { Trouble } from "./service.ts";

export type End = number | NodeJS.Signals;

export interface Fault {
  readonly name: string;
  /** The exit codes and signals with which the process may end. */
  readonly ends: readonly End[];
  readonly trouble?: Trouble;
  /** Sets up the scene before the run. */
  readonly plant?: (scene: Scene) => unknown;
  /** Runs beside the command, and may finish before it. */
  readonly act?: (scene: Scene, started: Started) => Promise<unknown>;
  /** Fixes everything for the second run; files of others stay. */
  readonly mend?: (scene: Scene) => unknown;
  /** Throws unless everything that must hold after the first run does. */
  readonly check?: (scene: Scene, outcome: { readonly run: Run; readonly whole: string }) => unknown;
  /** How the second run may end; by default, it succeeds. */
  readonly again?: readonly End[];
  readonly env?: (scene: Scene) => Readonly<Record<string, string>>;
  readonly user?: ProcessOptions["user"];
  /** Shell commands to run before ents, such as `ulimit`. */
  readonly shell?: string;
  /** The output, if not the usual file. */
  readonly output?: string;
  /** Further outputs, such as the target of a link. */
  readonly outputs?: readonly string[];
  readonly touched?: readonly string[];
  readonly foreign?: readonly string[];
  /** Whether the output may be missing after the run. */
  readonly mayLose?: boolean;
  /** The service to use if the fault needs a certain one; otherwise it may also be the sandbox inside ents. */
  readonly asks?: "the service" | "another sandbox";
  /** Stops what was started for the fault. */
  readonly end?: () => unknown;
}

export type MakeFault = (chance: Chance) => Fault;
