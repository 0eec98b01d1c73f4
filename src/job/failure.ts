/** What is added to an error that ends an export: where it stopped, and how to go on. */
import { EntsError, Interrupted } from "../base/errors.ts";
import type { Query } from "../query/query.ts";
import type { Report } from "../base/report.ts";
import { isMetric, METRICS } from "../base/vocabulary.ts";
import type { ColumnsChanged } from "./encode.ts";
import type { Keeper } from "./keep.ts";
import type { Progress } from "./progress.ts";

interface Failed {
  readonly job: { readonly query: Query; readonly again: string };
  readonly keeper: Keeper;
  readonly progress: Progress;
  readonly report: Report;
}

/** The error with what helps against it; of an interruption, what is kept is told here. */
export function explainFailure(error: unknown, { job, keeper, progress, report }: Failed): unknown {
  report.progress(undefined);
  const kept = describeKept(keeper, progress, job.again);
  if (error instanceof Interrupted && kept !== undefined) report.note(`stopped; ${kept}`);
  if (!(error instanceof EntsError)) return error;
  const hint = [hintAtEndpoint(error, job.query) ?? error.hint, kept].filter((line) => line !== undefined).join("\n");
  return hint === "" ? error : error.withHint(hint);
}

/** @returns the error for columns that came too late, where nothing can be written anew. */
export function refuseColumns(cause: ColumnsChanged): EntsError {
  return new EntsError("refused", `${cause.message}, and what is written cannot be taken back`, {
    cause,
    hint: "write to a file (-o, without --no-resume), where the header can still be made whole",
  });
}

function describeKept({ folder }: Keeper, { done, planned }: Progress, again: string): string | undefined {
  if (planned <= 1 || done === 0) return undefined;
  if (folder === undefined) return `${done} of ${planned} requests were done; with -o, finished ones are kept`;
  return `${done} of ${planned} requests are done and kept in ${folder}; go on with: ${again}`;
}

/** A metric of another endpoint is the service's to refuse, and ours to explain. */
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
