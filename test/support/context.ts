/** A context for a part of the program, with what it uses; the rest is this process's. */
import type { Context } from "../../src/base/context.ts";
import { createProcessContext } from "../../src/main/process-context.ts";

export function contextWith(changes: Partial<Context>): Context {
  return { ...createProcessContext(new AbortController().signal), ...changes };
}
