import * as z from "zod";
import { parseDuration } from "../time/duration.ts";

/** One value of text that is not empty. */
const text = z.string({ error: "takes one value" }).min(1, { error: "is empty" });

/** Several values; duplicates are sent once. */
const list = z
  .array(text, { error: "takes one value or more" })
  .min(1, { error: "names no value" })
  .transform((values) => [...new Set(values)]);

/** `true` when given. */
const flag = z.boolean();

/** `30s`, `7d`, `6M`, …: a duration of more than nothing. */
const duration = z.string().transform((value, issues) => {
  const parsed = parseDuration(value);
  if (parsed) return parsed;
  issues.addIssue({
    code: "custom",
    message: `"${value}" is not a duration; it is a number above 0 and a unit (s, m, h, d, w, M, y), as in 30s, 12h, 7d, 6M`,
  });
  return z.NEVER;
});

/** A whole number of at least `least`, as text or number. */
function wholeNumber(least: number) {
  return z.union([z.string(), z.number()]).transform((value, issues) => {
    const number = typeof value === "string" && !/^\d{1,15}$/.test(value) ? Number.NaN : Number(value);
    if (Number.isSafeInteger(number) && number >= least) return number;
    issues.addIssue({ code: "custom", message: `"${value}" is not a whole number of at least ${least}` });
    return z.NEVER;
  });
}

/** A number above 0, as text or number. */
const positiveNumber = z.union([z.string(), z.number()]).transform((value, issues) => {
  const number = typeof value === "string" && !/^\d+(\.\d+)?$/.test(value) ? Number.NaN : Number(value);
  if (Number.isFinite(number) && number > 0) return number;
  issues.addIssue({ code: "custom", message: `"${value}" is not a number above 0` });
  return z.NEVER;
});

/** One of a closed list that is ents' own (v4's lists are checked with `--allow-unknown` in mind, in query.ts). */
function oneOf<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values, { error: (issue) => `"${String(issue.input)}" is not one of ${values.join(", ")}` });
}

/** The schemas of options by name: a table of options names them, and is read without loading zod. */
export const SCHEMAS = {
  text,
  list,
  flag,
  duration,
  positiveNumber,
  /** 0, 1, 2, … */
  count: wholeNumber(0),
  /** 1, 2, … */
  positiveCount: wholeNumber(1),
  shape: oneOf(["long", "wide"]),
  plan: oneOf(["none", "community", "academic"]),
} as const satisfies Record<string, z.ZodType>;
