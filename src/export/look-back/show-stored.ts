/** `ents show`: another output of the stored responses of one, as a run left them. Makes no request. */
import { EntsError, usageError } from "../../base/errors.ts";
import { findSplits, type Interval } from "../../base/intervals.ts";
import type { Surroundings } from "../../base/report.ts";
import { type SegmentQuery, laySegments, reachedLocal } from "../../store/segments.ts";
import { isAddress } from "../../options/address.ts";
import type { ResponseFolder } from "../../store/response-folder.ts";
import { UPKEEP_FLAGS } from "../../options/upkeep-options.ts";
import { listAskedWindows, planQuery, setWindow } from "../../plan/plan.ts";
import { LIMITED } from "../../plan/request-path.ts";
import { findValues } from "../../query/parameters.ts";
import type { Query } from "../../query/query.ts";
import { findKeyLimits } from "../../settings/key-limits.ts";
import { loadSettings } from "../../settings/settings.ts";
import type { Source } from "../../source/source.ts";
import { nextIntervalStart } from "../../time/calendar.ts";
import { formatShort } from "../../time/local-time.ts";
import { checkRows } from "../choose-format.ts";
import { openDestination } from "../destination/destination.ts";
import type { Destination } from "../destination/interface.ts";
import type { PathTarget } from "../destination/target.ts";
import type { ExportRequest, FileJob, PlannedJob } from "../job.ts";
import { loadAlarm, reportExportEnd, writeResult } from "../export-plan.ts";
import { findListUse } from "../prepare.ts";
import { refuseUpdated } from "../refuse-updated.ts";
import { Progress } from "../progress.ts";
import { observeRepeatedHour } from "../repeated-hour.ts";
import { alignWindow, findOwn, listBatchesOf } from "../update/continue-query.ts";
import { gatherSegments, type GatheredSegments } from "../update/gather-segments.ts";
import { Damaged, readSegments } from "../update/read-segments.ts";
import type { StoredRun } from "./open-stored.ts";

/** `isCut`: whether the window of the query is to be used, in place of that of the output. */
export type Shown = Omit<ExportRequest, "follow" | "picks"> & { readonly isCut: boolean };

interface Showing extends Surroundings {
  /** By default, what the output flags name. */
  readonly destination?: Destination;
}

/** @throws {EntsError} usage: the window is outside of what is stored; output. */
export async function showStored(
  past: StoredRun,
  shown: Shown,
  { destination, ...surroundings }: Showing,
): Promise<void> {
  const { context, report } = surroundings;
  const { folder, run } = past;
  if (folder.responses.length < (run.stored ?? 0)) throw refuseDamaged(past, LOST);
  if (!shown.options.overwrite) await refuseUpdated(shown.output.target, context.cwd, KEPT_HINT);
  const planned = await planShown(past, { ...shown, query: readQuery(past, shown) }, surroundings);
  const { output, options, plan } = planned;
  const query = plan.query as SegmentQuery;
  const observers = observeRepeatedHour(output, query, { from: undefined, warn: report.warn });
  if (options.summary)
    observers.unshift((await import("../summarize.ts")).createSummarizer(plan, output, surroundings));
  observers.push(...(await loadAlarm({ output, options })));
  const job: FileJob = {
    ...planned,
    target: output.target as PathTarget,
    destination: destination ?? (await openDestination(planned)),
    service: NO_SERVICE,
    progress: new Progress(report, context.monotonic),
    observers,
  };
  for (const note of shown.notes) report.note(note);
  for (const warning of shown.warnings) report.warn(warning);

  const [asked = query.window] = listAskedWindows(query);
  const stored = { ...query, window: asked } as SegmentQuery;
  const periods = laySegments(stored, { grid: run.grid, now: run.at, stored: folder.segments });
  const write = async () => {
    const gathered = await gatherSegments({ periods, query: stored, asks: false, last: Number.POSITIVE_INFINITY }, job);
    if (!shown.isCut) checkValues(past, gathered);
    const windows = () => readSegments(periods, { folder, query: stored, concurrency: options.concurrency, context });
    await writeResult(job, { plan, known: { ...gathered, windows }, source: NO_SERVICE.client, onReplan: () => {} });
  };
  await reportExportEnd(job, () =>
    write().catch((error: unknown) => {
      throw error instanceof Damaged ? refuseDamaged(past, error.message) : error;
    }),
  );
}

const KEPT_HINT = `choose another file, or add ${UPKEEP_FLAGS.overwrite} to replace it`;

const NO_SERVICE = {
  client: {
    send: () => {
      throw new Error("what is stored is shown without a request");
    },
  } satisfies Source,
  close: async () => {},
};

const SECOND = 1000;

/**
 * The query of the run, with its own window or with one inside that. @throws {EntsError} usage: the window is outside.
 */
function readQuery({ name, folder, run, now, window, made }: StoredRun, { query: wanted, isCut }: Shown): Query {
  const rule = findSplits(wanted.interval as Interval);
  const past = {
    start: window.start,
    end: window.end === null ? undefined : nextIntervalStart(rule, window.end) - SECOND,
  };
  const { start = past.start, end = past.end } = isCut ? wanted.window : past;
  if (isCut) {
    // Forecasts go on after the run.
    const reached = reachedLocal(wanted.network, Math.max(now, run.last ?? 0));
    const until = past.end ?? nextIntervalStart(rule, reached) - SECOND;
    if (start < run.start || (end ?? start) > until || start > until)
      throw usageError(
        `${name} has stored data from ${formatShort(run.start)} to ${formatShort(until)}, not from ${formatShort(start)} to ${formatShort(end ?? until)}`,
        "use dates inside that",
      );
  }
  const measuredUntil = isCut ? wanted.measuredUntil : window.measuredUntil;
  const { measuredUntil: _own, lead: _lead, earlier: _earlier, ...rest } = wanted;
  const [first] = wanted.transforms ? listAskedWindows(wanted) : [];
  const lead = Math.min(start - run.start, (wanted.window.start ?? start) - (first?.start ?? start));
  const parameters = setWindow(made.parameters, { start, end });
  const query = {
    ...rest,
    window: { start, end },
    parameters,
    ...(first && lead > 0 ? { lead } : {}),
    ...(measuredUntil === undefined ? {} : { measuredUntil }),
  };
  const batches = listBatchesOf(query, findOwn(query, folder.segments));
  const hasCodes = parameters.some(({ name: parameter }) => LIMITED.has(parameter));
  return hasCodes || batches.length > 1 ? { ...query, batches } : query;
}

/**
 * With the origin that the run has given its output, so that it has the same bytes, and with the stored list of units.
 */
async function planShown(
  { run, made, asOf, folder, now }: StoredRun,
  shown: Shown,
  surroundings: Surroundings,
): Promise<PlannedJob & { readonly folder: ResponseFolder }> {
  const { query, options, output } = shown;
  const settings = await loadSettings(surroundings.context);
  const { version, command, terms } = made;
  const service = run.query["service"] as string;
  const facilityCode = findValues(made, "facility_code");
  const request = {
    ...shown,
    ...surroundings,
    settings,
    options: { ...options, facilityCode, concurrency: options.concurrency ?? CONCURRENCY },
    provenance: { version, command, service, isSynthetic: !isAddress(service), query, terms, asOf },
    keyLimits: findKeyLimits(options, settings, surroundings.context),
    picks: undefined,
    folder,
    isStored: true,
  };
  const listed =
    findListUse(request) === "none" && !(query.chosen && query.command === "facilities")
      ? request
      : await (await import("../../facility-list/apply-list.ts")).addKnownUnits(request, settings, surroundings);
  const plan = planQuery(alignWindow(listed.query as SegmentQuery), { now, maxWindow: undefined });
  checkRows(output.formatName, plan);
  return { ...listed, plan };
}

/** Stored responses read at once. */
const CONCURRENCY = 4;

/** @throws {EntsError} output: a segment has not the values that the run has noted. */
function checkValues({ name, journal }: StoredRun, { values }: GatheredSegments): void {
  const isIncomplete = [...journal.values].some(([segment, noted]) => (values.get(segment)?.written ?? 0) !== noted);
  if (isIncomplete) throw refuseDamaged({ name }, LOST);
}

const LOST = "some have been changed or deleted since";

function refuseDamaged({ name }: Pick<StoredRun, "name">, why: string): EntsError {
  return new EntsError("output", `cannot read the stored responses of ${name}: ${why}`, {
    hint: `'ents update ${name}' fetches what is missing; if it is running now, try again when it is done`,
  });
}
