/** `ents update`: brings outputs up to date, one after the other. */
import { EntsError, type ErrorKind } from "../../base/errors.ts";
import { formatCount, formatList, formatNumber } from "../../base/phrases.ts";
import type { Report, Surroundings } from "../../base/report.ts";
import type { FoundOutput, Updatable } from "./find-outputs.ts";

/** Runs the command of an output. */
type Run = (output: Updatable, report: Report) => Promise<void>;

/** @throws {EntsError} that of a single output; of several, one of the gravest kind, with their number. */
export async function updateOutputs(
  outputs: readonly FoundOutput[],
  run: Run,
  { context, report }: Surroundings,
): Promise<void> {
  const failed = new Map<FoundOutput, EntsError>();
  const skipped: Updatable[] = [];
  const bugs: unknown[] = [];
  /** Services that take no more requests from this user: the quota is spent, or the token is refused. */
  const closed = new Set<string>();
  for (const output of outputs) {
    if ("service" in output && closed.has(output.service)) {
      skipped.push(output);
      continue;
    }
    try {
      if ("problem" in output) throw output.problem;
      await run(output, outputs.length > 1 ? nameMessages(report, output.name) : report);
    } catch (error) {
      context.signal.throwIfAborted();
      if (!(error instanceof EntsError)) {
        bugs.push(error);
        continue;
      }
      if (outputs.length === 1) throw error;
      failed.set(output, error);
      report.error(error.mapMessage((message) => addName(message, output.name)));
      if (error.kind === "authentication" && "service" in output) closed.add(output.service);
    }
  }
  if (bugs.length > 0) throw bugs[0];
  if (failed.size > 0) throw summarize([...failed.values()], skipped, outputs.length);
}

/** The gravest first: what somebody must mend, then what may mend itself. */
const GRAVITY: readonly ErrorKind[] = ["output", "usage", "refused", "authentication", "unavailable", "incomplete"];

function summarize(errors: readonly EntsError[], skipped: readonly Updatable[], count: number): EntsError {
  const late = errors.filter(({ kind }) => kind === "incomplete").length;
  const behind = errors.length - late + skipped.length;
  const of = `of ${formatCount(count, "output")}`;
  const parts = [
    ...(behind > 0 ? [`${formatNumber(behind)} ${of} ${behind === 1 ? "was" : "were"} not updated`] : []),
    ...(late > 0 ? [`${formatNumber(late)} ${of} ${late === 1 ? "is" : "are"} late or incomplete`] : []),
  ];
  const kind = GRAVITY.find((candidate) => errors.some((error) => error.kind === candidate)) ?? "usage";
  const names = skipped.map(({ name }) => name);
  const others =
    names.length > MOST_NAMES
      ? [...names.slice(0, MOST_NAMES), `${formatNumber(names.length - MOST_NAMES)} others`]
      : names;
  const hint =
    names.length === 0 ? undefined : `not tried, as the service takes no more requests: ${formatList(others, "and")}`;
  return new EntsError(kind, parts.join("; "), { hint });
}

const MOST_NAMES = 5;

/** Says of which output each message is. */
function nameMessages(report: Report, name: string): Report {
  return {
    ...report,
    note: (text, ...steps) => report.note(addName(text, name), ...steps),
    warn: (text) => report.warn(addName(text, name)),
    detail: (text) => report.detail(addName(text, name)),
  };
}

function addName(text: string, name: string): string {
  return text.includes(name) ? text : `${name}: ${text}`;
}
