import type { Context } from "../base/context.ts";
import { type EntsError, messageOf } from "../base/errors.ts";
import { escapeControls } from "../base/terminal.ts";
import { mapStack } from "./stack.ts";

/** `ents: <what went wrong>` and the next step; causes with `verbose`. */
export function printError(error: EntsError, { stderr }: Context, verbose: boolean): void {
  const lines = [`ents: ${escapeControls(error.message)}`];
  if (error.hint !== undefined) lines.push(...error.hint.split("\n").map((line) => `      ${escapeControls(line)}`));
  if (verbose) lines.push(...listCauses(error).map((cause) => `      caused by: ${escapeControls(cause)}`));
  stderr.stream.write(`${lines.join("\n")}\n`);
}

/** An unexpected error. */
export function printBug(error: unknown, { stderr }: Context, verbose: boolean): void {
  const stack =
    error instanceof Error
      ? mapStack(error.stack ?? "")
          .split("\n")
          .map(escapeControls)
      : [];
  const details = verbose ? stack : ["      run the command again with -v for the stack trace"];
  stderr.stream.write(`${[`ents: a bug in ents: ${escapeControls(messageOf(error))}`, ...details].join("\n")}\n`);
}

function listCauses(error: Error): string[] {
  const causes: string[] = [];
  for (let cause = error.cause; cause instanceof Error && causes.length < 5; cause = cause.cause) {
    causes.push(`${cause.name}: ${cause.message}`);
  }
  return causes;
}
