import type { ErrorKind, Interrupted } from "./errors.ts";

/** Every exit code and what it means, for main, help and docs. */
export const EXIT_CODES = {
  done: { code: 0, meaning: "success, also when there is no data or the reader closed the pipe" },
  bug: { code: 1, meaning: "a bug in ents" },
  usage: { code: 2, meaning: "usage: a wrong flag or value, a corrupt config file" },
  authentication: { code: 3, meaning: "no token where one is needed, or it was refused (HTTP 401, 403)" },
  refused: { code: 4, meaning: "the service refused the request, or its response is not valid v4" },
  unavailable: { code: 5, meaning: "the service could not be reached or was unavailable, after all retries" },
  output: { code: 6, meaning: "the output could not be written" },
  incomplete: { code: 7, meaning: "not as complete or fresh as required; or no data to replace a file" },
  SIGINT: { code: 130, meaning: "stopped by SIGINT (Ctrl-C)" },
  SIGTERM: { code: 143, meaning: "stopped by SIGTERM" },
} as const satisfies Record<
  ErrorKind | Interrupted["by"] | "done" | "bug",
  { readonly code: number; readonly meaning: string }
>;
