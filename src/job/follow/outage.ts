/** Failures that pass: told when they begin, and when they are over. */
import { EntsError } from "../../base/errors.ts";
import type { Report } from "../../base/report.ts";
import { formatSeconds } from "../progress-line.ts";

export interface Outage {
  /** @throws the error, if it does not pass by itself. */
  begin(error: unknown): void;
  /** A request was answered. */
  end(): void;
}

export function createOutage({ note }: Pick<Report, "note">, now: () => number): Outage {
  let since: number | undefined;
  let hasWorked = false;
  return {
    begin: (error) => {
      if (!(error instanceof EntsError) || !passes(error, hasWorked)) throw error;
      if (since === undefined) note(`${leaveOutLater(error.message)}; trying again`, ...listSteps(error));
      since ??= now();
    },
    end: () => {
      if (since !== undefined) note(`the service answers again, after ${formatSeconds((now() - since) / 1000)}`);
      since = undefined;
      hasWorked = true;
    },
  };
}

/**
 * What the service has answered before is not wrong: a token is refused when its daily quota is spent, and a proxy answers with
 * pages and refusals of its own while the service restarts.
 */
function passes({ kind, refusal }: EntsError, hasWorked: boolean): boolean {
  return kind === "unavailable" || (hasWorked && (kind === "refused" || refusal !== undefined));
}

function listSteps({ hint = "" }: EntsError): string[] {
  return hint
    .split("\n")
    .map(leaveOutLater)
    .filter((step) => step !== "");
}

/** That is what --follow does by itself. */
function leaveOutLater(text: string): string {
  return text.replace(/[;,] (?:or )?try again later$|^try again later(?:, or )?|: try again tomorrow, or .*$/, "");
}
