/** Exports written while responses arrive, and the messages at the end of any export. */
import { BATTERY } from "../base/fueltechs.ts";
import { observeRepeatedHour } from "./repeated-hour.ts";
import type { Chunk } from "../series/merge.ts";
import { findFirstInstant, findLastInstant } from "../series/overlap.ts";
import { findFuel, findInterval, findOffsetMs, type TimeSeries } from "../series/time-series.ts";
import { QUERY_FLAGS } from "../options/query-options.ts";
import type { Query } from "../query/query.ts";
import type { ServiceClock } from "../source/service-clock.ts";
import { lacksFacilities } from "../source/check-window.ts";
import { statSync } from "node:fs";
import { describeFormat } from "../format/registry.ts";
import { formatShort, type LocalTime } from "../time/local-time.ts";
import type { ResponseFolder } from "../store/response-folder.ts";
import { listRequests } from "../plan/plan.ts";
import type { Destination } from "./destination/interface.ts";
import type { PlannedJob, Job } from "./job.ts";
import { explainFailure, explainNoData } from "./failure.ts";
import type { Output } from "./output.ts";
import { countResponses, describeCached, type FinishedFile } from "./progress.ts";
import { noteCost } from "./quota.ts";
import { type Transfer, runTransfer } from "./transfer.ts";
import { addObservers, type Observer } from "./observe.ts";

export async function exportPlan(job: Job): Promise<void> {
  const { plan, service, progress, folder, report } = job;
  const requests = listRequests(plan);
  await reportExportEnd(job, async () => {
    progress.plan(plan);
    await noteCost(requests, job);
    const onReplan: Transfer["onReplan"] = (rest, why) => {
      report.detail(`${why}; planning the rest again`);
      progress.plan(rest);
    };
    await writeResult(job, { plan, source: countResponses(service.client, progress), onReplan });
  });
  // A complete output no longer needs the responses of an earlier run, even if --no-resume left them unused.
  await folder?.clear().catch(() => {});
}

/** Runs `work`, and reports how the export ended. `folder`: where its responses are stored. */
export async function reportExportEnd(
  { output, options, rerunCommand, plan, isStored, lifetimes, destination, progress, observers, context, report }: Job,
  work: () => Promise<void>,
  folder?: ResponseFolder,
): Promise<void> {
  const { query } = plan;
  try {
    await work();
  } catch (error) {
    const last = options.update ? folder?.journal.last : undefined;
    const updated = output.target && last && { name: output.target.name, start: last.start };
    throw explainFailure(error, {
      plan,
      rerunCommand,
      folder: folder?.shown,
      updated,
      isPeriod: options.dateStart !== undefined && options.dateStart === options.dateEnd,
      resumes: options.resume,
      progress,
      report,
    });
  } finally {
    progress.stop();
  }
  if (progress.rows === 0 && output.limits && progress.count.points > 0)
    report.note(
      `no ${output.limits.metric} is ${(await import("../series/analyses/pick.ts")).describeValueLimits(output.limits)}`,
    );
  else if (progress.rows === 0 && query.units?.length !== 0)
    report.note(...explainNoData({ query, isStored, lifetimes, context }));
  if (progress.count.cache > 0) report.note(describeCached(progress.count, context.now()));
  progress.finish(options.update ? undefined : findWritten(output, destination));
  for (const observer of observers) await observer.finish?.();
}

/** The finished file or files; undefined for a stream. */
function findWritten({ target, formatName }: Output, destination: Destination): FinishedFile | undefined {
  if (target?.kind !== "file" && target?.kind !== "folder") return undefined;
  // Another program may have removed it already.
  const size = destination.size ?? statSync(target.path, { throwIfNoEntry: false })?.size;
  return size === undefined
    ? undefined
    : {
        name: target.name,
        size,
        replaced: target.kind === "file" ? target.old?.size : undefined,
        unit: describeFormat(formatName).counts ?? "row",
      };
}

/** Runs the job that writes the output. */
export async function writeResult(
  { output, provenance, options, progress, plan, folder, destination, observers, context, report }: Job,
  work: Pick<Transfer, "plan" | "source" | "onReplan" | "known" | "put">,
  ...more: readonly Observer[]
): Promise<void> {
  const unitObserver = lacksFacilities(plan.query)
    ? { onChunk: (chunk: Chunk) => progress.lookForUnits(chunk) }
    : undefined;
  const noteObserver = {
    onPrinted: ({ analysis }: Chunk) => analysis?.note !== undefined && report.note(analysis.note),
  };
  const encoding = { ...output, formatOptions: { ...output.formatOptions, linesAbove: report.lines }, provenance };
  await runTransfer({
    ...work,
    put: { ...work.put, isLocked: folder?.isOpen === true },
    destination,
    encoding: addObservers<Transfer["encoding"]>(encoding, progress, unitObserver, noteObserver, ...observers, ...more),
    concurrency: options.concurrency,
    signal: context.signal,
    warn: report.warn,
    note: report.note,
    detail: report.detail,
  });
}

/**
 * The observers that the flags require, in the order of their reports. `from`: where the part begins that an update
 * must get.
 */
export async function loadObservers(
  { query, output, options, checksCodes = false, plan, context, report, settings }: PlannedJob,
  from: LocalTime | undefined,
  clock: ServiceClock,
): Promise<Observer[]> {
  const observers: Observer[] = [];
  if (options.summary)
    observers.push((await import("./summarize.ts")).createSummarizer(plan, output, { context, report }));
  if (options.summary || output.target) observers.push(observeBatteries(options.summary ? report.warn : report.note));
  const { start, end } = query.window;
  if (start === undefined && end === undefined && !options.follow && !describeFormat(output.formatName).marksPartial)
    observers.push(observeDefaults(query, report.note));
  observers.push(...observeRepeatedHour(output, query, { from, warn: report.warn }));
  if ((options.facilityCode ?? options.unitCode) && !options.follow) {
    const { createCodeWatch } = await import("../facility-list/missing-codes.ts");
    const findFacilities = async (mayAsk: boolean) => {
      const { readCodesWithoutRequest, fetchCodesQuietly } = await import("../facility-list/open-codes.ts");
      const codes = { fetch: options, settings };
      const list =
        (await readCodesWithoutRequest(codes, context)) ??
        (mayAsk ? await fetchCodesQuietly(codes, { context, report }) : undefined);
      return list?.facilities;
    };
    observers.push(createCodeWatch(query, options, { findFacilities, checksCodes, report }));
  }
  if (options.requireComplete || options.requireCompleteEach || options.requireFresh) {
    const { createRequirement } = await import("./require.ts");
    // An update checks only the part that it fetches.
    const window = { ...query.window, start: from ?? query.window.start };
    observers.push(
      createRequirement({ ...plan, query: { ...query, window } }, { ...options, name: output.target?.name, clock }),
    );
  }
  observers.push(...(await loadAlarm({ output, options })));
  return observers;
}

/** For `--require-none`. */
export async function loadAlarm({
  output: { limits, target },
  options,
}: Pick<PlannedJob, "output" | "options">): Promise<Observer[]> {
  if (!options.requireNone || !limits) return [];
  return [(await import("./require.ts")).createAlarm(limits, target?.name)];
}

/** Says which window and interval the service has chosen. Tables have it in a line of their own. */
function observeDefaults({ network, interval }: Query, note: (text: string) => void): Observer {
  let [from, until, chosen] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, interval as string | undefined];
  return {
    onChunk: ({ timeSeries }) => {
      const offset = findOffsetMs(network, timeSeries) ?? 0;
      [from, until] = [
        Math.min(from, findFirstInstant(timeSeries) + offset),
        Math.max(until, findLastInstant(timeSeries) + offset),
      ];
      chosen ??= timeSeries.map(findInterval).find(Boolean);
    },
    finish: () => {
      if (until < from) return;
      const what =
        interval === undefined
          ? "no interval and no window was given: the service sent"
          : "no window was given: the service sent";
      note(
        `${what} ${chosen ?? "data"} from ${formatShort(from)} to ${formatShort(until)}; ${QUERY_FLAGS.last} says how long`,
      );
    },
  };
}

/** Says if the result has a battery's net beside its parts. */
function observeBatteries(say: (text: string) => void): Observer {
  const found = new Set<unknown>();
  const look = (timeSeries: readonly TimeSeries[]) => {
    for (const { series } of timeSeries) for (const member of series) found.add(findFuel(member));
  };
  return {
    onKept: look,
    onChunk: (chunk) => look(chunk.timeSeries),
    finish: () => {
      if (Object.values(BATTERY).every((fueltech) => found.has(fueltech)))
        say("battery is the net of battery_charging and battery_discharging: adding up all three counts storage twice");
    },
  };
}
