import * as z from "zod";
import { DEFAULT_BASE_URL } from "../base/vocabulary.ts";
import { type Duration, durationMs, parseDuration } from "../time/duration.ts";

/** One value of text that is not empty. */
const text = z.string({ error: "takes one value" }).min(1, { error: "is empty" });

/** Several values; duplicates are sent once. */
const list = z
  .array(text, { error: "takes one value or more" })
  .min(1, { error: "names no value" })
  .transform((values) => [...new Set(values)]);

/** `true` when given; of a negated switch, `false`. */
const flag = z.boolean();

/** A value that cannot be read, and how it is written. */
class Unreadable extends Error {
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}

/** A schema of what `read` makes of a text, or refuses with {@link Unreadable}. */
function readWith<T>(read: (value: string) => T) {
  return z.string({ error: "takes one value" }).transform((value, issues): T => {
    try {
      return read(value);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      issues.addIssue({ code: "custom", message: error.message, params: { hint: error.hint } });
      return z.NEVER;
    }
  });
}

function readDuration(value: string): Duration {
  const duration = parseDuration(value);
  if (duration) return duration;
  throw new Unreadable(`"${value}" is not a duration; it is a number above 0 and a unit (s, m, h, d, w, M, y), as in 30s, 12h, 7d, 6M`);
}

/** Timers take no more. */
const MAX_WAIT_MS = 2 ** 31 - 1;

function readWait(value: string): number {
  const ms = durationMs(readDuration(value));
  if (ms !== undefined && ms <= MAX_WAIT_MS) return ms;
  throw new Unreadable(`"${value}" is too long; the maximum is 24d`, "use seconds or minutes, such as 30s or 5m");
}

function readMaxWindow(value: string): Duration | "none" {
  const duration = value === "none" ? value : parseDuration(value);
  if (duration) return duration;
  throw new Unreadable(`"${value}" is neither a duration nor none`, "write it as 8d, 1y, or none");
}

function readAddress(value: string): URL {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url && (url.username !== "" || url.password !== "")) {
    throw new Unreadable("an address must not carry a user name or password", "store the token with 'ents login'");
  }
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw new Unreadable(`"${value}" is not an http(s) address`, `write it as ${DEFAULT_BASE_URL}`);
  }
  // What follows ? or # may be a token: it is not shown.
  if (/[?#]/.test(value))
    throw new Unreadable(`"${url.origin}${url.pathname}" is followed by a query or fragment`, "give the address alone");
  url.pathname = url.pathname.replace(/\/+(?:v4\/*)?$/, "");
  return url;
}

/** A number that `isAllowed` takes, as text or number. */
function numberLike({ form, isAllowed, meaning }: { form: RegExp; isAllowed: (value: number) => boolean; meaning: string }) {
  return z.union([z.string(), z.number()], { error: "takes one value" }).transform((value, issues) => {
    const number = typeof value === "string" && !form.test(value) ? Number.NaN : Number(value);
    if (isAllowed(number)) return number;
    issues.addIssue({ code: "custom", message: `"${value}" is not ${meaning}` });
    return z.NEVER;
  });
}

function wholeNumber(least: number) {
  const isAllowed = (value: number) => Number.isSafeInteger(value) && value >= least;
  return numberLike({ form: /^\d{1,15}$/, isAllowed, meaning: `a whole number of at least ${least}` });
}

/** The schemas of options by name: a table of options names them, and is read without loading zod. */
export const SCHEMAS = {
  text,
  list,
  flag,
  /** One of the option's `choices`. */
  choice: text,
  /** `30s`, `7d`, `6M`, …: a duration of more than nothing. */
  duration: readWith(readDuration),
  /** A duration that a timer can wait, in milliseconds. */
  wait: readWith(readWait),
  maxWindow: readWith(readMaxWindow),
  /** A base address, with or without a trailing `/` or `/v4`. */
  address: readWith(readAddress),
  positiveNumber: numberLike({
    form: /^\d+(\.\d+)?$/,
    isAllowed: (value) => Number.isFinite(value) && value > 0,
    meaning: "a number above 0",
  }),
  /** 0, 1, 2, … */
  count: wholeNumber(0),
  /** 1, 2, … */
  positiveCount: wholeNumber(1),
} as const satisfies Record<string, z.ZodType>;
