/** Adds to an error that ends an export: how far it got, and how to resume it. */
import { OUTPUT_OPTIONS } from "../format/output-options.ts";
import { EntsError, Interrupted } from "../base/errors.ts";
import { UPKEEP_FLAGS } from "../options/upkeep-options.ts";
import { FETCH_FLAGS } from "../options/fetch-options.ts";
import { QUERY_OPTIONS } from "../options/query-options.ts";
import { networkNow, type Plan } from "../plan/plan.ts";
import type { Query } from "../query/query.ts";
import type { Report } from "../base/report.ts";
import { isMetric, METRICS } from "../base/vocabulary.ts";
import { nextBucketStart } from "../time/buckets.ts";
import { DAY, formatShort, type LocalTime, MINUTE } from "../time/local-time.ts";
import { wholeOf } from "../time/seasons.ts";
import type { Progress } from "./progress.ts";

interface Failed {
  readonly plan: Plan;
  /** The command that resumes it. */
  readonly rerunCommand: string;
  /** The folder of kept answers; undefined where none are kept. */
  readonly folder: string | undefined;
  /** In an update: the output's name, and when it was last made, in network time. */
  readonly updated?: { readonly name: string; readonly at: LocalTime | undefined } | undefined;
  /** Whether `--resume` is on. */
  readonly resumes: boolean;
  readonly progress: { readonly done: number; readonly count: Pick<Progress["count"], "planned"> };
  readonly report: Report;
}

/** The error with its next steps. Of an interruption, prints a note: main prints none. */
export function explainFailure(error: unknown, failed: Failed): unknown {
  const { plan, report } = failed;
  report.progress(undefined);
  const kept = describeKept(failed);
  if (error instanceof Interrupted && kept !== undefined) report.note(`stopped; ${kept[0]}`, ...kept.slice(1));
  if (!(error instanceof EntsError)) return error;
  const own = hintAtHistory(error, failed) ?? hintAtEndpoint(error, plan.query) ?? error.hint;
  // The same command fails again, or has nothing to go on from.
  const resumed = error.kind === "usage" ? undefined : kept?.join("\n");
  const hint = [own, resumed].filter((part) => part !== undefined).join("; ");
  return hint === "" ? error : error.withHint(hint);
}

function describeKept({ folder, resumes, rerunCommand, progress: { done, count } }: Failed): readonly [string, ...string[]] | undefined {
  const { planned } = count;
  if (planned <= 1 || done === 0) return undefined;
  if (folder === undefined) {
    const how = `write to a file with ${OUTPUT_OPTIONS.output.short}${resumes ? "" : `, without ${FETCH_FLAGS.resume},`}`;
    return [`${done} of ${planned} requests were done; ${how} to make this resumable`];
  }
  return [`${done} of ${planned} requests are done (kept in ${folder}); to resume, run:`, rerunCommand];
}

/** `Your plan allows data from the last 730 days.` (in-practice.md, Windows) */
const HISTORY = /\bthe last (\d{1,5}) days\b/i;
/** To read the message and run the next command: the limit moves with the clock. */
const TIME_TO_ANSWER = 10 * MINUTE;

/** The first start that the service's refusal of one too far back allows. */
function hintAtHistory({ refusal }: EntsError, { plan: { query, now }, updated }: Failed): string | undefined {
  const days = refusal?.status === 400 ? HISTORY.exec(refusal.said)?.[1] : undefined;
  const local = networkNow(query.network, now);
  if (days === undefined || local === undefined) return undefined;
  const limit = local - Number(days) * DAY + TIME_TO_ANSWER;
  const first = nextBucketStart(wholeOf(query.interval ?? "1d"), limit - 1);
  if ((query.window.start ?? first) > first) return undefined;
  // What was settled is not asked for again, and what is between cannot be had any more.
  if (updated?.at !== undefined && updated.at >= first) return `use a shorter ${UPKEEP_FLAGS.revise}`;
  if (updated)
    return `${updated.name} ends before what the service still gives; to start a new one from ${formatShort(first)} on, move it and its kept answers away`;
  const use = (query.window.end ?? first) < first ? "" : `: use ${QUERY_OPTIONS.dateStart.short} ${formatShort(first)}`;
  return `the first start allowed is ${formatShort(first)} (network time)${use}`;
}

/** Which command offers the metrics that the service refused here. */
function hintAtEndpoint({ kind }: EntsError, query: Query): string | undefined {
  return kind === "refused" ? describeOffers(query) : undefined;
}

/** Metrics that the public service has elsewhere: v4.md allows all of them everywhere. */
export function describeOffers({ command, metrics }: Query): string | undefined {
  const elsewhere = metrics.filter((name) => isMetric(name) && !(METRICS[name].offeredBy as readonly string[]).includes(command));
  return elsewhere.length === 0 ? undefined : `on the public service, ${elsewhere.map(describeOffer).join("; ")}`;
}

function describeOffer(name: string): string {
  const commands = isMetric(name) ? METRICS[name].offeredBy : [];
  if (commands.length === 0) return `no endpoint offers ${name}`;
  return `${name} is offered by ${commands.map((command) => `'ents ${command}'`).join(" and ")}`;
}
