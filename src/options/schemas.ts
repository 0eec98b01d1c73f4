import { findNearest } from "../base/nearest.ts";
import { didYouMean } from "../base/phrases.ts";
import { formatSize, MAX_SIZE, parseSize } from "../base/sizes.ts";
import { type Duration, durationMs, findMeantDuration, parseDuration } from "../time/duration.ts";
import { findPeriodWord, isPeriod, PERIOD_WORDS } from "../time/when.ts";
import { readAddress, InvalidValue } from "./address.ts";

const text = (value: string): string => {
  const word = anyText(value);
  if (word === "") throw new InvalidValue("is empty", "give it a value, or leave it out", " ");
  return word;
};

function anyText(value: string): string {
  if (typeof value !== "string") throw new InvalidValue("takes one value", undefined, " ");
  return value;
}

function list(values: readonly string[]): string[] {
  if (!Array.isArray(values)) throw new InvalidValue("takes one or more values", undefined, " ");
  const words = (values as readonly string[]).map(text);
  if (words.length === 0) throw new InvalidValue("needs at least one value", "give it a value, or leave it out", " ");
  return [...new Set(words)];
}

/** `--resume` is `true`, `--no-resume` is `false`. */
function flag(value: boolean): boolean {
  if (typeof value !== "boolean") throw new InvalidValue("takes true or false", undefined, " ");
  return value;
}

/** Reads text alone. */
function readerOf<T>(read: (value: string) => T): (value: string) => T {
  return (value) => read(anyText(value));
}

function readDuration(
  value: string,
  forms = "a number above 0 and a unit (s, m, h, d, w, M or y), such as 30s, 12h or 6M",
): Duration {
  const duration = parseDuration(value);
  if (duration) return duration;
  const meant = findMeantDuration(value);
  const hint = isPeriod(value.toLowerCase()) ? `for a period, use --during ${value.toLowerCase()}` : undefined;
  throw new InvalidValue(`cannot read "${value}" as a duration; use ${meant ?? forms}`, hint);
}

/** A duration, or `word` instead. */
function durationOr<W extends string>(word: W, forms: string) {
  return readerOf((value): Duration | W => (value === word ? word : readDuration(value, forms)));
}

function readPeriod(value: string): string {
  if (isPeriod(value)) return value;
  const word = findPeriodWord(value);
  // "next-month" is no slip for "last-month".
  const similar = PERIOD_WORDS.filter((known) => known[0] === value[0]?.toLowerCase());
  const meant = word === undefined ? findNearest(value, similar) : [word];
  const use =
    meant.length > 0 ? didYouMean(meant) : "; use 2025-01-31, 2025-01, 2025-Q1, 2025, FY2025, yesterday or last-month";
  throw new InvalidValue(`cannot read "${value}" as a period${use}`, "for other windows, use -s and -e, or --last");
}

/** `setTimeout` takes at most 24 days, and some waits last twice the timeout (src/source/exchange.ts). */
const MAX_WAIT_MS = 10 * 24 * 60 * 60 * 1000;

function readWait(value: string): number {
  const ms = durationMs(readDuration(value));
  if (ms !== undefined && ms <= MAX_WAIT_MS) return ms;
  throw new InvalidValue(`"${value}" is too long; the maximum is 10d`, "use seconds or minutes, such as 30s or 5m");
}

function readCountOrAll(value: string): number | "all" {
  if (value === "all" || /^\d{1,6}$/.test(value)) return value === "all" ? value : Number(value);
  throw new InvalidValue(`cannot read "${value}" as a number of responses; use 0, 1, 10 or all`);
}

function readSize(value: string): number {
  const size = parseSize(value);
  if (size === undefined) {
    throw new InvalidValue(
      `cannot read "${value}" as a size; use a number above 0 and a unit, such as 500M, 500MB or 1GiB`,
    );
  }
  if (size > MAX_SIZE) throw new InvalidValue(`"${value}" is too large; the maximum is ${formatSize(MAX_SIZE)}`);
  return size;
}

/** A number, or one of a metric. */
export interface MetricNumber {
  /** Undefined if the query has one metric. */
  readonly metric: string | undefined;
  readonly value: number;
  /** The number as it was written. */
  readonly text: string;
}

function readThreshold(value: string): MetricNumber {
  const [, metric, number = ""] = /^(?:([a-z]\w*):)?([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)$/i.exec(value) ?? [];
  if (number !== "") return { metric, value: Number(number), text: number };
  throw new InvalidValue(`cannot read "${value}" as a number; use 300 or -50.5, or with several metrics price:300`);
}

function readRanking(value: string): MetricNumber {
  const [, metric, number = ""] = /^(?:([a-z]\w*):)?([1-9]\d{0,6})$/i.exec(value) ?? [];
  if (number !== "") return { metric, value: Number(number), text: number };
  throw new InvalidValue(`cannot read "${value}" as a number of values; use 10, or with several metrics demand:10`);
}

/** Reads a number, given as text or number. `expected` describes it in messages. */
function numberLike({
  syntax,
  isAllowed,
  expected,
}: {
  syntax: RegExp;
  isAllowed: (value: number) => boolean;
  expected: string;
}) {
  return (value: string | number): number => {
    const number = typeof value === "number" || syntax.test(anyText(value)) ? Number(value) : Number.NaN;
    if (!isAllowed(number)) throw new InvalidValue(`"${value}" is not ${expected}`);
    return number;
  };
}

function wholeNumber(minimum: number, maximum = Number.MAX_SAFE_INTEGER) {
  const isAllowed = (value: number) => Number.isInteger(value) && value >= minimum && value <= maximum;
  const range = maximum === Number.MAX_SAFE_INTEGER ? `, ${minimum} or more` : ` from ${minimum} to ${maximum}`;
  return numberLike({ syntax: /^\d{1,15}$/, isAllowed, expected: `a whole number${range}` });
}

/** One request a day, in requests per second. */
const MIN_RATE = 1 / 86_400;

/** What reads the values of options, by the names in their tables. Each throws {@link InvalidValue}. */
export const READERS = {
  text,
  /** Text that may be empty. */
  anyText,
  list,
  flag,
  choice: text,
  /** `30s`, `7d`, `6M`, …: longer than 0. */
  duration: readerOf(readDuration),
  /** `2025-01-31`, `2025-01`, `2025-Q1`, `2025`, `FY2025`, `today`, `last-month`, and the like. */
  period: readerOf(readPeriod),
  /** In milliseconds, at most 10 days. */
  wait: readerOf(readWait),
  maxWindow: durationOr("none", "8d, 1y or none"),
  cacheAge: durationOr("off", "30m, 12h, 7d or off"),
  countOrAll: readerOf(readCountOrAll),
  /** `500M`, `500MB`, `1GiB`, …: in bytes, at least 1. */
  size: readerOf(readSize),
  /** `300`, `price:300`. */
  threshold: readerOf(readThreshold),
  /** `10`, `demand:10`. */
  ranking: readerOf(readRanking),
  address: readerOf(readAddress),
  rate: numberLike({
    syntax: /^\d+(\.\d+)?$/,
    isAllowed: (value) => Number.isFinite(value) && value >= MIN_RATE,
    expected: "a number of requests per second (at least 0.0000116, one a day), such as 2 or 0.5",
  }),
  /** 0, 1, 2, … */
  count: wholeNumber(0),
  /** 1, 2, … */
  positiveCount: wholeNumber(1),
  /** A TCP port; 0 is any free one. */
  port: wholeNumber(0, 65_535),
} as const;
