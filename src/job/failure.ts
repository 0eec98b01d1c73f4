/** Adds to an error that ends an export: how far it got, and how to resume it. */
import { OUTPUT_OPTIONS } from "../format/output-options.ts";
import { EntsError, Interrupted } from "../base/errors.ts";
import type { Query } from "../query/query.ts";
import type { Report } from "../base/report.ts";
import { isMetric, METRICS } from "../base/vocabulary.ts";
import type { Checkpoint } from "./checkpoint/checkpoint.ts";
import type { Progress } from "./progress.ts";

interface Failed {
  readonly query: Query;
  readonly again: string;
  readonly checkpoint: Checkpoint | undefined;
  readonly progress: Progress;
  readonly report: Report;
}

/** The error with its next steps. Of an interruption, prints a note: main prints none. */
export function explainFailure(error: unknown, { query, again, checkpoint, progress, report }: Failed): unknown {
  report.progress(undefined);
  const kept = describeKept(checkpoint, progress, again);
  if (error instanceof Interrupted && kept !== undefined) report.note(`stopped; ${kept[0]}`, ...kept.slice(1));
  if (!(error instanceof EntsError)) return error;
  const hint = [hintAtEndpoint(error, query) ?? error.hint, kept?.join("\n")].filter((part) => part !== undefined).join("; ");
  return hint === "" ? error : error.withHint(hint);
}

function describeKept(
  checkpoint: Checkpoint | undefined,
  { done, planned }: Progress,
  again: string,
): readonly [string, ...string[]] | undefined {
  if (planned <= 1 || done === 0) return undefined;
  if (!checkpoint)
    return [`${done} of ${planned} requests were done; write to a file with ${OUTPUT_OPTIONS.output.short} to make this resumable`];
  return [`${done} of ${planned} requests are done (kept in ${checkpoint.folder}); to resume, run:`, again];
}

/** Which command offers the metrics that the service refused here. */
function hintAtEndpoint({ kind }: EntsError, { command, metrics }: Query): string | undefined {
  if (kind !== "refused") return undefined;
  const elsewhere = metrics.filter((name) => isMetric(name) && !(METRICS[name].offeredBy as readonly string[]).includes(command));
  return elsewhere.length === 0 ? undefined : `on the public service, ${elsewhere.map(describeOffer).join("; ")}`;
}

function describeOffer(name: string): string {
  const commands = isMetric(name) ? METRICS[name].offeredBy : [];
  if (commands.length === 0) return `${name} is offered by no endpoint`;
  return `${name} is offered by ${commands.map((command) => `'ents ${command}'`).join(" and ")}`;
}
