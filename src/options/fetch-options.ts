import { MESSAGE_FORMATS } from "../base/context.ts";
import { DEFAULT_BASE_URL, QUOTAS } from "../base/vocabulary.ts";
import { flagsOf, type OptionTable, type OptionValues } from "./spec.ts";

export const FETCH_OPTIONS = {
  maxWindow: {
    argument: "duration|none",
    suggestions: ["none"],
    help: "maximum window of one request; longer ones are split",
    defaultText: "your plan's or the community's, such as 8d for 5m; none for 1M and longer",
    isSetting: true,
    schema: "maxWindow",
  },
  rate: {
    argument: "n",
    help: "maximum requests per second",
    default: QUOTAS.community.perSecond,
    defaultText: `${QUOTAS.community.perSecond}, or your plan's`,
    relaxedBy: "sandbox",
    isSetting: true,
    schema: "rate",
  },
  concurrency: {
    argument: "n",
    help: "maximum concurrent requests",
    forPrograms: true,
    default: 4,
    isSetting: true,
    schema: "positiveCount",
  },
  retries: { argument: "n", help: "retries after a temporary failure", default: 4, schema: "count" },
  timeout: {
    argument: "duration",
    help: "give up when nothing arrives for this long",
    default: "120s",
    schema: "wait",
  },
  maxBody: {
    argument: "size",
    help: "largest response, decompressed, such as 500MB",
    forPrograms: true,
    default: "1GiB",
    schema: "size",
  },
  resume: { negated: true, help: "start afresh; keep no partial downloads", schema: "flag" },
  cache: {
    argument: "duration|off",
    suggestions: ["off", "12h"],
    help: "reuse cached responses up to this age, such as 12h",
    defaultText: "off",
    isSetting: true,
    schema: "cacheAge",
  },
  dryRun: {
    help: "print the requests without sending them",
    group: "Try it first",
    schema: "flag",
  },
  baseUrl: {
    argument: "url",
    help: "base address of the v4 service",
    default: DEFAULT_BASE_URL,
    isSetting: true,
    schema: "address",
  },
  sandbox: {
    help: "use synthetic data; needs no account or network",
    group: "Try it first",
    brief: "use synthetic data; needs no account",
    conflicts: ["baseUrl"],
    schema: "flag",
  },
} as const satisfies OptionTable;

export const FETCH_FLAGS = flagsOf(FETCH_OPTIONS);

export type FetchValues = OptionValues<typeof FETCH_OPTIONS>;

/** The flags that every command has. */
export const COMMON_OPTIONS = {
  quiet: { short: "-q", help: "print errors only, no notes or warnings", schema: "flag" },
  progress: { negated: true, help: "do not show progress", schema: "flag" },
  verbose: {
    short: "-v",
    help: "print each request, and the causes of errors",
    schema: "flag",
  },
  errors: {
    argument: "format",
    choices: MESSAGE_FORMATS,
    help: "how messages on standard error are written",
    default: "text",
    forPrograms: true,
    schema: "choice",
  },
} as const satisfies OptionTable;
