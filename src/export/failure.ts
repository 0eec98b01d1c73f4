/** Adds to the error that ends an export how far it got and how to resume it. */
import { OUTPUT_OPTIONS } from "../format/output-options.ts";
import { EntsError, Interrupted } from "../base/errors.ts";
import { FETCH_FLAGS } from "../options/fetch-options.ts";
import { QUERY_OPTIONS } from "../options/query-options.ts";
import { networkNow, type Plan } from "../plan/plan.ts";
import type { Query } from "../query/query.ts";
import type { Report } from "../base/report.ts";
import type { Interval } from "../base/intervals.ts";
import type { Context } from "../base/context.ts";
import { ALL_METRICS, isMetric } from "../base/computed-metrics.ts";
import { findNetwork, isForecast } from "../base/vocabulary.ts";
import { nextIntervalStart, alignmentInterval } from "../time/calendar.ts";
import { DAY, formatShort, type LocalTime, MINUTE, formatLocalTime } from "../time/local-time.ts";
import type { PlannedJob } from "./job.ts";
import type { Progress } from "./progress.ts";
import { isEmptyWindow, type Window } from "../query/window.ts";

interface Failed {
  readonly plan: Plan;
  /** The command that resumes it. */
  readonly rerunCommand: string;
  /** The folder of stored responses; undefined if none are stored. */
  readonly folder: string | undefined;
  /** In an update: the output's name, and its start before, in network time. */
  readonly updated?: { readonly name: string; readonly start: LocalTime } | undefined;
  /** True if one flag (`--during`) gives both ends of the window. */
  readonly isPeriod: boolean;
  /** True if `--resume` is on. */
  readonly resumes: boolean;
  readonly progress: { readonly done: number; readonly count: Pick<Progress["count"], "planned"> };
  readonly report: Report;
}

/** Returns the error with next steps. For an interruption, prints a note, as main does not. */
export function explainFailure(error: unknown, failed: Failed): unknown {
  const { plan, report } = failed;
  report.progress(undefined);
  const resume = describeResume(failed);
  if (error instanceof Interrupted && resume !== undefined) report.note(`stopped; ${resume[0]}`, ...resume.slice(1));
  if (!(error instanceof EntsError)) return error;
  const own =
    hintAtHistory(error, failed) ?? (error.kind === "refused" ? suggestCommands(plan.query) : undefined) ?? error.hint;
  // The same command would only fail again.
  const resumed = error.kind === "usage" || error.kind === "incomplete" ? undefined : resume;
  const hint = [own, resumed?.join("\n")].filter((part) => part !== undefined).join("; ");
  return hint === "" ? error : error.withHint(hint, { resume: resumed?.[1] });
}

function describeResume({
  folder,
  resumes,
  rerunCommand,
  progress: { done, count },
}: Failed): readonly [string, ...string[]] | undefined {
  const { planned } = count;
  if (planned <= 1 || done === 0) return undefined;
  if (folder === undefined) {
    const how = `write to a file with ${OUTPUT_OPTIONS.output.short}${resumes ? "" : `, without ${FETCH_FLAGS.resume},`}`;
    return [`${done} of ${planned} requests were done; ${how} to make this resumable`];
  }
  return [`${done} of ${planned} requests are done (kept in ${folder}); to resume, run:`, rerunCommand];
}

/** `Your plan allows data from the last 730 days.` (the public service) */
const HISTORY = /\bthe last (\d{1,5}) days\b/i;
/** Time for the user to read the message and run the next command, while the limit moves on. */
const TIME_TO_ANSWER = 10 * MINUTE;

/** Suggests the earliest start allowed, if the service refused one too far back. */
function hintAtHistory(error: EntsError, { plan: { query, now }, updated, isPeriod }: Failed): string | undefined {
  const days = readHistory(error);
  const local = networkNow(query.network, now);
  const start = query.window.start ?? Number.NEGATIVE_INFINITY;
  const first = days === undefined || local === undefined ? undefined : findFirstStart(query, local, Number(days));
  if (days !== undefined && updated && start >= updated.start) return suggestNewOutput(updated.name, first);
  if (first === undefined || start > first) return undefined;
  const { end = first } = query.window;
  const until = !isPeriod ? "" : ` ${QUERY_OPTIONS.dateEnd.short} ${formatShort(end)}`;
  const use = end < first ? "" : `: use ${QUERY_OPTIONS.dateStart.short} ${formatShort(first)}${until}`;
  return `the earliest start allowed is ${formatShort(first)} (network time)${use}`;
}

/** True if the service refused a start that is too far back for the plan in use. */
export function isBeforeHistory(error: EntsError): boolean {
  return readHistory(error) !== undefined;
}

/** The days of history that a refusal names. */
function readHistory({ refusal }: EntsError): string | undefined {
  return refusal?.status === 400 ? HISTORY.exec(refusal.said)?.[1] : undefined;
}

/** For an output whose segment under way begins before the history that the plan in use allows. */
function suggestNewOutput(name: string, first: LocalTime | undefined): string {
  const { output } = OUTPUT_OPTIONS;
  const { dateStart } = QUERY_OPTIONS;
  const later =
    first === undefined ? `a later ${dateStart.short}` : `${dateStart.short} ${formatShort(first)} or later`;
  return `${name} stays as it is, as it begins before that\nfor newer data, start a new output with ${output.short} and ${later}`;
}

/** The first start that a plan allows whose history has so many days. `local`: the network's clock. */
export function findFirstStart({ interval }: Query, local: LocalTime, days: number): LocalTime {
  return nextIntervalStart(alignmentInterval(interval ?? "1d"), local - days * DAY + TIME_TO_ANSWER - 1);
}

/**
 * Names the commands for metrics that the public service does not offer here, though v4 allows all of them everywhere.
 */
function suggestCommands({ command, metrics }: Query): string | undefined {
  const offers = metrics.filter(isMetric).flatMap((name) => {
    const commands: readonly string[] = ALL_METRICS[name]?.offeredBy ?? [];
    if (commands.includes(command)) return [];
    if (commands.length === 0) return `no endpoint offers ${name}`;
    return `${name} is offered by ${commands.map((offering) => `'ents ${offering}'`).join(" and ")}`;
  });
  return offers.length === 0 ? undefined : `on the public service, ${offers.join("; ")}`;
}

interface Empty extends Pick<PlannedJob, "query" | "isStored" | "lifetimes"> {
  readonly context: Pick<Context, "now">;
}

/** Lines of a note: no data, and possible reasons. Unknown regions, fueltechs and codes are reported elsewhere. */
export function explainNoData({ query, isStored, lifetimes = [], context }: Empty): [string, ...string[]] {
  const { network, interval, window } = query;
  if (query.units?.length === 0) return ["no unit matches; nothing was requested"];
  if (isEmptyWindow(window))
    return [`no interval has ended since ${formatLocalTime(window.start ?? 0)}; nothing was requested`];
  if (isStored) return ["nothing is stored for this query"];
  const none = "the service has no data for this query";
  const { dataSince } = findNetwork(network) ?? {};
  const now = networkNow(network, context.now()) ?? Number.POSITIVE_INFINITY;
  if (!query.metrics.some(isForecast) && (window.start ?? 0) > now) return [`${none}: its window is in the future`];
  if (dataSince !== undefined && (window.end ?? Number.POSITIVE_INFINITY) < Date.parse(dataSince))
    return [none, `on OpenElectricity, data of ${network} begin on ${dataSince}`];
  if (lifetimes.length > 0) return [none, ...lifetimes];
  const offers = suggestCommands(query);
  return [none, ...(offers === undefined ? [] : [offers]), ...describeExclusiveEnd(window, interval)];
}

/** The finest interval of the service. */
const FINEST: Interval = "5m";

/**
 * Suggests a later end for a window with a single interval, at its end: some services leave that out, as the public one
 * does.
 */
function describeExclusiveEnd({ start, end }: Window, interval: Interval = FINEST): string[] {
  if (start === undefined || end === undefined || nextIntervalStart(FINEST, start - 1) !== end) return [];
  const last = formatLocalTime(nextIntervalStart(interval, end) - 1000).replace("T23:59:59", "");
  return [
    `services may leave out the end of a window; to include its last interval, use ${QUERY_OPTIONS.dateEnd.short} ${last}`,
  ];
}

/** Runs `work`, then `close`. Errors of `close` are ignored. */
export async function runThenClose(work: () => Promise<void>, close: (done: boolean) => Promise<void>): Promise<void> {
  let done = false;
  try {
    await work();
    done = true;
  } catch (error) {
    // The export ran to its end, but the result lacks data.
    done = error instanceof EntsError && error.kind === "incomplete";
    throw error;
  } finally {
    await close(done).catch(() => {});
  }
}
