import type { OptionTable, OptionValues } from "./spec.ts";

/** The flags that say how the requests are made. */
export const FETCH_OPTIONS = {
  maxWindow: {
    argument: "duration|none",
    help: "longest window of one request; a longer one is cut; default a community key's, such as 8d for 5m",
    schema: "text",
  },
  rate: { argument: "n", help: "most requests a second; default 2", schema: "positiveNumber" },
  concurrency: { argument: "n", help: "most requests at once; default 4", schema: "positiveCount" },
  retries: { argument: "n", help: "tries after a failed one, for failures that may pass; default 4", schema: "count" },
  timeout: {
    argument: "duration",
    help: "longest wait to connect, for the first byte, and between bytes; default 60s",
    schema: "duration",
  },
  resume: {
    negated: true,
    help: "start afresh, and keep no finished answers beside the output file while it is made",
    schema: "flag",
  },
  dryRun: { help: "print the requests that would be made, and send nothing", schema: "flag" },
  baseUrl: { argument: "url", help: "address of the v4 service; default https://api.openelectricity.org.au", schema: "text" },
  sandbox: { help: "fetch synthetic data from a service inside ents: no account, no network", schema: "flag" },
} as const satisfies OptionTable;

export type FetchValues = OptionValues<typeof FETCH_OPTIONS>;

/** The flags that every command has. */
export const COMMON_OPTIONS = {
  quiet: { short: "-q", help: "print errors only, no notes or warnings", schema: "flag" },
  progress: { negated: true, help: "show no progress on a terminal", schema: "flag" },
  verbose: { short: "-v", help: "print each request, and the causes of errors", schema: "flag" },
} as const satisfies OptionTable;
