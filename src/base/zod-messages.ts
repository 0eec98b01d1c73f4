import type * as z from "zod/mini";
import english from "zod/v4/locales/en.js";

/** For schemas and parsing: zod/mini has no messages of its own. */
export const englishMessages = { error: english().localeError };

/** zod's message without its prefix: `expected string, received undefined`. */
export function shortMessage(issue: z.core.$ZodIssue | undefined): string {
  return issue?.message.replace(/^Invalid input: /, "") ?? "unknown shape";
}
