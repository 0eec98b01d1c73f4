/** The whole way of a request: query → plan → answers → series (merged) → rows → format → sink. */
import type { Context } from "../base/context.ts";
import { findMaxWindow, loadSettings } from "../settings/settings.ts";
import { fetchWindows } from "../source/windows.ts";
import type { FetchValues } from "../options/fetch-options.ts";
import { findLimits } from "../plan/limits.ts";
import { listRequests, type Plan, planQuery } from "../plan/plan.ts";
import type { Query } from "../query/query.ts";
import type { Report } from "../base/report.ts";
import { openService } from "../source/open-service.ts";
import { openSink, writeAll } from "./destination/open.ts";
import { ColumnsChanged, encodeWindows, type KnownColumns } from "./encode.ts";
import { explainFailure, refuseColumns } from "./failure.ts";
import { createKeeper, type Keeper } from "./keep.ts";
import { explainNoData } from "./no-data.ts";
import type { Output } from "./output.ts";
import { createProgress, type Progress } from "./progress.ts";
import { writePlan } from "./dry-run.ts";

export interface Export {
  readonly query: Query;
  readonly output: Output;
  readonly fetch: FetchValues;
  /** The command that goes on with this export, should it stop. */
  readonly again: string;
}

/**
 * Fetches what the query asks and writes it in full, or leaves the output as it was.
 * @throws {EntsError} of every kind.
 */
export async function exportData(job: Export, context: Context, report: Report): Promise<void> {
  const { query, output, fetch } = job;
  const settings = await loadSettings(context);
  const facts = { now: context.now(), maxWindow: findMaxWindow(fetch.maxWindow, settings) };
  const plan = planQuery(query, facts);
  if (fetch.dryRun) return writePlan(plan, { output, fetch, settings, report }, context);
  const progress = createProgress(report, context.now);
  const service = await openService(fetch, settings, { context, report, onEvent: progress.watch });
  const keeper = createKeeper(
    { output: output.path, identity: identify(job, service.baseUrl), fresh: !fetch.resume, client: service.client, progress },
    context,
    report,
  );
  let done = false;
  try {
    await run({ job, plan, facts, keeper, progress, context, report });
    done = true;
    progress.finish();
  } catch (error) {
    throw explainFailure(error, { job, keeper, progress, report });
  } finally {
    await keeper.close(done);
    await service.close();
  }
}

interface Run {
  readonly job: Export;
  readonly plan: Plan;
  readonly facts: Parameters<typeof planQuery>[1];
  readonly keeper: Keeper;
  readonly progress: Progress;
  readonly context: Context;
  readonly report: Report;
}

async function run(setting: Run): Promise<void> {
  const { job, plan, keeper, progress, context, report } = setting;
  progress.plan(listRequests(plan).length);
  if (listRequests(plan).length > 1) await keeper.open(listRequests(plan));
  let columns: KnownColumns = { labelLists: [], metrics: job.query.metrics };
  for (let written = false; !written; ) {
    const sink = await openSink(job.output.path, context, keeper.workshop);
    try {
      await writeAll(sink, fetchAndEncode(setting, columns));
      written = true;
    } catch (error) {
      // A file can be written anew, from the answers that are kept.
      if (!(error instanceof ColumnsChanged)) throw error;
      if (keeper.folder === undefined) throw refuseColumns(error);
      columns = error.columns;
    }
  }
  if (progress.points === 0) report.note(explainNoData(job.query));
}

function fetchAndEncode(
  { job, plan, facts, keeper, progress, context, report }: Run,
  columns: KnownColumns,
): AsyncIterable<string | Uint8Array> {
  const { query, output, fetch } = job;
  const windows = fetchWindows(plan, {
    query,
    now: facts.now,
    limits: query.interval && findLimits(query.interval, facts.maxWindow),
    concurrency: fetch.concurrency,
    signal: context.signal,
    send: keeper.send,
    onReplan: async (rest, why) => {
      progress.plan(progress.done + listRequests({ windows: rest }).length);
      report.detail(`${why}: planned anew`);
      await keeper.open(listRequests({ windows: rest }));
    },
  });
  return encodeWindows(windows, { query, output, columns, warn: report.warn, count: progress.add });
}

/** What makes another run the same command: requests, format and shape; not how fast or with which token. */
function identify({ query, output }: Export, baseUrl: URL | undefined): unknown {
  const { command, network, parameters } = query;
  const { formatName, shape, zone, formatOptions } = output;
  return [baseUrl?.href ?? "sandbox", command, network, parameters, formatName, shape, zone, formatOptions.header];
}
