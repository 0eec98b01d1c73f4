import type * as z from "zod";

/** zod's message without its prefix: `expected string, received undefined`. */
export function shortMessage(issue: z.core.$ZodIssue | undefined): string {
  return issue?.message.replace(/^Invalid input: /, "") ?? "unknown shape";
}
