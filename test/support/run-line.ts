/** Runs lines of shell, with `ents` in this process if no shell is needed. */
import { FULL } from "./extent.ts";
import type { Run, RunOptions } from "./run-in-process.ts";
import { HAS_SHELL } from "./platform.ts";
import { readPlainLine, splitLine } from "./shell-words.ts";

/** `clock`: of commands in this process. */
export type LineOptions = Pick<RunOptions, "stdin" | "env" | "clock">;

export interface Runners {
  readonly run: (args: readonly string[], options: LineOptions) => Promise<Run>;
  readonly shell: (line: string, options: LineOptions) => Promise<Run>;
}

/** In a full run, anything more than one plain `ents` runs in a shell. */
export async function runLine(line: string, options: LineOptions, runners: Runners): Promise<Run> {
  if (FULL || readPlainLine(line)) return runCommand(line, options, runners);
  const done: Run[] = [];
  const env = { ...options.env };
  for (const commands of splitLine(line)) {
    const unset = /^unset (\w+)$/.exec(commands.join(""))?.[1];
    if (unset === undefined) done.push(...(await runPipe(commands, { env, clock: options.clock }, runners)));
    else env[unset] = undefined;
  }
  const end = done.at(-1) as Run;
  return {
    ...end,
    stdout: done.map(({ stdout }) => stdout).join(""),
    stderr: done.map(({ stderr }) => stderr).join(""),
  };
}

/** True if a line cannot run here: Windows has neither a shell nor /dev. */
export function isForeign(line: string): boolean {
  if (HAS_SHELL) return false;
  const isPlain = (command: string) => readPlainLine(command) || /^unset \w+$/.test(command);
  return line.includes("/dev/") || !(readPlainLine(line) ?? splitLine(line).flat().every(isPlain));
}

/** Runs the commands of a pipe one after the other; the result leaves out what went into the next one. */
async function runPipe(
  commands: readonly string[],
  { env = {}, clock }: LineOptions,
  runners: Runners,
): Promise<Run[]> {
  const done: Run[] = [];
  for (const command of commands) {
    const before = done.pop();
    if (before) done.push({ ...before, stdout: "" });
    done.push(await runCommand(command, { env, clock, stdin: before?.stdout ?? "" }, runners));
  }
  return done;
}

function runCommand(command: string, options: LineOptions, { run, shell }: Runners): Promise<Run> {
  const plain = readPlainLine(command);
  if (!plain) return shell(command, options);
  return run(plain.args, {
    stdin: plain.stdin || (options.stdin ?? ""),
    env: { ...options.env, ...plain.env },
    clock: options.clock,
  });
}
