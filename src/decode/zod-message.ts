import type * as z from "zod";

/** What zod found wrong, without its preamble: `expected string, received undefined`. */
export function plainMessage(issue: z.core.$ZodIssue | undefined): string {
  return issue?.message.replace(/^Invalid input: /, "") ?? "another shape";
}
