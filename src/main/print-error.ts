import type { Context } from "../base/context.ts";
import { type EntsError, messageOf } from "../base/errors.ts";
import { createMask, cutText } from "../base/shown-text.ts";
import { escapeControls } from "../base/terminal.ts";
import { mapStack } from "./stack.ts";

/** `ents: <what went wrong>` and the next step; causes with `verbose`. */
export function printError(error: EntsError, { stderr, secrets }: Context, verbose: boolean): void {
  const mask = createMask(secrets);
  const lines = [`ents: ${error.message}`];
  if (error.hint !== undefined) lines.push(...error.hint.split("\n").map((line) => `      ${line}`));
  if (verbose) lines.push(...listCauses(error).map((cause) => `      caused by: ${cutText(mask(cause))}`));
  stderr.stream.write(lines.map((line) => `${escapeControls(mask(line))}\n`).join(""));
}

/** An unexpected error. */
export function printBug(error: unknown, { stderr, secrets }: Context, verbose: boolean): void {
  const mask = createMask(secrets);
  const stack = error instanceof Error ? mapStack(error.stack ?? "").split("\n") : [];
  const details = verbose ? stack : ["      run the command again with -v for the stack trace"];
  const lines = [`ents: a bug in ents: ${messageOf(error)}`, ...details];
  stderr.stream.write(lines.map((line) => `${escapeControls(cutText(mask(line)))}\n`).join(""));
}

function listCauses(error: Error): string[] {
  const causes: string[] = [];
  for (let cause = error.cause; cause instanceof Error && causes.length < 5; cause = cause.cause) {
    causes.push(`${cause.name}: ${cause.message}`);
  }
  return causes;
}
